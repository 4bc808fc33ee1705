void limited(const double *x, double *y);
void limited(const double *x, double *y) { *y = *x > 5 && *x < 10 ? 5 : *x; }

// SPDX-License-Identifier: MIT
