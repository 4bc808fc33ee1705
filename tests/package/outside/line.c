/* line.c: a program of somebody else's that draws a streamline through two squares side by side. Usage: line EXECUTOR, the
 * one that it is expected to run on. */
#include <op2/op2.h>
#include <op2/trace.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  static const double x[6][2] = {{0, 0}, {1, 0}, {2, 0}, {0, 1}, {1, 1}, {2, 1}};
  static const int corners[2][4] = {{0, 1, 4, 3}, {1, 2, 5, 4}};
  static const double to_the_right[2][2] = {{1, 0}, {1, 0}}, seed[2] = {0.25, 0.5};
  if (op_init(argc, argv, 1) != OP_OK) return 2;
  op_set nodes = op_decl_set(6, "nodes"), cells = op_decl_set(2, "cells");
  op_map cell_nodes = op_decl_map(cells, nodes, 4, &corners[0][0], "cell_nodes");
  op_view view = op_decl_view(op_decl_dat(nodes, 2, "double", x, "x"), "squares");
  op_view_cells(view, cell_nodes, OP_CELL_QUADRILATERAL);
  op_tracer tracer = op_decl_tracer(view, op_decl_dat(cells, 2, "double", to_the_right, "velocity"));
  op_trace_params params = OP_TRACE_PARAMS;
  params.step = 0.125;
  op_lines lines = NULL;
  if (op_trace(tracer, 1, seed, &params, &lines) != OP_OK) return 3;
  const op_gindex *ends = op_lines_ints(lines, "end", NULL, NULL), *steps = op_lines_ints(lines, "steps", NULL, NULL);
  int wrong = ends[0] != OP_LINE_LEFT || steps[0] < 14; /* 1.75 / 0.125 */
  if (argc > 1 && !strstr(op_backend(), argv[1])) ++wrong;
  op_printf("line.c on %s: %s after %d steps\n", op_backend(), op_line_end_name((int)ends[0]), (int)steps[0]);
  op_lines_free(lines);
  op_exit();
  return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
