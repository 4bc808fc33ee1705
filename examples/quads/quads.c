/* quads.c: the smallest complete program: nine quadrilaterals, one loop that adds the value of each interior edge to
 * the two cells it separates. */
#include <math.h>
#include <op2/op2.h>
#include <stdio.h>

static const int edge_cells[12][2] = {{0, 1}, {1, 2}, {0, 3}, {1, 4}, {2, 5}, {3, 4},
                                      {4, 5}, {3, 6}, {4, 7}, {5, 8}, {6, 7}, {7, 8}};
static const double edge_values[12] = {3.3, 2.1, 7.4, 5.5, 7.6, 3.4, 10.5, 9.9, 8.9, 6.4, 4.4, 3.6};
static const double cell_values[9] = {0.128, 0.345, 0.224, 0.118, 0.246, 0.324, 0.112, 0.928, 0.237};
static const double expected[9] = {10.828, 11.245, 9.924, 20.818, 28.546, 24.824, 14.412, 17.828, 10.237};

static void add_edge(const double *edge, double *cell0, double *cell1) {
  *cell0 += *edge;
  *cell1 += *edge;
}

int main(int argc, char **argv) {
  if (op_init(argc, argv, 1) != OP_OK) return 2;
  const int here = op_is_root(); /* with several processes the first one declares everything */
  op_set edges = op_decl_set(here ? 12 : 0, "edges");
  op_set cells = op_decl_set(here ? 9 : 0, "cells");
  op_map neighbours = op_decl_map(edges, cells, 2, &edge_cells[0][0], "edge_cells");
  op_dat edge = op_decl_dat(edges, 1, "double", edge_values, "edge");
  op_dat cell = op_decl_dat(cells, 1, "double", cell_values, "cell");

  op_par_loop(add_edge, "add_edge", edges,
              op_arg_dat(edge, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(cell, 0, neighbours, 1, "double", OP_INC),
              op_arg_dat(cell, 1, neighbours, 1, "double", OP_INC));

  double result[9];
  int wrong = op_fetch_data(cell, result) != OP_OK;
  for (int n = 0; here && n < 9 && !wrong; ++n) {
    op_printf("cell %d: %.3f\n", n, result[n]);
    wrong = !(fabs(result[n] - expected[n]) < 1e-12);
  }
  op_printf("quads %s\n", wrong ? "FAILED" : "PASSED");
  op_exit();
  return wrong;
}

/* SPDX-License-Identifier: MIT */
