/* A function of the program with the name of one of the language. */
double erf_(const double *x) { return -*x; }

/* SPDX-License-Identifier: MIT */
