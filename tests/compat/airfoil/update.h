inline void update(const double *qold, double *q, double *res, const double *adt, double *rms, double *maxerr,
                   const int *index, int *errloc) {
  double adti = 1.0 / *adt;
  for (int n = 0; n < 4; n++) {
    double del = adti * res[n];
    q[n] = qold[n] - del;
    res[n] = 0.0;
    *rms += del * del;
    if (del * del > *maxerr) {
      *maxerr = del * del;
      *errloc = *index;
    }
  }
}

/* SPDX-License-Identifier: MIT */
