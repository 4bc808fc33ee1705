/* shock_kernels.h: the kernels of lesson 2, plain functions for C and C++. Flow of a gas by finite volumes: four values
 * for each cell, density, momentum in x and in y, energy. */
#ifndef OP2_EXAMPLES_SHOCK_KERNELS_H
#define OP2_EXAMPLES_SHOCK_KERNELS_H

#include <math.h>

static const double gas = 1.4;     /* ratio of the specific heats of air */
static const double mach = 3;      /* the flow at the inlet: three times the speed of sound, which is 1 there */
static const double fastest = 4.5; /* faster than any wave in this flow: mach + 1, and some more */

static double pressure_of(const double *q) { return (gas - 1) * (q[3] - 0.5 * (q[1] * q[1] + q[2] * q[2]) / q[0]); }

/* The gas at the inlet. */
static void set_inlet(double *q) {
  q[0] = gas; /* pressure 1 and speed of sound 1 */
  q[1] = gas * mach;
  q[2] = 0;
  q[3] = 1 / (gas - 1) + 0.5 * gas * mach * mach;
}

/* What flows in one second through a face with normal n: mass, momentum, energy; n is as long as the face. */
static void flow_of(const double *n, const double *q, double *flow) {
  const double p = pressure_of(q), volume = (q[1] * n[0] + q[2] * n[1]) / q[0];
  flow[0] = volume * q[0];
  flow[1] = volume * q[1] + p * n[0];
  flow[2] = volume * q[2] + p * n[1];
  flow[3] = volume * (q[3] + p);
}

/* Faces between two cells, once: the normal from the left cell to the right one, and what the face adds to areas. */
static void measure_face(const double *a, const double *b, double *n, double *area_l, double *area_r, double *around_l,
                         double *around_r) {
  n[0] = b[1] - a[1];
  n[1] = a[0] - b[0];
  const double part = 0.25 * ((a[0] + b[0]) * n[0] + (a[1] + b[1]) * n[1]), length = sqrt(n[0] * n[0] + n[1] * n[1]);
  *area_l += part;
  *area_r -= part;
  *around_l += length;
  *around_r += length;
}

/* Faces of the boundary, once: the same with one cell; the normal points out of the mesh. */
static void measure_side(const double *a, const double *b, double *n, double *area, double *around) {
  n[0] = b[1] - a[1];
  n[1] = a[0] - b[0];
  *area += 0.25 * ((a[0] + b[0]) * n[0] + (a[1] + b[1]) * n[1]);
  *around += sqrt(n[0] * n[0] + n[1] * n[1]);
}

/* Cells, once: the longest time step in which no wave crosses a cell, and a fifth less. */
static void limit_step(const double *area, const double *around, double *dt) {
  const double longest = 1.6 * *area / (*around * fastest);
  *dt = longest < *dt ? longest : *dt;
}

static void begin(double *q) { set_inlet(q); }

/* Faces between two cells, in each step: what flows from left to right, by the method of Harten, Lax and van Leer. */
static void exchange(const double *n, const double *left, const double *right, double *gain_l, double *gain_r) {
  const double length = sqrt(n[0] * n[0] + n[1] * n[1]);
  const double sound_l = length * sqrt(gas * pressure_of(left) / left[0]);
  const double sound_r = length * sqrt(gas * pressure_of(right) / right[0]);
  const double speed_l = (left[1] * n[0] + left[2] * n[1]) / left[0];
  const double speed_r = (right[1] * n[0] + right[2] * n[1]) / right[0];
  const double back = fmin(0, fmin(speed_l - sound_l, speed_r - sound_r)); /* the slowest wave and the fastest one */
  const double front = fmax(0, fmax(speed_l + sound_l, speed_r + sound_r));
  double flow_l[4], flow_r[4];
  flow_of(n, left, flow_l);
  flow_of(n, right, flow_r);
  for (int k = 0; k < 4; ++k) {
    const double flow = (front * flow_l[k] - back * flow_r[k] + front * back * (right[k] - left[k])) / (front - back);
    gain_l[k] -= flow;
    gain_r[k] += flow;
  }
}

/* Patch inlet: the gas of the inlet flows into the cell. */
static void enter(const double *n, double *gain) {
  double q[4], flow[4];
  set_inlet(q);
  flow_of(n, q, flow); /* below zero: n points out of the mesh */
  for (int k = 0; k < 4; ++k) gain[k] -= flow[k];
}

/* Patch outlet: faster than sound, so that what is in the cell flows out and nothing comes back. */
static void leave(const double *n, const double *q, double *gain) {
  double flow[4];
  flow_of(n, q, flow);
  for (int k = 0; k < 4; ++k) gain[k] -= flow[k];
}

/* Patches floor, ramp, top: nothing flows through a wall, which presses against the gas. */
static void press(const double *n, const double *q, double *gain) {
  const double p = pressure_of(q);
  gain[1] -= p * n[0];
  gain[2] -= p * n[1];
}

/* Patch outlet, in each step: the mass that has left through each face. */
static void count(const double *n, const double *q, const double *dt, double *left) {
  *left += *dt * (q[1] * n[0] + q[2] * n[1]);
}

/* Cells, in each step: the new state. */
static void advance(const double *area, const double *dt, double *q, double *gain) {
  for (int k = 0; k < 4; ++k) {
    q[k] += *dt / *area * gain[k];
    gain[k] = 0;
  }
}

/* Sums: the mass in the channel, and that which has left. */
static void weigh(const double *area, const double *q, double *mass) { *mass += *area * q[0]; }

static void add_up(const double *left, double *mass) { *mass += *left; }

/* Sums over a wall: force and length. */
static void feel(const double *n, const double *q, double *force, double *length) {
  const double size = sqrt(n[0] * n[0] + n[1] * n[1]);
  *force += size * pressure_of(q);
  *length += size;
}

/* For the picture. */
static void show(const double *q, double *pressure) { *pressure = pressure_of(q); }

#endif

/* SPDX-License-Identifier: MIT */
