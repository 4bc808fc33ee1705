/* plasma_kernels.h: the kernels of the plasma example, for C and C++.
 *
 * Electrons move through ions that rest and are as many as they. The potential phi is linear in each triangle:
 *   div grad phi = n - 1, d/dn phi = 0 at the walls,
 * where 1 is the density of the ions and n that of the electrons, charge and mass of an electron are 1, and so is the
 * angular frequency in which a cold plasma swings. Electrons are drawn along grad phi, and what each lays onto the
 * nodes are the same weights with which it feels the potential there, so that no energy is lost or made but by the time
 * steps. */
#ifndef OP2_EXAMPLES_PLASMA_KERNELS_H
#define OP2_EXAMPLES_PLASMA_KERNELS_H

#include <math.h>

static double swing; /* how far electrons are from their place of rest at the start, at most */

/* Cells: the area, and the weight of each node at a point, shape[3 k] + shape[3 k + 1] x + shape[3 k + 2] y. */
static inline void measure(const double **x, double *area, double *shape) {
  const double ax = x[1][0] - x[0][0], ay = x[1][1] - x[0][1], bx = x[2][0] - x[0][0], by = x[2][1] - x[0][1];
  const double twice = ax * by - ay * bx;
  *area = 0.5 * twice;
  for (int k = 0; k < 3; ++k) {
    const double *const a = x[(k + 1) % 3], *const b = x[(k + 2) % 3];
    shape[3 * k] = (a[0] * b[1] - a[1] * b[0]) / twice;
    shape[3 * k + 1] = (a[1] - b[1]) / twice;
    shape[3 * k + 2] = (b[0] - a[0]) / twice;
  }
}

/* The weights of the nodes at a point. */
static inline void weights(const double *shape, const double *x, double *out) {
  for (int k = 0; k < 3; ++k) out[k] = shape[3 * k] + shape[3 * k + 1] * x[0] + shape[3 * k + 2] * x[1];
}

/* ---- electrons ---- */

/* From the place of rest to where it is at the start. */
static inline void displace(const double *rest, double *x, double *v) {
  x[0] = rest[0] + swing * sin(M_PI * rest[0]);
  x[1] = rest[1];
  v[0] = v[1] = 0.0;
}

/* To the neighbour opposite to the node with the least weight, if that is below what rounding makes of a side. beside:
 * across the sides 01, 12, 20, as op_decl_neighbours() has them. */
static inline void walk(const double *x, const double *shape, const long long *beside, long long *next) {
  double w[3], least = -1e-12;
  weights(shape, x, w);
  *next = OP_PARTICLE_ARRIVED;
  for (int k = 0; k < 3; ++k)
    if (w[k] < least && beside[(k + 1) % 3] >= 0) {
      least = w[k];
      *next = beside[(k + 1) % 3];
    }
}

/* What a particle stands for goes to the nodes of its cell. */
static inline void deposit(const double *amount, const double *x, const double *shape, double **charge) {
  double w[3];
  weights(shape, x, w);
  for (int k = 0; k < 3; ++k) charge[k][0] -= *amount * w[k];
}

/* The velocity after a time dt of this force; and the energy of motion between the two velocities, which leapfrog
 * steps keep. */
static inline void kick(const double *amount, const double *force, const double *dt, double *v, double *energy) {
  const double old[2] = {v[0], v[1]};
  for (int i = 0; i < 2; ++i) v[i] += *dt * force[i];
  *energy += 0.5 * *amount * (old[0] * v[0] + old[1] * v[1]);
}

/* The place after a time dt; walls throw electrons back. */
static inline void drift(const double *dt, double *x, double *v) {
  for (int i = 0; i < 2; ++i) {
    x[i] += *dt * v[i];
    if (x[i] < 0.0 || x[i] > 1.0) {
      x[i] = x[i] < 0.0 ? -x[i] : 2.0 - x[i];
      v[i] = -v[i];
    }
  }
}

/* How large the swing is, all electrons together: 1 at the start. */
static inline void amplitude(const double *amount, const double *rest, const double *x, double *sum) {
  *sum += *amount * 2.0 / swing * (x[0] - rest[0]) * sin(M_PI * rest[0]);
}

/* ---- potential ---- */

/* Cells: ions lie evenly. */
static inline void lay_ions(const double *area, double **ions) {
  for (int k = 0; k < 3; ++k) ions[k][0] += *area / 3.0;
}

/* Nodes: the charge, before electrons are laid there. */
static inline void begin_charge(const double *ions, double *charge) { *charge = *ions; }

/* Nodes: all charge. */
static inline void total_charge(const double *charge, double *sum) { *sum += *charge; }

/* Cells: out += K phi. */
static inline void stiffness(const double *area, const double *shape, const double **phi, double **out) {
  double g[2] = {0.0, 0.0};
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 2; ++i) g[i] += shape[3 * k + 1 + i] * phi[k][0];
  for (int k = 0; k < 3; ++k) out[k][0] += *area * (shape[3 * k + 1] * g[0] + shape[3 * k + 2] * g[1]);
}

/* Nodes: begin of conjugate gradients; kphi becomes zero, ready for the next product. */
static inline void begin_cg(const double *charge, double *kphi, double *residual, double *direction, double *sum) {
  *residual = *charge - *kphi;
  *direction = *residual;
  *kphi = 0.0;
  *sum += *residual * *residual;
}

/* Nodes: direction . K direction */
static inline void dot(const double *direction, const double *product, double *sum) { *sum += *direction * *product; }

/* Nodes: a step along the direction. */
static inline void step_cg(const double *length, const double *direction, double *phi, double *residual,
                           double *product, double *sum) {
  *phi += *length * *direction;
  *residual -= *length * *product;
  *product = 0.0;
  *sum += *residual * *residual;
}

/* Nodes: the next direction. */
static inline void turn_cg(const double *ratio, const double *residual, double *direction) {
  *direction = *residual + *ratio * *direction;
}

/* Cells: the force on an electron, and the energy of the field. */
static inline void gradient(const double *area, const double *shape, const double **phi, double *force,
                            double *energy) {
  for (int i = 0; i < 2; ++i) {
    force[i] = 0.0;
    for (int k = 0; k < 3; ++k) force[i] += shape[3 * k + 1 + i] * phi[k][0];
  }
  *energy += 0.5 * *area * (force[0] * force[0] + force[1] * force[1]);
}

#endif

/* SPDX-License-Identifier: MIT */
