/* euler_kernels.h: the kernels of the Euler solver on polyhedra, for C and C++.
 *
 * A gas without friction: dU/dt + div F(U) = 0 for the states U = (density, momentum [3], energy), all per volume. The
 * states are means over cells; faces carry the flux between two cells, so that nothing is lost. Lengths are the mesh's,
 * density and speed of sound of the free stream are 1. */
#ifndef OP2_EXAMPLES_EULER_KERNELS_H
#define OP2_EXAMPLES_EULER_KERNELS_H

#include <math.h>

#include "geometry_kernels.h"

static double heat_ratio;                  /* of specific heats */
static double far_state[5];                /* the free stream */
static double far_flow[5];                 /* the same as density, velocity [3], pressure */
static double spot_density, spot_pressure; /* at the start: relative rise at the centre of a spot */
static double spot_centre[3], spot_width;
static double small_square; /* limiter: differences whose square is below this are smooth */

/* density, velocity [3], pressure */
static inline void primitive(const double *state, double *out) {
  const double inverse = 1.0 / state[0];
  out[0] = state[0];
  for (int i = 1; i < 4; ++i) out[i] = state[i] * inverse;
  out[4] = (heat_ratio - 1.0) * (state[4] - 0.5 * state[0] * dot3(&out[1], &out[1]));
}

/* How much there is of the spot at a point that moves with the free stream. */
static inline double spot(const double *x, double time) {
  double square = 0.0;
  for (int i = 0; i < 3; ++i) {
    const double distance = x[i] - spot_centre[i] - time * far_flow[1 + i];
    square += distance * distance;
  }
  return exp(-square / (spot_width * spot_width));
}

/* Cells: the free stream with the spot. Finds the smallest cell. */
static inline void start(const double *centre, const double *volume, double *state, double *smallest) {
  const double rise = spot(centre, 0.0), density = far_flow[0] * (1.0 + spot_density * rise);
  const double pressure = far_flow[4] * (1.0 + spot_pressure * rise);
  state[0] = density;
  for (int i = 1; i < 4; ++i) state[i] = density * far_flow[i];
  state[4] = pressure / (heat_ratio - 1.0) + 0.5 * density * dot3(&far_flow[1], &far_flow[1]);
  *smallest = fmin(*smallest, *volume);
}

/* Largest speed of a signal through a face, times its area. */
static inline double signal(const double *state, const double *normal) {
  double w[5];
  primitive(state, w);
  return fabs(dot3(&w[1], normal)) + sqrt(heat_ratio * w[4] / w[0] * dot3(normal, normal));
}

/* Faces, boundary faces: what decides on the time step. */
static inline void speed_of_face(const double *normal, const double *left, const double *right, double *speed_left,
                                 double *speed_right) {
  const double from_left = signal(left, normal), from_right = signal(right, normal);
  const double speed = fmax(from_left, from_right);
  *speed_left += speed;
  *speed_right += speed;
}
static inline void speed_of_boundary(const double *normal, const double *state, double *speed) {
  *speed += signal(state, normal);
}

/* Cells: remember the state from before a time step. `step` is the time step per volume, dt the smallest time step. */
static inline void begin_step(const double *state, const double *speed, const double *volume, const double *courant,
                              double *old, double *step, double *dt) {
  for (int i = 0; i < 5; ++i) old[i] = state[i];
  *step = 2.0 * *courant / *speed;
  *dt = fmin(*dt, *step * *volume);
}

/* Cells: the same time step for all of them. */
static inline void same_step(const double *volume, const double *dt, double *step) { *step = *dt / *volume; }

/* What the gas with state w (primitive) carries through an area with unit normal. */
static inline void carried(const double *w, const double *unit, double velocity, double energy, double *out) {
  out[0] = w[0] * velocity;
  for (int i = 0; i < 3; ++i) out[1 + i] = w[0] * velocity * w[1 + i] + w[4] * unit[i];
  out[4] = (energy + w[4]) * velocity;
}

