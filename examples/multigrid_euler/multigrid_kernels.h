/* multigrid_kernels.h: the kernels of the Euler solver with several meshes, for C and C++.
 *
 * A gas without friction in two dimensions: states U = (density, momentum [2], energy) per volume, means over cells.
 * `res` of a cell is what flows out of it; a steady flow has res = force, where force is zero on the finest mesh. On a
 * coarser mesh force makes the finer one's steady flow also its own (full approximation scheme). Density and speed of
 * sound of the free stream are 1. */
#ifndef OP2_EXAMPLES_MULTIGRID_KERNELS_H
#define OP2_EXAMPLES_MULTIGRID_KERNELS_H

#include <math.h>

static double heat_ratio;   /* of specific heats */
static double courant;      /* Courant number */
static double far_state[4]; /* the free stream */
static double far_flow[4];  /* the same as density, velocity [2], pressure */
static int open_walls;      /* 1: the free stream is behind the walls, too */

/* density, velocity [2], pressure */
static inline void primitive(const double *state, double *out) {
  const double inverse = 1.0 / state[0], u = state[1] * inverse, v = state[2] * inverse;
  out[0] = state[0];
  out[1] = u;
  out[2] = v;
  out[3] = (heat_ratio - 1.0) * (state[3] - 0.5 * state[0] * (u * u + v * v));
}

/* Largest speed of a signal through a face, times its length. */
static inline double signal(const double *w, const double *normal) {
  return fabs(w[1] * normal[0] + w[2] * normal[1]) +
         sqrt(heat_ratio * w[3] / w[0] * (normal[0] * normal[0] + normal[1] * normal[1]));
}

/* The flux through a face between two flows: of the approximation by two waves and a contact between them (HLLC). */
static inline void hllc(const double *l, const double *r, const double *normal, double *flux) {
  const double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1]);
  const double nx = normal[0] / length, ny = normal[1] / length;
  const double ul = l[1] * nx + l[2] * ny, ur = r[1] * nx + r[2] * ny;
  const double cl = sqrt(heat_ratio * l[3] / l[0]), cr = sqrt(heat_ratio * r[3] / r[0]);
  const double slow = fmin(ul - cl, ur - cr), fast = fmax(ul + cl, ur + cr);
  const double ml = l[0] * (slow - ul), mr = r[0] * (fast - ur); /* what the waves meet */
  const double contact = (r[3] - l[3] + ml * ul - mr * ur) / (ml - mr);

  const int left = contact > 0.0; /* the side that the face is on */
  const double density = left ? l[0] : r[0], u = left ? l[1] : r[1], v = left ? l[2] : r[2], p = left ? l[3] : r[3];
  const double across = left ? ul : ur, wave = left ? slow : fast;
  const double energy = p / (heat_ratio - 1.0) + 0.5 * density * (u * u + v * v);
  const double outside = left ? fmin(slow, 0.0) : fmax(fast, 0.0); /* 0: the wave has left the face behind */
  const double squeezed = density * (wave - across) / (wave - contact), change = contact - across;
  const double star[4] = {squeezed, squeezed * (u + change * nx), squeezed * (v + change * ny),
                          squeezed * (energy / density + change * (contact + p / (density * (wave - across))))};
  const double state[4] = {density, density * u, density * v, energy};
  const double own[4] = {density * across, density * across * u + p * nx, density * across * v + p * ny,
                         (energy + p) * across};
  for (int i = 0; i < 4; ++i) flux[i] = length * (own[i] + outside * (star[i] - state[i]));
}

/* Faces: what flows from the left cell to the right one, and what decides on the time step. */
static inline void flux_of_face(const double *normal, const double *left, const double *right, double *res_left,
                                double *res_right, double *speed_left, double *speed_right) {
  double l[4], r[4], flux[4];
  primitive(left, l);
  primitive(right, r);
  hllc(l, r, normal, flux);
  for (int i = 0; i < 4; ++i) {
    res_left[i] += flux[i];
    res_right[i] -= flux[i];
  }
  const double from_left = signal(l, normal), from_right = signal(r, normal), speed = fmax(from_left, from_right);
  *speed_left += speed;
  *speed_right += speed;
}

/* Only pressure acts on a wall; elsewhere the free stream is outside. */
static inline void boundary_flux(const double *normal, int kind, const double *w, double *flux) {
  hllc(w, far_flow, normal, flux);
  if (kind == 1 && !open_walls) {
    flux[0] = flux[3] = 0.0;
    flux[1] = w[3] * normal[0];
    flux[2] = w[3] * normal[1];
  }
}

