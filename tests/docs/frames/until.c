/* Loops that stop early, for until.md. */
#include <op2/op2.h>
#include <op2/until.h>

extern op_set cells;
extern op_map cell_nodes;
extern op_dat t, heat;
extern double limit;

void find_hot(const double *value, const double *most, double *sum, int *stop);
void fragment(void);
void fragment(void) {
  block
}
// SPDX-License-Identifier: MIT
