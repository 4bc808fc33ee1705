/* A kernel of a loop that stops early, for until.md. */
void find_hot(const double *t, const double *limit, double *heat, int *stop);

block
// SPDX-License-Identifier: MIT
