/* shallow_kernels.h: the kernels of the shallow water solver on triangles, for C and C++.
 *
 * Water of depth h over a bottom of height b moves with the velocity (u, v):
 *   d/dt (h, hu, hv) + div(h (u, v), h u (u, v) + (g h^2 / 2, 0), h v (u, v) + (0, g h^2 / 2)) = -g h (0, grad b).
 * Cells hold the state (h, hu, hv) and the height of their bottom; edges carry fluxes of the HLLC kind between them.
 * Limited slopes make it second order. Where the bottom is not flat, an edge sees the water above the higher of the two
 * bottoms that meet there (hydrostatic reconstruction of Audusse and others, SIAM J. Sci. Comput. 25, 2004): then water
 * at rest stays at rest, and no depth becomes negative. */
#ifndef OP2_EXAMPLES_SHALLOW_KERNELS_H
#define OP2_EXAMPLES_SHALLOW_KERNELS_H

#include <math.h>

static double gravity;
static double dry;     /* water that is less deep does not move */
static double courant; /* Courant number */
static double smooth;  /* changes below this part of the depth, or of the speed of waves, belong to smooth flows */

enum { SURFACE, DEPTH, U, V, FIELDS }; /* what has slopes: height of the surface h + b, depth, velocity */

/* Cells: area and centre. x: the corners, counter-clockwise. */
static inline void measure_cell(const double **x, double *area, double *centre) {
  const double ax = x[1][0] - x[0][0], ay = x[1][1] - x[0][1], bx = x[2][0] - x[0][0], by = x[2][1] - x[0][1];
  *area = 0.5 * (ax * by - ay * bx);
  for (int i = 0; i < 2; ++i) centre[i] = (x[0][i] + x[1][i] + x[2][i]) * (1.0 / 3.0);
}

/* Edges of both kinds: the vector at right angles to the edge, as long as the edge, from the first cell outwards; its
 * middle. */
static inline void measure_edge(const double *x1, const double *x2, double *normal, double *middle) {
  for (int i = 0; i < 2; ++i) middle[i] = 0.5 * (x1[i] + x2[i]);
  normal[0] = x2[1] - x1[1];
  normal[1] = x1[0] - x2[0];
}

/* The matrix of the fit of a plane to neighbours, of which one lies `step` away: xx, xy, yy. */
static inline void add_direction(const double *step, double *matrix) {
  const double weight = 1.0 / (step[0] * step[0] + step[1] * step[1]);
  matrix[0] += weight * step[0] * step[0];
  matrix[1] += weight * step[0] * step[1];
  matrix[2] += weight * step[1] * step[1];
}

/* From the centre of a cell at a wall to that of its image behind the wall. */
static inline void step_through_wall(const double *middle, const double *normal, const double *centre, double *step) {
  const double square = normal[0] * normal[0] + normal[1] * normal[1];
  const double distance = ((middle[0] - centre[0]) * normal[0] + (middle[1] - centre[1]) * normal[1]) / square;
  for (int i = 0; i < 2; ++i) step[i] = 2.0 * distance * normal[i];
}

/* Edges, boundary edges: what decides on the fit. */
static inline void direction_of_edge(const double *centre1, const double *centre2, double *matrix1, double *matrix2) {
  const double step[2] = {centre2[0] - centre1[0], centre2[1] - centre1[1]};
  add_direction(step, matrix1);
  add_direction(step, matrix2);
}
static inline void direction_of_wall(const double *middle, const double *normal, const double *centre, double *matrix) {
  double step[2];
  step_through_wall(middle, normal, centre, step);
  add_direction(step, matrix);
}

/* Cells: the inverse of the symmetric matrix. */
static inline void invert(double *matrix) {
  const double xx = matrix[0], xy = matrix[1], yy = matrix[2], inverse = 1.0 / (xx * yy - xy * xy);
  matrix[0] = yy * inverse;
  matrix[1] = -xy * inverse;
  matrix[2] = xx * inverse;
}

/* The fields of a state. */
static inline void fields_of(const double *state, double bottom, double *out) {
  const double inverse = state[0] > dry ? 1.0 / state[0] : 0.0;
  out[SURFACE] = state[0] + bottom;
  out[DEPTH] = state[0];
  out[U] = state[1] * inverse;
  out[V] = state[2] * inverse;
}

