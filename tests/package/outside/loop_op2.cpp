// A program in OP2's words: the sum over all edges of the values at both ends.
#include "op_seq.h"

inline void add(const double *a, const double *b, double *sum) { *sum += *a + *b; }

int main(int argc, char **argv) {
  op_init(argc, argv, 1);
  int ends[] = {0, 1, 1, 2, 2, 3};
  double values[] = {1, 10, 100, 1000}, sum = 0;
  op_set nodes = op_decl_set(4, "nodes");
  op_set edges = op_decl_set(3, "edges");
  op_map edge_nodes = op_decl_map(edges, nodes, 2, ends, "edge_nodes");
  op_dat p = op_decl_dat(nodes, 1, "double", values, "p");
  op_par_loop(add, "add", edges, op_arg_dat(p, 0, edge_nodes, 1, "double", OP_READ),
              op_arg_dat(p, 1, edge_nodes, 1, "double", OP_READ), op_arg_gbl(&sum, 1, "double", OP_INC));
  op_printf("%g\n", sum);
  op_exit();
  return sum == 1221 ? 0 : 1;
}

// SPDX-License-Identifier: MIT
