// A kernel of a move, for particles.md.
#include <op2/particles.h>

void weights_in_tetrahedron(const double *const *corner, const double *x, double *share);
void walk(const double *x, const double *const *corner, const long long *beside, long long *next);

block

// SPDX-License-Identifier: MIT
