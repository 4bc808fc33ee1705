// For each node: the new value, and the sum of the squares of all changes.
inline void update(double *du, double *u, double *rms) {
  u[0] += du[0];
  rms[0] += du[0] * du[0];
  du[0] = 0.0;
}

/* SPDX-License-Identifier: MIT */
