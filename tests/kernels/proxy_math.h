// Geometry of cells with eight corners, an equation of state, and small vectors, as codes of flows and shocks have
// them.
#ifndef PROXY_MATH_H
#define PROXY_MATH_H

#include <cmath>

namespace hydro {

// Coordinates of eight corners, one array for each axis.
static inline void gather_corners(const double **node, double x[8], double y[8], double z[8]) {
  for (int c = 0; c < 8; c++) {
    x[c] = node[c][0];
    y[c] = node[c][1];
    z[c] = node[c][2];
  }
}

// Area vector of the quadrilateral i, j, k, l, a quarter to each of its corners.
static inline void share_face_area(const double x[8], const double y[8], const double z[8], int i, int j, int k, int l,
                                   double area[8][3]) {
  /* the two diagonals */
  const double ax = x[k] - x[i], ay = y[k] - y[i], az = z[k] - z[i];
  const double bx = x[l] - x[j], by = y[l] - y[j], bz = z[l] - z[j];
  const double nx = 0.125 * (ay * bz - az * by);
  const double ny = 0.125 * (az * bx - ax * bz);
  const double nz = 0.125 * (ax * by - ay * bx);

  area[i][0] += nx;
  area[i][1] += ny;
  area[i][2] += nz;
  area[j][0] += nx;
  area[j][1] += ny;
  area[j][2] += nz;
  area[k][0] += nx;
  area[k][1] += ny;
  area[k][2] += nz;
  area[l][0] += nx;
  area[l][1] += ny;
  area[l][2] += nz;
}

// Outward area vectors of the eight corners, from the six faces.
static inline void corner_areas(const double x[8], const double y[8], const double z[8], double area[8][3]) {
  for (int c = 0; c < 8; c++) area[c][0] = area[c][1] = area[c][2] = 0.0;
  share_face_area(x, y, z, 0, 3, 2, 1, area);
  share_face_area(x, y, z, 4, 5, 6, 7, area);
  share_face_area(x, y, z, 0, 1, 5, 4, area);
  share_face_area(x, y, z, 1, 2, 6, 5, area);
  share_face_area(x, y, z, 2, 3, 7, 6, area);
  share_face_area(x, y, z, 3, 0, 4, 7, area);
}

// Volume from the area vectors, by the divergence of the position.
inline double volume_within(const double x[8], const double y[8], const double z[8], const double area[8][3]) {
  double sum = 0.0;
  for (int c = 0; c < 8; c++) sum += x[c] * area[c][0] + y[c] * area[c][1] + z[c] * area[c][2];
  return sum / 3.0;
}

// Derivatives of the trilinear shape functions at the centre of the cell, not yet divided by its volume.
static inline void shape_derivatives(const double x[8], const double y[8], const double z[8], double b[3][8],
                                     double *volume) {
  static const double side[3][8] = {
      {-1, 1, 1, -1, -1, 1, 1, -1}, {-1, -1, 1, 1, -1, -1, 1, 1}, {-1, -1, -1, -1, 1, 1, 1, 1}};
  double jac[3][3], cof[3][3];

  for (int i = 0; i < 3; i++) {
    jac[i][0] = jac[i][1] = jac[i][2] = 0.0;
    for (int c = 0; c < 8; c++) {
      jac[i][0] += 0.125 * side[i][c] * x[c];
      jac[i][1] += 0.125 * side[i][c] * y[c];
      jac[i][2] += 0.125 * side[i][c] * z[c];
    }
  }

  cof[0][0] = jac[1][1] * jac[2][2] - jac[1][2] * jac[2][1];
  cof[0][1] = jac[1][2] * jac[2][0] - jac[1][0] * jac[2][2];
  cof[0][2] = jac[1][0] * jac[2][1] - jac[1][1] * jac[2][0];
  cof[1][0] = jac[2][1] * jac[0][2] - jac[2][2] * jac[0][1];
  cof[1][1] = jac[2][2] * jac[0][0] - jac[2][0] * jac[0][2];
  cof[1][2] = jac[2][0] * jac[0][1] - jac[2][1] * jac[0][0];
  cof[2][0] = jac[0][1] * jac[1][2] - jac[0][2] * jac[1][1];
  cof[2][1] = jac[0][2] * jac[1][0] - jac[0][0] * jac[1][2];
  cof[2][2] = jac[0][0] * jac[1][1] - jac[0][1] * jac[1][0];

  for (int c = 0; c < 8; c++)
    for (int k = 0; k < 3; k++) b[k][c] = side[0][c] * cof[0][k] + side[1][c] * cof[1][k] + side[2][c] * cof[2][k];

  *volume = 8.0 * (jac[0][0] * cof[0][0] + jac[0][1] * cof[0][1] + jac[0][2] * cof[0][2]);
}

// Scalar triple product of three vectors.
inline double triple_product(double ax, double ay, double az, double bx, double by, double bz, double cx, double cy,
                             double cz) {
  return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
}

// Measure of a quadrilateral's area: the square of four times its diagonals' cross product.
inline double area_squared(double x0, double x1, double x2, double x3, double y0, double y1, double y2, double y3,
                           double z0, double z1, double z2, double z3) {
  const double fx = (x2 - x0) - (x3 - x1), fy = (y2 - y0) - (y3 - y1), fz = (z2 - z0) - (z3 - z1);
  const double gx = (x2 - x0) + (x3 - x1), gy = (y2 - y0) + (y3 - y1), gz = (z2 - z0) + (z3 - z1);
  const double fg = fx * gx + fy * gy + fz * gz;
  return (fx * fx + fy * fy + fz * fz) * (gx * gx + gy * gy + gz * gz) - fg * fg;
}

// Equation of state: each function calls the one before it.
struct Cutoffs {
  double pressure, energy, viscosity;
};

static inline void pressure_of(double energy, double compression, const Cutoffs &cut, double &stiffness,
                               double &pressure) {
  stiffness = 2.0 / 3.0 * (compression + 1.0);
  pressure = stiffness * energy;
  if (std::fabs(pressure) < cut.pressure) {
    pressure = 0.0;
    return;
  }
  if (compression < -0.5) pressure *= 2.0 * (1.0 + compression);
}

static inline bool energy_of(double before, double work, double compression, double floor, const Cutoffs &cut,
                             double &energy, double &stiffness, double &pressure) {
  energy = before + work;
  if (std::fabs(energy) < cut.energy) energy = 0.0;
  if (energy < floor) {
    energy = floor;
    pressure_of(energy, compression, cut, stiffness, pressure);
    return false;
  }
  pressure_of(energy, compression, cut, stiffness, pressure);
  return true;
}

static inline double sound_speed(double before, double work, double compression, double floor, double volume,
                                 const Cutoffs &cut, double &energy, double &pressure) {
  double stiffness;
  if (!energy_of(before, work, compression, floor, cut, energy, stiffness, pressure)) return 0.3333333e-18;
  const double squared = stiffness * energy + volume * volume * stiffness * pressure;
  if (squared <= 1e-20) return 0.3333333e-18;
  return std::sqrt(squared);
}

} // namespace hydro

namespace flow {

// Three numbers that are a vector.
struct Vec3 {
  double x, y, z;
};

inline Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3 operator*(double s, Vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
inline double dot(const Vec3 &a, const Vec3 &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3 cross(const Vec3 &a, const Vec3 &b) {
  return Vec3{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Gaussian elimination of a dense system without pivots; the solution replaces the right side.
template <class T, int N>
inline void eliminate(T a[N][N], T b[N]) {
  for (int k = 0; k < N; ++k) {
    const T pivot = T(1) / a[k][k];
    for (int i = k + 1; i < N; ++i) {
      const T factor = a[i][k] * pivot;
      for (int j = k + 1; j < N; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (int i = N - 1; i >= 0; --i) {
    for (int j = i + 1; j < N; ++j) b[i] -= a[i][j] * b[j];
    b[i] /= a[i][i];
  }
}

} // namespace flow

#endif

/* SPDX-License-Identifier: MIT */
