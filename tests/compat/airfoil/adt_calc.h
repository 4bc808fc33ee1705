// Area over time step of a cell: the waves through its four sides.
inline double side_waves(const double *from, const double *to, double u, double v, double c) {
  double dx = to[0] - from[0];
  double dy = to[1] - from[1];
  return fabs(u * dy - v * dx) + c * sqrt(dx * dx + dy * dy);
}

inline void adt_calc(const double **x, const double *q, double *adt) {
  double ri = 1.0 / q[0];
  double u = ri * q[1];
  double v = ri * q[2];
  double c = sqrt(gam * gm1 * (ri * q[3] - 0.5 * (u * u + v * v)));
  *adt = side_waves(x[0], x[1], u, v, c);
  *adt += side_waves(x[1], x[2], u, v, c);
  *adt += side_waves(x[2], x[3], u, v, c);
  *adt += side_waves(x[3], x[0], u, v, c);
  *adt /= cfl;
}

/* SPDX-License-Identifier: MIT */
