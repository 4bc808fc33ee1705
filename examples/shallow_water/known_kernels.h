/* known_kernels.h: four flows that are known at all times: where they begin, and how far the solver is from them.
 *
 * `lake`: water at rest with an island. `wave`: a low standing wave between four walls. `dam`: a dam at x = 1/2 breaks,
 * with water or dry ground behind it (Stoker, Ritter). `basin`: water runs around in a bowl with a parabolic bottom,
 * its surface a plane (Thacker, J. Fluid Mech. 107, 1981). */
#ifndef OP2_EXAMPLES_KNOWN_KERNELS_H
#define OP2_EXAMPLES_KNOWN_KERNELS_H

#include "shallow_kernels.h"

static double lake_level;
static double wave_depth, wave_height, wave_angular;    /* of the still water; of the wave; its angular frequency */
static double dam_high, dam_low;                        /* depth before and behind the dam */
static double dam_depth, dam_velocity, dam_shock;       /* of the water between the waves; speed of the front */
static double basin_depth, basin_offset, basin_angular; /* at the middle; of the water's centre; its angular velocity */

static inline double hill(const double *x, double mx, double my, double width) {
  const double dx = x[0] - mx, dy = x[1] - my;
  return exp(-(dx * dx + dy * dy) / (width * width));
}

/* Cells: the lake. */
static inline void begin_lake(const double *centre, double *state, double *bottom) {
  *bottom = 0.8 * hill(centre, 0.4, 0.6, 0.2) + 0.3 * hill(centre, 0.75, 0.25, 0.15) + 0.1 * sin(15.0 * centre[0]);
  state[0] = fmax(0.0, lake_level - *bottom);
  state[1] = state[2] = 0.0;
}
/* The largest change of the surface where there is water, the largest momentum; how much of the ground is dry. */
static inline void lake_error(const double *area, const double *state, const double *bottom, double *surface,
                              double *momentum, double *dry_area) {
  if (state[0] > dry) *surface = fmax(*surface, fabs(state[0] + *bottom - lake_level));
  if (state[0] <= dry) *dry_area += *area;
  *momentum = fmax(*momentum, fmax(fabs(state[1]), fabs(state[2])));
}

/* Depth over that of still water, relative to the height of the wave; momentum in the same unit times the wave's speed.
 */
static inline void wave(const double *x, double time, double *out) {
  const double pi = acos(-1.0);
  out[0] = cos(pi * x[0]) * cos(pi * x[1]) * cos(wave_angular * time);
  out[1] = sqrt(0.5) * sin(pi * x[0]) * cos(pi * x[1]) * sin(wave_angular * time);
  out[2] = sqrt(0.5) * cos(pi * x[0]) * sin(pi * x[1]) * sin(wave_angular * time);
}
static inline void begin_wave(const double *centre, double *state, double *bottom) {
  double w[3];
  wave(centre, 0.0, w);
  *bottom = 0.0;
  state[0] = wave_depth + wave_height * w[0];
  state[1] = state[2] = 0.0;
}
/* Sums over the area of the difference in depth and in momentum, in the units of the wave. */
static inline void wave_error(const double *centre, const double *area, const double *state, const double *time,
                              double *depth, double *momentum) {
  double w[3];
  wave(centre, *time, w);
  const double inverse = 1.0 / (wave_height * sqrt(gravity * wave_depth));
  *depth += *area * fabs((state[0] - wave_depth) / wave_height - w[0]);
  *momentum += *area * (fabs(state[1] * inverse - w[1]) + fabs(state[2] * inverse - w[2]));
}

/* Depth and velocity in the x direction; waves run from the dam with x / time constant. */
static inline void dam(double x, double time, double *out) {
  const double c = sqrt(gravity * dam_high), place = x - 0.5;
  const double head = -c * time, tail = (dam_velocity - sqrt(gravity * dam_depth)) * time, front = dam_shock * time;
  out[0] = place < head ? dam_high : place > front ? dam_low : dam_depth;
  out[1] = place < head || place > front ? 0.0 : dam_velocity;
  if (place >= head && place < tail) {
    const double ray = place / time, wave = (2.0 * c - ray) * (1.0 / 3.0);
    out[0] = wave * wave / gravity;
    out[1] = 2.0 * (c - wave);
  }
}
static inline void begin_dam(const double *centre, double *state, double *bottom) {
  double w[2];
  dam(centre[0], 0.0, w);
  *bottom = 0.0;
  state[0] = w[0];
  state[1] = w[0] * w[1];
  state[2] = 0.0;
}
/* Sums over the area of the difference in depth and in momentum. */
static inline void dam_error(const double *centre, const double *area, const double *state, const double *time,
                             double *depth, double *momentum) {
  double w[2];
  dam(centre[0], *time, w);
  *depth += *area * fabs(state[0] - w[0]);
  *momentum += *area * (fabs(state[1] - w[0] * w[1]) + fabs(state[2]));
}

/* Depth and velocity; the bowl has radius 1, the water's centre runs around its middle. */
static inline void basin(const double *x, double time, double *out) {
  const double cx = basin_offset * cos(basin_angular * time), cy = basin_offset * sin(basin_angular * time);
  const double dx = x[0] - cx, dy = x[1] - cy;
  out[0] = fmax(0.0, basin_depth * (1.0 - dx * dx - dy * dy));
  out[1] = -basin_angular * cy;
  out[2] = basin_angular * cx;
}
static inline void begin_basin(const double *centre, double *state, double *bottom) {
  double w[3];
  basin(centre, 0.0, w);
  *bottom = basin_depth * (centre[0] * centre[0] + centre[1] * centre[1] - 1.0);
  state[0] = w[0];
  state[1] = w[0] * w[1];
  state[2] = w[0] * w[2];
}
static inline void basin_error(const double *centre, const double *area, const double *state, const double *time,
                               double *depth, double *momentum) {
  double w[3];
  basin(centre, *time, w);
  *depth += *area * fabs(state[0] - w[0]);
  *momentum += *area * (fabs(state[1] - w[0] * w[1]) + fabs(state[2] - w[0] * w[2]));
}

#endif

/* SPDX-License-Identifier: MIT */
