static double gam = 2;
double *other_gam() { return &gam; }

// SPDX-License-Identifier: MIT