/* Edges: differences for the slopes, none where one of the cells is dry. */
static inline void slopes_of_edge(const double *centre1, const double *centre2, const double *state1,
                                  const double *state2, const double *bottom1, const double *bottom2, double *slope1,
                                  double *slope2) {
  if (state1[0] <= dry || state2[0] <= dry) return;
  double w1[FIELDS], w2[FIELDS];
  fields_of(state1, *bottom1, w1);
  fields_of(state2, *bottom2, w2);
  const double step[2] = {centre2[0] - centre1[0], centre2[1] - centre1[1]};
  const double weight = 1.0 / (step[0] * step[0] + step[1] * step[1]);
  for (int f = 0; f < FIELDS; ++f)
    for (int i = 0; i < 2; ++i) {
      const double part = weight * step[i] * (w2[f] - w1[f]);
      slope1[2 * f + i] += part;
      slope2[2 * f + i] += part;
    }
}

/* Boundary edges: behind a wall is the image of the cell. */
static inline void slopes_of_wall(const double *middle, const double *normal, const double *centre, const double *state,
                                  const double *bottom, double *slope) {
  if (state[0] <= dry) return;
  double w[FIELDS], step[2];
  fields_of(state, *bottom, w);
  step_through_wall(middle, normal, centre, step);
  const double weight = 1.0 / (step[0] * step[0] + step[1] * step[1]);
  const double towards = 2.0 * weight * (w[U] * step[0] + w[V] * step[1]); /* the image moves the other way */
  for (int i = 0; i < 2; ++i) {
    slope[2 * U + i] -= weight * step[i] * towards * step[0];
    slope[2 * V + i] -= weight * step[i] * towards * step[1];
  }
}

/* Cells: the slopes of the planes that fit best. */
static inline void fit(const double *inverse, double *slope) {
  for (int f = 0; f < FIELDS; ++f) {
    const double x = slope[2 * f], y = slope[2 * f + 1];
    slope[2 * f] = inverse[0] * x + inverse[1] * y;
    slope[2 * f + 1] = inverse[1] * x + inverse[2] * y;
  }
}

/* The change on the way to the edge, unless it leads far away from the neighbour's value or beyond it. */
static inline double limited(double change, double ahead, double far) {
  return fmax(fmin(change, fmax(ahead, 0.0) + far), fmin(ahead, 0.0) - far);
}

/* The flux through a unit of length between two states (depth, velocity across, velocity along the edge) in the same
 * directions: (water, momentum across, momentum along). Returns the largest speed of a signal. */
static inline double hllc(const double *w1, const double *w2, double *out) {
  const double c1 = sqrt(gravity * w1[0]), c2 = sqrt(gravity * w2[0]);
  const double middle = 0.5 * (w1[1] + w2[1]) + c1 - c2;
  const double spread = fmax(0.0, 0.5 * (c1 + c2) + 0.25 * (w1[1] - w2[1]));
  double slow = fmin(w1[1] - c1, middle - spread), fast = fmax(w2[1] + c2, middle + spread);
  if (w1[0] <= 0.0) { /* water runs onto dry ground with twice the speed of waves */
    slow = w2[1] - 2.0 * c2;
    fast = w2[1] + c2;
  }
  if (w2[0] <= 0.0) {
    slow = w1[1] - c1;
    fast = w1[1] + 2.0 * c1;
  }
  slow = fmin(slow, 0.0);
  fast = fmax(fast, 0.0);
  const double inverse = fast > slow ? 1.0 / (fast - slow) : 0.0;
  const double m1 = w1[0] * w1[1], m2 = w2[0] * w2[1];
  const double p1 = 0.5 * gravity * w1[0] * w1[0], p2 = 0.5 * gravity * w2[0] * w2[0];
  const double water = inverse * (fast * m1 - slow * m2 + slow * fast * (w2[0] - w1[0]));
  out[0] = water;
  out[1] = inverse * (fast * (m1 * w1[1] + p1) - slow * (m2 * w2[1] + p2) + slow * fast * (m2 - m1));
  out[2] = water * (water > 0.0 ? w1[2] : w2[2]); /* what flows takes its velocity along the edge with it */
  return fmax(fast, -slow);
}

/* Edges: what flows from cell 1 to cell 2 leaves the one and enters the other. The pressure of a cell's own water
 * stands on all of its sides and cancels, so only the difference from it counts, which is nothing for water at rest. */
