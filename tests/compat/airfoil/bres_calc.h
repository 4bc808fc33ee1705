inline void bres_calc(const double *x1, const double *x2, const double *q1, const double *adt1, double *res1,
                      const int *bound) {
  double dx = x1[0] - x2[0];
  double dy = x1[1] - x2[1];
  double ri = 1.0 / q1[0];
  double p1 = gm1 * (q1[3] - 0.5 * ri * (q1[1] * q1[1] + q1[2] * q1[2]));
  if (*bound == 1) { // wall
    res1[1] += p1 * dy;
    res1[2] -= p1 * dx;
    return;
  }
  double vol1 = ri * (q1[1] * dy - q1[2] * dx);
  double far = 1.0 / qinf[0];
  double p2 = gm1 * (qinf[3] - 0.5 * far * (qinf[1] * qinf[1] + qinf[2] * qinf[2]));
  double vol2 = far * (qinf[1] * dy - qinf[2] * dx);
  double mu = *adt1 * eps;
  res1[0] += 0.5 * (vol1 * q1[0] + vol2 * qinf[0]) + mu * (q1[0] - qinf[0]);
  res1[1] += 0.5 * (vol1 * q1[1] + p1 * dy + vol2 * qinf[1] + p2 * dy) + mu * (q1[1] - qinf[1]);
  res1[2] += 0.5 * (vol1 * q1[2] - p1 * dx + vol2 * qinf[2] - p2 * dx) + mu * (q1[2] - qinf[2]);
  res1[3] += 0.5 * (vol1 * (q1[3] + p1) + vol2 * (qinf[3] + p2)) + mu * (q1[3] - qinf[3]);
}

/* SPDX-License-Identifier: MIT */