/* Flux between two states (Toro's HLLC; wave speeds of Davis), l and r primitive, from l to r through an area. */
static inline void hllc(const double *l, const double *r, const double *normal, double *flux) {
  const double area = sqrt(dot3(normal, normal)), inverse = area > 0.0 ? 1.0 / area : 0.0;
  const double unit[3] = {normal[0] * inverse, normal[1] * inverse, normal[2] * inverse};
  const double vl = dot3(&l[1], unit), vr = dot3(&r[1], unit);
  const double cl = sqrt(heat_ratio * l[4] / l[0]), cr = sqrt(heat_ratio * r[4] / r[0]);
  const double first = fmin(vl - cl, vr - cr), last = fmax(vl + cl, vr + cr);
  const double ml = l[0] * (first - vl), mr = r[0] * (last - vr);
  const double contact = (r[4] - l[4] + vl * ml - vr * mr) / (ml - mr);
  const int leftwards = contact < 0.0; /* the state on the right side of the contact is the one at the face */
  double w[5];
  for (int i = 0; i < 5; ++i) w[i] = leftwards ? r[i] : l[i];
  const double v = leftwards ? vr : vl, wave = leftwards ? last : first;
  const double passes = leftwards ? fmax(last, 0.0) : fmin(first, 0.0);
  const double energy = w[4] / (heat_ratio - 1.0) + 0.5 * w[0] * dot3(&w[1], &w[1]);
  const double density = w[0] * (wave - v) / (wave - contact), push = contact - v; /* between wave and contact */
  carried(w, unit, v, energy, flux);
  flux[0] += passes * (density - w[0]);
  for (int i = 0; i < 3; ++i) flux[1 + i] += passes * (density * (w[1 + i] + push * unit[i]) - w[0] * w[1 + i]);
  flux[4] += passes * (density * (energy / w[0] + push * (contact + w[4] / (w[0] * (wave - v)))) - energy);
  for (int i = 0; i < 5; ++i) flux[i] *= area;
}

/* Faces, boundary faces: sums for the slopes [5][3] of density, velocity, pressure. */
static inline void slopes_of_face(const double *left, const double *right, const double *state_left,
                                  const double *state_right, double *slope_left, double *slope_right) {
  const double d[3] = {right[0] - left[0], right[1] - left[1], right[2] - left[2]};
  const double weight = 1.0 / dot3(d, d);
  double l[5], r[5];
  primitive(state_left, l);
  primitive(state_right, r);
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 3; ++j) {
      const double share = weight * (r[i] - l[i]) * d[j];
      slope_left[3 * i + j] += share;
      slope_right[3 * i + j] += share;
    }
}
static inline void slopes_of_boundary(const double *normal, const double *bcentre, const int *kind,
                                      const double *centre, const double *state, double *slope) {
  double unit[3], d[3], w[5], step[5];
  mirrored(normal, bcentre, centre, unit, d);
  primitive(state, w);
  const double weight = 1.0 / dot3(d, d), through = 2.0 * dot3(&w[1], unit);
  const int far = *kind == FAR_FIELD;
  for (int i = 0; i < 5; ++i) step[i] = far ? far_flow[i] - w[i] : 0.0;
  for (int i = 0; i < 3; ++i) step[1 + i] = far ? step[1 + i] : -through * unit[i];
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 3; ++j) slope[3 * i + j] += weight * step[i] * d[j];
}

/* Cells: the slopes that fit best. */
static inline void fit(const double *inverse, double *slope) {
  for (int i = 0; i < 5; ++i) {
    const double x = slope[3 * i], y = slope[3 * i + 1], z = slope[3 * i + 2];
    slope[3 * i] = inverse[0] * x + inverse[3] * y + inverse[4] * z;
    slope[3 * i + 1] = inverse[3] * x + inverse[1] * y + inverse[5] * z;
    slope[3 * i + 2] = inverse[4] * x + inverse[5] * y + inverse[2] * z;
  }
}

/* Go from the middle of a cell towards a face along limited slopes (van Albada's limiter). `ahead`: to the middle of
 * the cell beyond the face; other: the state there. Density and pressure stay well above zero. */
static inline void extrapolate(const double *slope, const double *centre, const double *fcentre, const double *ahead,
                               const double *other, double *w) {
  double out[5];
  const double way[3] = {fcentre[0] - centre[0], fcentre[1] - centre[1], fcentre[2] - centre[2]};
  for (int i = 0; i < 5; ++i) {
    const double front = other[i] - w[i], back = 2.0 * dot3(&slope[3 * i], ahead) - front;
    const double product = front * back + small_square;
    const double limit = product > 0.0 ? 2.0 * product / (front * front + back * back + 2.0 * small_square) : 0.0;
    out[i] = w[i] + limit * dot3(&slope[3 * i], way);
  }
  const int sound = out[0] > 0.2 * w[0] && out[4] > 0.2 * w[4];
  for (int i = 0; i < 5; ++i) w[i] = sound ? out[i] : w[i];
}