static inline void flux_of_edge(const double *normal, const double *middle, const double *centre1,
                                const double *centre2, const double *state1, const double *state2,
                                const double *bottom1, const double *bottom2, const double *slope1,
                                const double *slope2, double *res1, double *res2, double *speed1, double *speed2) {
  double w1[FIELDS], w2[FIELDS], at1[FIELDS], at2[FIELDS], flux[3];
  fields_of(state1, *bottom1, w1);
  fields_of(state2, *bottom2, w2);
  const double way1[2] = {middle[0] - centre1[0], middle[1] - centre1[1]};
  const double way2[2] = {middle[0] - centre2[0], middle[1] - centre2[1]};
  const double on = state1[0] > dry && state2[0] > dry ? 1.0 : 0.0;
  const double shallow = smooth * fmin(w1[DEPTH], w2[DEPTH]), slow = sqrt(gravity * smooth * shallow);
  const double far[FIELDS] = {shallow, shallow, slow, slow};
  for (int f = 0; f < FIELDS; ++f) { /* at the edge */
    const double ahead = w2[f] - w1[f];
    at1[f] = w1[f] + on * limited(slope1[2 * f] * way1[0] + slope1[2 * f + 1] * way1[1], ahead, far[f]);
    at2[f] = w2[f] + on * limited(slope2[2 * f] * way2[0] + slope2[2 * f + 1] * way2[1], -ahead, far[f]);
  }
  at1[DEPTH] = fmin(at1[DEPTH], 2.0 * w1[DEPTH]); /* no cell gives more than it has, up to the Courant number 1/2 */
  at2[DEPTH] = fmin(at2[DEPTH], 2.0 * w2[DEPTH]);
  const double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1]);
  const double nx = normal[0] / length, ny = normal[1] / length;
  const double bottom = fmax(at1[SURFACE] - at1[DEPTH], at2[SURFACE] - at2[DEPTH]);
  const double side1[3] = {fmax(0.0, at1[SURFACE] - bottom), at1[U] * nx + at1[V] * ny, at1[V] * nx - at1[U] * ny};
  const double side2[3] = {fmax(0.0, at2[SURFACE] - bottom), at2[U] * nx + at2[V] * ny, at2[V] * nx - at2[U] * ny};
  const double speed = hllc(side1, side2, flux);
  *speed1 += length * speed;
  *speed2 += length * speed;

  const double p1 =
      0.5 * gravity * ((at1[DEPTH] + w1[DEPTH]) * (at1[SURFACE] - w1[SURFACE]) - side1[0] * side1[0]) + flux[1];
  const double p2 =
      0.5 * gravity * ((at2[DEPTH] + w2[DEPTH]) * (at2[SURFACE] - w2[SURFACE]) - side2[0] * side2[0]) + flux[1];
  res1[0] += length * flux[0];
  res1[1] += normal[0] * p1 - normal[1] * flux[2];
  res1[2] += normal[1] * p1 + normal[0] * flux[2];
  res2[0] -= length * flux[0];
  res2[1] -= normal[0] * p2 - normal[1] * flux[2];
  res2[2] -= normal[1] * p2 + normal[0] * flux[2];
}

/* Boundary edges: nothing passes a wall; the pressure there is that of water that has been stopped by a wave. */
static inline void flux_of_wall(const double *normal, const double *state, double *res, double *speed) {
  const double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1]);
  const double inverse = state[0] > dry ? 1.0 / state[0] : 0.0;
  const double across = inverse * (state[1] * normal[0] + state[2] * normal[1]) / length;
  const double c = sqrt(gravity * state[0]), stopped = fmax(0.0, c + 0.5 * across), square = stopped * stopped;
  const double p = 0.5 * (square * square / gravity - gravity * state[0] * state[0]);
  *speed += length * (fabs(across) + c);
  res[1] += normal[0] * p;
  res[2] += normal[1] * p;
}

/* Cells: the state before a time step; and the largest step that all cells can take. */
static inline void begin_step(const double *state, const double *area, const double *speed, double *old, double *dt) {
  for (int i = 0; i < 3; ++i) old[i] = state[i];
  if (*speed > 0.0) *dt = fmin(*dt, courant * *area / *speed);
}

/* Cells: a stage of the method of two stages that keeps what a single step keeps (SSP-RK2). */
static inline void stage(const double *old, const double *area, const double *dt, const double *weight, double *state,
                         double *res, double *speed, double *slope) {
  for (int i = 0; i < 3; ++i) {
    state[i] = (1.0 - *weight) * old[i] + *weight * (state[i] - *dt * res[i] / *area);
    res[i] = 0.0;
  }
  if (state[0] <= dry) state[1] = state[2] = 0.0;
  for (int i = 0; i < 2 * FIELDS; ++i) slope[i] = 0.0;
  *speed = 0.0;
}

/* Cells: the water that there is, and the least depth. */
static inline void total(const double *area, const double *state, double *water, double *least) {
  *water += *area * state[0];
  *least = fmin(*least, state[0]);
}

/* Cells: what there is to look at. */
static inline void appearance(const double *state, const double *bottom, double *surface, double *speed) {
  double w[FIELDS];
  fields_of(state, *bottom, w);
  *surface = w[SURFACE];
  *speed = sqrt(w[U] * w[U] + w[V] * w[V]);
}

#endif

/* SPDX-License-Identifier: MIT */
