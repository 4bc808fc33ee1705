/* tets_kernels.h: the kernels of the transport solver on tetrahedra, for C and C++, all in single precision.
 *
 * A concentration c is carried by a flow v and spreads by diffusion: dc/dt + div(v c - D grad c) = 0, D symmetric.
 * The values live on the nodes, each surrounded by its part of the cells, a quarter of the volume of each. Edges carry
 * the flow between these parts: upwind, and second order by limited slopes. Diffusion is that of linear finite
 * elements. Everything is stated per node; edges and cells only pass on, so that nothing is lost. */
#ifndef OP2_EXAMPLES_TETS_KERNELS_H
#define OP2_EXAMPLES_TETS_KERNELS_H

#include <math.h>

#define CLOSED 1 /* kinds of the faces of the surface: a wall */
#define OPEN 2   /* what the flow brings in is known */

static float courant;      /* Courant number */
static float small_square; /* limiter: differences whose square is below this are smooth */

/* What is outside, also the exact solution when it is the same inside: a wave that travels and decays. */
static float wave_base, wave_amplitude, wave_decay;
static float wave_vector[3], wave_velocity[3];
static float wave_diffusion[6]; /* symmetric: xx yy zz xy xz yz */

static inline float wave_phase(const float *x, float time) {
  return wave_vector[0] * (x[0] - wave_velocity[0] * time) + wave_vector[1] * (x[1] - wave_velocity[1] * time) +
         wave_vector[2] * (x[2] - wave_velocity[2] * time);
}

static inline float wave_value(const float *x, float time) {
  return wave_base + wave_amplitude * expf(-wave_decay * time) * sinf(wave_phase(x, time));
}

/* normal . D grad(wave) */
static inline float wave_diffusive_flux(const float *x, float time, const float *normal) {
  const float *const D = wave_diffusion, *const k = wave_vector;
  const float slope = wave_amplitude * expf(-wave_decay * time) * cosf(wave_phase(x, time));
  return slope * (normal[0] * (D[0] * k[0] + D[3] * k[1] + D[4] * k[2]) +
                  normal[1] * (D[3] * k[0] + D[1] * k[1] + D[5] * k[2]) +
                  normal[2] * (D[4] * k[0] + D[5] * k[1] + D[2] * k[2]));
}

