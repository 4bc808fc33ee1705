static double limit(double x) { return x; }
double other_use(double x);
double other_use(double x) { return limit(x); }

// SPDX-License-Identifier: MIT
