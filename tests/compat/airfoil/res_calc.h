inline void res_calc(const double *x1, const double *x2, const double *q1, const double *q2, const double *adt1,
                     const double *adt2, double *res1, double *res2) {
  double dx = x1[0] - x2[0];
  double dy = x1[1] - x2[1];
  double ri1 = 1.0 / q1[0], ri2 = 1.0 / q2[0];
  double p1 = gm1 * (q1[3] - 0.5 * ri1 * (q1[1] * q1[1] + q1[2] * q1[2]));
  double p2 = gm1 * (q2[3] - 0.5 * ri2 * (q2[1] * q2[1] + q2[2] * q2[2]));
  double vol1 = ri1 * (q1[1] * dy - q1[2] * dx);
  double vol2 = ri2 * (q2[1] * dy - q2[2] * dx);
  double mu = 0.5 * (*adt1 + *adt2) * eps;
  double f[4];
  f[0] = 0.5 * (vol1 * q1[0] + vol2 * q2[0]) + mu * (q1[0] - q2[0]);
  f[1] = 0.5 * (vol1 * q1[1] + p1 * dy + vol2 * q2[1] + p2 * dy) + mu * (q1[1] - q2[1]);
  f[2] = 0.5 * (vol1 * q1[2] - p1 * dx + vol2 * q2[2] - p2 * dx) + mu * (q1[2] - q2[2]);
  f[3] = 0.5 * (vol1 * (q1[3] + p1) + vol2 * (q2[3] + p2)) + mu * (q1[3] - q2[3]);
  for (int n = 0; n < 4; n++) {
    res1[n] += f[n];
    res2[n] -= f[n];
  }
}

/* SPDX-License-Identifier: MIT */