/* Boundary faces: what leaves; for the balance of mass, what enters and what leaves per time. */
static inline void flux_of_boundary(const double *normal, const int *kind, const double *state, double *res,
                                    double *speed) {
  double w[4], flux[4];
  primitive(state, w);
  boundary_flux(normal, *kind, w, flux);
  for (int i = 0; i < 4; ++i) res[i] += flux[i];
  *speed += signal(w, normal);
}
static inline void mass_of_boundary(const double *normal, const int *kind, const double *state, double *inflow,
                                    double *outflow) {
  double w[4], flux[4];
  primitive(state, w);
  boundary_flux(normal, *kind, w, flux);
  *inflow += fmax(0.0, -flux[0]);
  *outflow += fmax(0.0, flux[0]);
}

/* Cells: the free stream. */
static inline void begin(double *state) {
  for (int i = 0; i < 4; ++i) state[i] = far_state[i];
}

/* Cells: the state before a step. */
static inline void keep(const double *state, double *old) {
  for (int i = 0; i < 4; ++i) old[i] = state[i];
}

/* Cells: how far a flow is from being steady: the square of the change that a step would make. */
static inline void unsteady(const double *force, const double *res, const double *speed, double *square) {
  const double step = courant / *speed;
  for (int i = 0; i < 4; ++i) *square += step * step * (force[i] - res[i]) * (force[i] - res[i]);
}

/* Cells: a stage of a step in time. Each cell takes the step that it can: the way to a steady flow does not matter. */
static inline void stage(const double *old, const double *force, const double *weight, double *state, double *res,
                         double *speed) {
  const double step = *weight * courant / *speed;
  for (int i = 0; i < 4; ++i) {
    state[i] = old[i] + step * (force[i] - res[i]);
    res[i] = 0.0;
  }
  *speed = 0.0;
}

/* Cells, of a finer mesh: what they hold and what is wrong with them, for the cell that they are part of. */
static inline void restrict_cell(const double *volume, const double *state, const double *force, double *res,
                                 double *speed, double *held, double *defect) {
  for (int i = 0; i < 4; ++i) {
    held[i] += *volume * state[i];
    defect[i] += force[i] - res[i];
    res[i] = 0.0;
  }
  *speed = 0.0;
}

/* Cells, of a coarser mesh: the mean state, also to be remembered. */
static inline void begin_coarse(const double *volume, double *held, double *state, double *first) {
  for (int i = 0; i < 4; ++i) {
    state[i] = first[i] = held[i] / *volume;
    held[i] = 0.0;
  }
}

/* Cells, of a coarser mesh: a state without defect in the finer mesh would be steady here. */
static inline void set_force(double *defect, double *res, double *speed, double *force) {
  for (int i = 0; i < 4; ++i) {
    force[i] = res[i] + defect[i];
    defect[i] = res[i] = 0.0;
  }
  *speed = 0.0;
}

/* Cells, of a finer mesh: what the coarser one has changed. */
static inline void prolong(const double *first, const double *coarse, double *state) {
  for (int i = 0; i < 4; ++i) state[i] += coarse[i] - first[i];
}

/* Cells: the largest imbalance, relative to what flows through the cell; the largest difference from the free stream.
 */
static inline void imbalance(double *res, double *speed, double *largest) {
  for (int i = 0; i < 4; ++i) {
    *largest = fmax(*largest, fabs(res[i]) / *speed);
    res[i] = 0.0;
  }
  *speed = 0.0;
}
static inline void difference(const double *state, double *largest) {
  for (int i = 0; i < 4; ++i) *largest = fmax(*largest, fabs(state[i] - far_state[i]));
}

/* Cells: sums over the volume of the entropy's relative change since the free stream, and of 1. */
static inline void entropy_error(const double *volume, const double *state, double *sum, double *all) {
  double w[4];
  *all += *volume;
  primitive(state, w);
  *sum += *volume * fabs(w[3] / (far_flow[3] * pow(w[0], heat_ratio)) - 1.0);
}

/* Cells: what there is to look at. */
static inline void appearance(const double *state, double *pressure, double *mach) {
  double w[4];
  primitive(state, w);
  *pressure = w[3];
  *mach = sqrt((w[1] * w[1] + w[2] * w[2]) * w[0] / (heat_ratio * w[3]));
}

#endif

/* SPDX-License-Identifier: MIT */
