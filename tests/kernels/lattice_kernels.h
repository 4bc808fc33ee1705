// Kernels of lattice, particle and graph methods, of bit operations, and of sources in flow and radiation.
#pragma once

#include <math.h>

#include <algorithm>
#include <cmath>

#include "style_math.h"

namespace lattice {

// D2Q9 collision with one relaxation time and a body force.
inline void collide_bgk(const double *f, const double *omega, const double *force, double *post) {
  double rho = 0.0, u = 0.0, v = 0.0;
  for (int d = 0; d < directions; ++d) {
    rho += f[d];
    u += cx[d] * f[d];
    v += cy[d] * f[d];
  }
  u = (u + 0.5 * force[0]) / rho;
  v = (v + 0.5 * force[1]) / rho;
  for (int d = 0; d < directions; ++d) {
    const double drive = 3.0 * weight[d] * (cx[d] * force[0] + cy[d] * force[1]);
    post[d] = f[d] + *omega * (equilibrium(d, rho, u, v) - f[d]) + (1.0 - 0.5 * *omega) * drive;
  }
}

} // namespace lattice

// Streaming on a graph: populations along an edge go to its head, those against it to its tail.
inline void stream_along_edge(const int *direction, const double *tail, const double *head, double *into_tail,
                              double *into_head) {
  const int there = direction[0];
  const int back = lattice::opposite[there];
  into_head[there] += tail[there];
  into_tail[back] += head[back];
}

// Deposit of a particle's charge and current onto the four nodes of its cell (cloud in cell).
inline void deposit_particle(const double *local, const double *charge, const double *velocity, double **density) {
  const double xi = local[0], eta = local[1];
  double w[4];
  w[0] = (1.0 - xi) * (1.0 - eta);
  w[1] = xi * (1.0 - eta);
  w[2] = (1.0 - xi) * eta;
  w[3] = xi * eta;
  for (int i = 0; i < 4; i++) {
    const double q = w[i] * (*charge);
    density[i][0] += q;
    density[i][1] += q * velocity[0];
    density[i][2] += q * velocity[1];
  }
}

// Connected components: the smaller label of an edge's ends, and how many edges still join different labels.
inline void min_label_of_edge(const int *a, const int *b, int *label, int *unsettled) {
  *label = *a < *b ? *a : *b;
  if (*a != *b) ++*unsettled;
}

#define LABEL_BINS 8

// Histogram of the cells' labels; labels out of range go to the last counter.
static inline void count_labels(const int *label, int *bins) {
  int bin = label[0];
  if (bin < 0 || bin >= LABEL_BINS) {
    bins[LABEL_BINS]++;
    return;
  }
  bins[bin]++;
}

#undef LABEL_BINS

// Two normal deviates of a cell (Box and Muller) from its own xorshift generator.
inline void draw_normal_deviates(unsigned *state, double *deviates) {
  constexpr double scale = 1.0 / 4294967296.0;
  unsigned x = *state;
  const double first = (bits::xorshift32(x) + 0.5) * scale;
  const double second = (bits::xorshift32(x) + 0.5) * scale;
  *state = x;
  const double radius = std::sqrt(-2.0 * std::log(first));
  deviates[0] = radius * std::cos(2.0 * M_PI * second);
  deviates[1] = radius * std::sin(2.0 * M_PI * second);
}

// Position of a cell on the Morton curve, and its octant on a coarse level.
inline void morton_code(const int *ijk, unsigned *code, int *octant) {
  const unsigned x = static_cast<unsigned>(ijk[0]);
  const unsigned y = static_cast<unsigned>(ijk[1]);
  const unsigned z = static_cast<unsigned>(ijk[2]);
  const unsigned m = bits::spread_by_three(x) | bits::spread_by_three(y) << 1 | bits::spread_by_three(z) << 2;
  *code = m;
  *octant = int((m >> 27) & 7u) ^ (ijk[0] & 1);
}

