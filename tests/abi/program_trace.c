/* program_trace.c: a program in C that draws streamlines, as a user writes it; see program.sh. */
#include <op2/op2.h>
#include <op2/trace.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  const double x[6][2] = {{0, 0}, {1, 0}, {2, 0}, {0, 1}, {1, 1}, {2, 1}};
  const int corners[2][4] = {{0, 1, 4, 3}, {1, 2, 5, 4}};
  const double to_the_right[2][2] = {{1, 0}, {1, 0}}, seed[2] = {0.25, 0.5};
  op_trace_params params = OP_TRACE_PARAMS;
  op_lines lines = NULL;
  char backend[64];
  op_set nodes, cells;
  op_view view;
  op_tracer tracer;
  op_gindex end = 0, steps = 0;
  double last = 0;

  op_init(argc, argv, 0);
  nodes = op_decl_set(6, "nodes");
  cells = op_decl_set(2, "cells");
  view = op_decl_view(op_decl_dat(nodes, 2, "double", x, "x"), "squares");
  op_view_cells(view, op_decl_map(cells, nodes, 4, &corners[0][0], "corners"), OP_CELL_QUADRILATERAL);
  tracer = op_decl_tracer(view, op_decl_dat(cells, 2, "double", to_the_right, "velocity"));
  params.step = 0.125;
  op_trace(tracer, 1, seed, &params, &lines);
  end = op_lines_ints(lines, "end", NULL, NULL)[0];
  steps = op_lines_ints(lines, "steps", NULL, NULL)[0];
  last = op_lines_reals(lines, "end_x", NULL, NULL)[0];
  op_lines_free(lines);
  snprintf(backend, sizeof backend, "%s", op_backend());
  op_exit();

  if (end != OP_LINE_LEFT || strcmp(op_line_end_name((int)end), "left") != 0 || steps < 14 || last != 2) {
    printf("wrong: %s after %d steps, at %g\n", op_line_end_name((int)end), (int)steps, last);
    return 2;
  }
  printf("all answers are right on %s\n", backend);
  return 0;
}

/* SPDX-License-Identifier: MIT */
