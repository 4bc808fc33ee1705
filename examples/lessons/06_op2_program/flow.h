// For each edge: what flows from one node to the other.
inline void flow(const double *u1, const double *u2, double *du1, double *du2) {
  double f = rate * (u1[0] - u2[0]);
  du1[0] -= f;
  du2[0] += f;
}

/* SPDX-License-Identifier: MIT */
