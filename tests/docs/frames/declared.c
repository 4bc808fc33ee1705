/* A program with a mesh declared, for fragments of the pages. */
#include <op2/hdf5.h>
#include <op2/op2.h>

extern op_set cells, edges, nodes;
extern op_map edge_to_cells, cell_to_nodes, edge_to_nodes;
extern op_dat p_x, p_c, q, res, area;

static void centre(const double *const *x, double *c) { c[0] = x[0][0], c[1] = x[0][1]; }

void fragment(void);
void fragment(void) {
  block
}

/* SPDX-License-Identifier: MIT */
