/* A program with a mesh declared, for concepts.md. */
#include <op2/op2.h>

extern op_set edges;
extern op_map edge_nodes, edge_cells;
extern op_dat x, res, len;
extern double total;

static void flux(const double *x, double *res, const double *len, double *total) { *res += *x * *len, *total += *x; }

void fragment(void);
void fragment(void) {
  block
}

/* SPDX-License-Identifier: MIT */
