/* geometry_kernels.h: what the Euler solver computes once from its mesh of polyhedra, for C and C++. */
#ifndef OP2_EXAMPLES_GEOMETRY_KERNELS_H
#define OP2_EXAMPLES_GEOMETRY_KERNELS_H

#include <math.h>

#define FAR_FIELD 0 /* kinds of boundary: outside is the free stream */
#define WALL 1      /* the gas slides along it and presses on it */
#define SYMMETRY 2  /* a wall that counts to no body */

#define PATCHES 64                  /* with numbers from 0 */
static int patch_kind[PATCHES + 1]; /* kind of boundary of each patch; the last one: of all others */

static inline double dot3(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* The triangle between corner 0, k and k + 1 of a face: its area vector, its middle. */
static inline void triangle(const double **x, int k, double *area, double *middle) {
  double a[3], b[3];
  for (int i = 0; i < 3; ++i) {
    a[i] = x[k][i] - x[0][i];
    b[i] = x[k + 1][i] - x[0][i];
    middle[i] = x[0][i] + (a[i] + b[i]) * (1.0 / 3.0);
  }
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, l = (i + 2) % 3;
    area[i] = 0.5 * (a[j] * b[l] - a[l] * b[j]);
  }
}

/* Area vector and centre of a face: the sum over a fan of triangles. The area vector depends on the edges only, so
 * those around a cell sum up to zero even if its faces are not plane. */
static inline void face_geometry(const double **x, int corners, double *normal, double *centre) {
  double weight = 0.0;
  for (int i = 0; i < 3; ++i) normal[i] = centre[i] = 0.0;
  for (int k = 1; k + 1 < corners; ++k) {
    double area[3], middle[3];
    triangle(x, k, area, middle);
    const double size = sqrt(dot3(area, area));
    weight += size;
    for (int i = 0; i < 3; ++i) {
      normal[i] += area[i];
      centre[i] += size * middle[i];
    }
  }
  for (int i = 0; i < 3; ++i) centre[i] = weight > 0.0 ? centre[i] / weight : x[0][i];
}

/* Volume between a face and a point behind it. */
static inline double cone(const double **x, int corners, const double *tip) {
  double volume = 0.0;
  for (int k = 1; k + 1 < corners; ++k) {
    double area[3], middle[3];
    triangle(x, k, area, middle);
    for (int i = 0; i < 3; ++i) volume += area[i] * (middle[i] - tip[i]) * (1.0 / 3.0);
  }
  return volume;
}

/* Faces: their geometry; the middle of the faces around a cell, weighted by area [3], and the weight. */
static inline void measure_face(const double **x, const int *corners, double *normal, double *centre, double *left,
                                double *right) {
  face_geometry(x, *corners, normal, centre);
  const double weight = sqrt(dot3(normal, normal));
  for (int i = 0; i < 3; ++i) {
    left[i] += weight * centre[i];
    right[i] += weight * centre[i];
  }
  left[3] += weight;
  right[3] += weight;
}

/* Boundary faces: the same. */
static inline void measure_boundary(const double **x, const int *corners, double *normal, double *centre,
                                    double *cell) {
  face_geometry(x, *corners, normal, centre);
  const double weight = sqrt(dot3(normal, normal));
  for (int i = 0; i < 3; ++i) cell[i] += weight * centre[i];
  cell[3] += weight;
}

/* Cells: the middle. */
static inline void middle_of_cell(const double *sum, double *centre) {
  for (int i = 0; i < 3; ++i) centre[i] = sum[i] / sum[3];
}

/* Faces, boundary faces: their share of the volume of the cells. */
static inline void volume_of_face(const double **x, const int *corners, const double *centre_left,
                                  const double *centre_right, double *left, double *right) {
  *left += cone(x, *corners, centre_left);
  *right -= cone(x, *corners, centre_right);
}
static inline void volume_of_boundary(const double **x, const int *corners, const double *centre, double *volume) {
  *volume += cone(x, *corners, centre);
}

/* Boundary faces: what is outside. */
static inline void kind_of_boundary(const int *patch, int *kind) {
  *kind = patch_kind[*patch >= 0 && *patch < PATCHES ? *patch : PATCHES];
}

/* The symmetric matrix sum of d d' / |d|^2 (xx yy zz xy xz yz) of least squares. */
static inline void add_direction(const double *d, double *matrix) {
  const double weight = 1.0 / dot3(d, d);
  for (int i = 0; i < 3; ++i) matrix[i] += weight * d[i] * d[i];
  matrix[3] += weight * d[0] * d[1];
  matrix[4] += weight * d[0] * d[2];
  matrix[5] += weight * d[1] * d[2];
}

/* From a cell to its mirror image behind a boundary face; the unit normal. */
static inline void mirrored(const double *normal, const double *bcentre, const double *centre, double *unit,
                            double *d) {
  const double inverse = 1.0 / sqrt(dot3(normal, normal));
  for (int i = 0; i < 3; ++i) {
    unit[i] = normal[i] * inverse;
    d[i] = bcentre[i] - centre[i];
  }
  const double twice = 2.0 * dot3(d, unit);
  for (int i = 0; i < 3; ++i) d[i] = twice * unit[i];
}

/* Faces, boundary faces: the directions in which a cell has neighbours. */
static inline void directions_of_face(const double *left, const double *right, double *matrix_left,
                                      double *matrix_right) {
  const double d[3] = {right[0] - left[0], right[1] - left[1], right[2] - left[2]};
  add_direction(d, matrix_left);
  add_direction(d, matrix_right);
}
static inline void directions_of_boundary(const double *normal, const double *bcentre, const double *centre,
                                          double *matrix) {
  double unit[3], d[3];
  mirrored(normal, bcentre, centre, unit, d);
  add_direction(d, matrix);
}

/* Cells: the inverse matrix. */
static inline void invert(double *matrix) {
  const double xx = matrix[0], yy = matrix[1], zz = matrix[2], xy = matrix[3], xz = matrix[4], yz = matrix[5];
  const double inverse = 1.0 / (xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz));
  matrix[0] = (yy * zz - yz * yz) * inverse;
  matrix[1] = (xx * zz - xz * xz) * inverse;
  matrix[2] = (xx * yy - xy * xy) * inverse;
  matrix[3] = (xz * yz - xy * zz) * inverse;
  matrix[4] = (xy * yz - xz * yy) * inverse;
  matrix[5] = (xy * xz - xx * yz) * inverse;
}

#endif

/* SPDX-License-Identifier: MIT */