static inline void cross(const float *a, const float *b, float *out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Symmetric matrix times vector. */
static inline void spread(const float *D, const float *a, float *out) {
  out[0] = D[0] * a[0] + D[3] * a[1] + D[4] * a[2];
  out[1] = D[3] * a[0] + D[1] * a[1] + D[5] * a[2];
  out[2] = D[4] * a[0] + D[5] * a[1] + D[2] * a[2];
}

static inline float dot3(const float *a, const float *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Cells: gradients of the four shape functions [node][3], volume; a quarter of it for each node, and how fast
 * diffusion exchanges it. Remembers the cell that is most unlike a regular one. */
static inline void tet_geometry(const float **x, const float *D, float *shape, float *volume, float **part,
                                float **speed, const int *cell, float *quality, int *worst) {
  float e[3][3], s[4][3], q[3], longest = 0.0f;
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 3; ++i) e[k][i] = x[k + 1][i] - x[0][i];
  cross(e[1], e[2], s[1]);
  cross(e[2], e[0], s[2]);
  cross(e[0], e[1], s[3]);
  const float det = dot3(e[0], s[1]), deti = 1.0f / det, vol = fabsf(det) * (1.0f / 6.0f);
  for (int i = 0; i < 3; ++i) {
    for (int k = 1; k < 4; ++k) s[k][i] *= deti;
    s[0][i] = -(s[1][i] + s[2][i] + s[3][i]);
  }
  *volume = vol;
  for (int k = 0; k < 4; ++k) {
    spread(D, s[k], q);
    part[k][0] += 0.25f * vol;
    speed[k][0] += vol * dot3(s[k], q);
    for (int i = 0; i < 3; ++i) shape[3 * k + i] = s[k][i];
  }
  for (int k = 0; k < 3; ++k) longest = fmaxf(longest, dot3(e[k], e[k]));
  const float good = vol / (longest * sqrtf(longest));
  if (good < *quality) {
    *quality = good;
    *worst = *cell;
  }
}

/* Cells: the area between the parts of two nodes, in the direction of the edge; each cell has a piece of it. */
static inline void edge_normals(const float *shape, const float *volume, float **normal) {
  const float quarter = 0.25f * *volume;
  int edge = 0;
  for (int a = 0; a < 3; ++a)
    for (int b = a + 1; b < 4; ++b) {
      for (int i = 0; i < 3; ++i) normal[edge][i] += quarter * (shape[3 * b + i] - shape[3 * a + i]);
      ++edge;
    }
}

/* Edges: volume that flows from node 1 to node 2 per time. */
static inline void edge_flow(const float *normal, const float *v1, const float *v2, float *flow, float *speed1,
                             float *speed2) {
  *flow = 0.5f * (dot3(normal, v1) + dot3(normal, v2));
  *speed1 += 0.5f * fabsf(*flow);
  *speed2 += 0.5f * fabsf(*flow);
}

/* Nodes: the smallest time step, and the node that asks for it. */
static inline void time_step(const float *part, const float *speed, const int *node, float *dt, int *where) {
  const float own = courant * *part / *speed;
  if (own < *dt) {
    *dt = own;
    *where = *node;
  }
}

/* Nodes: remember the concentration from before a time step. */
static inline void save(const float *c, float *old) { *old = *c; }

/* Cells: what diffuses between the parts of the nodes; the gradient, for the slopes at the nodes. */
static inline void diffuse(const float **c, const float *shape, const float *volume, const float *D, float **grad,
                           float **res) {
  float g[3] = {0.0f, 0.0f, 0.0f}, q[3];
  for (int k = 0; k < 4; ++k)
    for (int i = 0; i < 3; ++i) g[i] += c[k][0] * shape[3 * k + i];
  spread(D, g, q);
  const float quarter = 0.25f * *volume;
  for (int k = 0; k < 4; ++k) {
    res[k][0] -= *volume * dot3(&shape[3 * k], q);
    for (int i = 0; i < 3; ++i) grad[k][i] += quarter * g[i];
  }
}

/* Nodes: the mean gradient of the cells around. */
static inline void average(const float *part, float *grad) {
  const float parti = 1.0f / *part;
  for (int i = 0; i < 3; ++i) grad[i] *= parti;
}

/* The mean of two differences that do not belong to a jump, else nearly nothing (van Albada's limiter). */
static inline float limited(float behind, float ahead) {
  const float product = behind * ahead + small_square;
  if (product <= 0.0f) return 0.0f;
  return product * (behind + ahead) / (behind * behind + ahead * ahead + 2.0f * small_square);
}

/* Edges: what the flow carries; first order when there are no gradients. */
static inline void flux(const float *flow, const float *x1, const float *x2, const float *c1, const float *c2,
                        const float *grad1, const float *grad2, float *res1, float *res2) {
  const float step[3] = {x2[0] - x1[0], x2[1] - x1[1], x2[2] - x1[2]};
  const float ahead = *c2 - *c1;
  float c;
  if (*flow > 0.0f) {
    c = *c1;
    if (grad1) c += 0.5f * limited(2.0f * dot3(grad1, step) - ahead, ahead);
  } else {
    c = *c2;
    if (grad2) c -= 0.5f * limited(2.0f * dot3(grad2, step) - ahead, ahead);
  }
  *res1 -= *flow * c;
  *res2 += *flow * c;
}

/* Faces of the surface: what leaves and enters. The weights 6, 1, 1 keep a linear flow free of sources. */
static inline void surface(const int *kind, const float **x, const float **v, const float **c, const float *time,
                           float **res, double *lost) {
  if (*kind == CLOSED) return;
  float e1[3], e2[3], normal[3], flow[3];
  for (int i = 0; i < 3; ++i) {
    e1[i] = x[1][i] - x[0][i];
    e2[i] = x[2][i] - x[0][i];
  }
  cross(e1, e2, normal);
  for (int i = 0; i < 3; ++i) normal[i] *= 1.0f / 6.0f; /* a third of the face for each node */
  for (int k = 0; k < 3; ++k) flow[k] = dot3(normal, v[k]);
  const float sum = flow[0] + flow[1] + flow[2];
  for (int k = 0; k < 3; ++k) {
    const float out = 0.125f * (5.0f * flow[k] + sum);
    const float carried = out > 0.0f ? c[k][0] : wave_value(x[k], *time);
    const float amount = out * carried - wave_diffusive_flux(x[k], *time, normal);
    res[k][0] -= amount;
    *lost += amount;
  }
}

/* Nodes: one stage of Heun's method; weights: of the old value, of the new one, time step. */
static inline void update(const float *old, const float *part, float *c, float *res, float *grad, const float *weights,
                          const int *node, double *mass, float *highest, int *at_highest, float *lowest,
                          int *at_lowest) {
  const float value = weights[0] * *old + weights[1] * (*c + weights[2] * *res / *part);
  *c = value;
  *res = 0.0f;
  for (int i = 0; i < 3; ++i) grad[i] = 0.0f;
  *mass += *part * value;
  if (value > *highest) {
    *highest = value;
    *at_highest = *node;
  }
  if (value < *lowest) {
    *lowest = value;
    *at_lowest = *node;
  }
}

/* Nodes: the difference from the wave: its square over the volume, the largest, and where that is. */
static inline void difference(const float *x, const float *part, const float *c, const float *time, const int *node,
                              double *square, float *largest, int *where) {
  const float error = fabsf(*c - wave_value(x, *time));
  *square += *part * error * error;
  if (error > *largest) {
    *largest = error;
    *where = *node;
  }
}

#endif

/* SPDX-License-Identifier: MIT */
