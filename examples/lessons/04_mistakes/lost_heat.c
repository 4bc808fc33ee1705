/* lost_heat.c: lost_heat.cpp in C, with the same mistake. */
#include <math.h>
#include <op2/op2.h>

enum { squares = 40, row = squares + 1 }; /* squares and nodes in a row of the plate */

static double warm_values[row * row];
static int edge_nodes[2 * squares * row * 2];
static double total; /* of all nodes */

static void flow(const double *warm1, const double *warm2, double *gain1, double *gain2) {
  const double heat = 0.2 * (*warm1 - *warm2);
  *gain1 -= heat;
  *gain2 += heat;
}

static void settle(double *gain, double *warm) {
  *warm += *gain;
  *gain = 0;
  total += *warm;
}

int main(int argc, char **argv) {
  op_init(argc, argv, 1);
  int count = 0;
  for (int j = 0; j < row; ++j)
    for (int i = 0; i < row; ++i) {
      const int node = i + row * j;
      warm_values[node] = i >= 16 && i <= 24 && j >= 16 && j <= 24 ? 100 : 0;
      if (i < squares) edge_nodes[2 * count] = node, edge_nodes[2 * count++ + 1] = node + 1;
      if (j < squares) edge_nodes[2 * count] = node, edge_nodes[2 * count++ + 1] = node + row;
    }
  op_set nodes = op_decl_set(row * row, "nodes"), edges = op_decl_set(count, "edges");
  op_map ends = op_decl_map(edges, nodes, 2, edge_nodes, "ends");
  op_dat warm = op_decl_dat(nodes, 1, "double", warm_values, "warm");
  op_dat gain = op_decl_dat(nodes, 1, "double", NULL, "gain");

  for (int step = 0; step < 100; ++step) {
    op_par_loop(flow, "flow", edges, op_arg_dat(warm, 0, ends, 1, "double", OP_READ),
                op_arg_dat(warm, 1, ends, 1, "double", OP_READ), op_arg_dat(gain, 0, ends, 1, "double", OP_INC),
                op_arg_dat(gain, 1, ends, 1, "double", OP_INC));
    total = 0;
    op_par_loop(settle, "settle", nodes, op_arg_dat(gain, -1, OP_ID, 1, "double", OP_RW),
                op_arg_dat(warm, -1, OP_ID, 1, "double", OP_RW));
  }
  const int right = fabs(total - 8100) < 1e-6;
  op_printf("heat %.3f of 8100: %s\n", total, right ? "PASSED" : "FAILED");
  op_exit();
  return right ? 0 : 1;
}

/* SPDX-License-Identifier: MIT */
