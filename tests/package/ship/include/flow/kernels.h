// kernels.h: the kernels of solver.cpp, found in an include folder.
#pragma once
#include "gas.h"

// What flows through a face from the left cell to the right one.
static inline void flux(const double *left, const double *right, double *left_sum, double *right_sum) {
  const double p = 0.5 * (pressure(left) + pressure(right));
  for (int v = 0; v < variables; ++v) {
    left_sum[v] -= p;
    right_sum[v] += p;
  }
}

static inline void advance(double *q, const double *sum, double *change) {
  for (int v = 0; v < variables; ++v) {
    q[v] += dt * sum[v];
    *change += sum[v] < 0 ? -sum[v] : sum[v];
  }
}

/* SPDX-License-Identifier: MIT */