// Spring with a damper between the two nodes of an edge, in single precision.
static inline void spring_damper(const float *xa, const float *xb, const float *va, const float *vb,
                                 const float *rest, float *fa, float *fb)
{
  float d[3], length, stretch, speed, force;
  int i;

  for (i = 0; i < 3; i++)
    d[i] = xb[i] - xa[i];
  length = sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) + 1.0e-3f;
  stretch = (length - *rest) / *rest;
  speed = 0.0f;
  for (i = 0; i < 3; i++)
    speed += (vb[i] - va[i]) * d[i] / length;
  force = 40.0f * stretch / (1.0f + fabsf(stretch)) + 0.5f * speed;
  if (fabsf(force) > 30.f)
    force = force > 0.f ? 30.f : -30.f;
  for (i = 0; i < 3; i++) {
    fa[i] += force * d[i] / length;
    fb[i] -= force * d[i] / length;
  }
}

enum { NODE_FIXED = 1, NODE_HEATED = 2, NODE_RADIATES = 4 };

// One time step of the heat balance of a node: float data, arithmetic in double, flags as bits of an int.
inline void heat_balance(const int *flags, const float *heating, const double *dt, float *temperature, double *lost) {
  const double sigma = 5.670374419e-8;
  if (*flags & NODE_FIXED) return;
  const double t = *temperature;
  double rate = 12.0 * (293.15 - t);
  if ((*flags & NODE_HEATED) != 0) rate += double(heating[0]);
  if (*flags & NODE_RADIATES) {
    const double emitted = 0.9 * sigma * (SQR(SQR(t)) - SQR(SQR(293.15)));
    rate -= emitted;
    *lost += emitted * *dt;
  }
  *temperature = (float)(t + *dt * rate / 4.2e3);
}

// Source terms of shallow water: bed slope, Coriolis force, and Manning friction taken implicitly.
inline void shallow_water_source(const double *state, const double *slope, const double *manning, const double *dt,
                                 double *source) {
  constexpr double gravity = 9.81, dry = 1e-3, coriolis = 1.0e-4;
  const double h = state[0];
  source[0] = 0.0;
  if (h <= dry) {
    source[1] = source[2] = 0.0;
    return;
  }
  const double hu = state[1], hv = state[2];
  const double speed = std::sqrt(hu * hu + hv * hv) / h;
  const double friction = gravity * manning[0] * manning[0] * speed / std::pow(h, 4.0 / 3.0);
  const double implicit = 1.0 / (1.0 + *dt * friction);
  source[1] = (-gravity * h * slope[0] + coriolis * hv - friction * hu) * implicit;
  source[2] = (-gravity * h * slope[1] - coriolis * hu - friction * hv) * implicit;
}

// Radiative transfer through the layers of a column: intensities by group and angle, and their mean.
inline void sweep_column(const double *opacity, const double *emission, const double *incoming, double *leaving,
                         double *mean) {
  constexpr int groups = 3, angles = 4, layers = 5;
  static constexpr double mu[angles] = {0.0694318442, 0.3300094782, 0.6699905218, 0.9305681558};
  static constexpr double share[angles] = {0.1739274226, 0.3260725774, 0.3260725774, 0.1739274226};
  double intensity[groups][angles];
  for (int g = 0; g < groups; ++g) {
    mean[g] = 0.0;
    for (int a = 0; a < angles; ++a) intensity[g][a] = incoming[a];
  }
  for (int layer = 0; layer < layers; ++layer) {
    const double thickness = 1.0 / (1 + layer);
    for (int g = 0; g < groups; ++g) {
      const double tau = opacity[g] * thickness;
      for (int a = 0; a < angles; ++a) {
        const double passed = std::exp(-tau / mu[a]);
        const double after = intensity[g][a] * passed + emission[g] * (1.0 - passed);
        mean[g] += 0.5 * share[a] * (intensity[g][a] + after) / layers;
        intensity[g][a] = after;
      }
    }
  }
  for (int a = 0; a < angles; ++a) {
    leaving[a] = 0.0;
    for (int g = 0; g < groups; ++g) leaving[a] += intensity[g][a];
  }
}

/* SPDX-License-Identifier: MIT */