/* Faces: what flows from the left to the right cell; first order when there are no slopes. */
static inline void flux_of_face(const double *normal, const double *left, const double *right, const double *fcentre,
                                const double *centre_left, const double *centre_right, const double *slope_left,
                                const double *slope_right, double *res_left, double *res_right) {
  double l[5], r[5], flux[5];
  primitive(left, l);
  primitive(right, r);
  if (slope_left) {
    double ahead[3], back[3], old[5];
    for (int i = 0; i < 3; ++i) {
      ahead[i] = centre_right[i] - centre_left[i];
      back[i] = -ahead[i];
    }
    for (int i = 0; i < 5; ++i) old[i] = l[i];
    extrapolate(slope_left, centre_left, fcentre, ahead, r, l);
    extrapolate(slope_right, centre_right, fcentre, back, old, r);
  }
  hllc(l, r, normal, flux);
  for (int i = 0; i < 5; ++i) {
    res_left[i] += flux[i];
    res_right[i] -= flux[i];
  }
}

/* Boundary faces: what leaves; the force on walls. */
static inline void flux_of_boundary(const double *normal, const int *kind, const double *state, double *res,
                                    double *leaving, double *force) {
  double w[5], flux[5];
  primitive(state, w);
  if (*kind == FAR_FIELD) {
    hllc(w, far_flow, normal, flux);
  } else {
    flux[0] = flux[4] = 0.0;
    for (int i = 0; i < 3; ++i) flux[1 + i] = w[4] * normal[i];
  }
  for (int i = 0; i < 5; ++i) {
    res[i] += flux[i];
    leaving[i] += flux[i];
  }
  if (*kind == WALL)
    for (int i = 0; i < 3; ++i) force[i] += flux[1 + i];
}

/* Cells: one stage of a Runge-Kutta scheme. The residual is measured by what flows through a cell. */
static inline void update(const double *old, const double *step, const double *speed, const double *weight,
                          double *state, double *res, double *slope, double *square, double *largest) {
  for (int i = 0; i < 5; ++i) {
    const double relative = fabs(res[i]) / *speed;
    if (relative > *largest) *largest = relative;
    *square += relative * relative;
    state[i] = old[i] - *weight * *step * res[i];
    res[i] = 0.0;
  }
  if (slope)
    for (int i = 0; i < 15; ++i) slope[i] = 0.0;
}

/* Cells: ready for the next sum. */
static inline void clear(double *speed) { *speed = 0.0; }

// Momentum over density.
static inline void velocity_of(const double *state, double *velocity) {
  for (int i = 0; i < 3; ++i) velocity[i] = state[1 + i] / state[0];
}

/* Boundary faces: what there is to look at in the cell behind: pressure coefficient, Mach number. */
static inline void appearance(const double *state, double *coefficient, double *mach) {
  double w[5];
  primitive(state, w);
  *coefficient = (w[4] - far_flow[4]) / (0.5 * far_flow[0] * dot3(&far_flow[1], &far_flow[1]));
  *mach = sqrt(dot3(&w[1], &w[1]) * w[0] / (heat_ratio * w[4]));
}

/* Cells: how much there is of everything; the largest difference from the free stream. */
static inline void total(const double *volume, const double *state, double *sum, double *volumes, double *difference) {
  for (int i = 0; i < 5; ++i) {
    sum[i] += *volume * state[i];
    *difference = fmax(*difference, fabs(state[i] - far_state[i]));
  }
  *volumes += *volume;
}

/* Cells: the density against that of the spot where the free stream has carried it, squared, over the volume. */
static inline void spot_error(const double *centre, const double *volume, const double *state, const double *time,
                              double *square) {
  const double error = state[0] - far_flow[0] * (1.0 + spot_density * spot(centre, *time));
  *square += *volume * error * error;
}

#endif

/* SPDX-License-Identifier: MIT */
