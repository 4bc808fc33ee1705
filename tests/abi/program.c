/* program.c: a program in C as a user writes it; see program.sh. */
#include <op2/op2.h>
#include <stdio.h>

static void fill(const int *n, double *row) { *row = *n; }
static void spread(const double *value, double *left, double *right) { *left += *value, *right += *value; }
static void total(const double *row, double *sum) { *sum += *row; }

OP_RANGE_FN(total_range, total(OP_DIRECT(0, const double, 1), OP_GLOBAL(1, double)))

int main(int argc, char **argv) {
  const int table[] = {0, 1, 1, 2, 2, 3};
  double values[4], sum = 100;
  char backend[64];
  op_set edges, nodes;
  op_map ends;
  op_dat weight, load;

  op_init(argc, argv, 0);
  edges = op_decl_set(3, "edges");
  nodes = op_decl_set(4, "nodes");
  ends = op_decl_map(edges, nodes, 2, table, "ends");
  weight = op_decl_dat(edges, 1, "double", NULL, "weight");
  load = op_decl_dat(nodes, 1, "double", NULL, "load");

  op_par_loop(fill, "fill", edges, op_arg_idx(-1, OP_ID), op_arg_dat(weight, -1, OP_ID, 1, "double", OP_WRITE));
  op_par_loop(spread, "spread", edges, op_arg_dat(weight, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(load, 0, ends, 1, "double", OP_INC), op_arg_dat(load, 1, ends, 1, "double", OP_INC));
  op_par_loop_range(total, total_range, "total", nodes, op_arg_dat(load, -1, OP_ID, 1, "double", OP_READ),
                    op_arg_gbl(&sum, 1, "double", OP_INC));
  op_fetch_data(load, values);
  snprintf(backend, sizeof backend, "%s", op_backend());
  op_exit();

  if (sum != 106 || values[0] != 0 || values[1] != 1 || values[2] != 3 || values[3] != 2) {
    printf("wrong: %g, %g %g %g %g\n", sum, values[0], values[1], values[2], values[3]);
    return 2;
  }
  printf("all answers are right on %s\n", backend);
  return 0;
}

/* SPDX-License-Identifier: MIT */
