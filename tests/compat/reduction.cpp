// reduction.cpp: edges counted by a loop through a map, cells by a direct one; least and greatest values of both kinds
// of loop.
#include "op_seq.h"

#include "grid.h"

inline void res_calc(double *data, int *count) {
  data[0] = 0.0;
  (*count)++;
}
inline void update(double *data, int *count) {
  data[0] = 0.0;
  (*count)++;
}
inline void extremes(const double *a, const double *b, double *least, double *most) {
  *least = MIN(*least, MIN(*a, *b));
  *most = MAX(*most, MAX(*a, *b));
}

int main(int argc, char **argv) {
  op_init(argc, argv, 2);
  grid g(9, 7);
  std::vector<double> height(g.nnode);
  for (int n = 0; n < g.nnode; n++) height[n] = g.x[2 * n] * 3.0 - g.x[2 * n + 1];
  op_set nodes = op_decl_set(g.nnode, "nodes");
  op_set edges = op_decl_set(g.nedge, "edges");
  op_set cells = op_decl_set(g.ncell, "cells");
  op_map pecell = op_decl_map(edges, cells, 2, &g.ecell[0], "pecell");
  op_map pedge = op_decl_map(edges, nodes, 2, &g.edge[0], "pedge");
  op_dat p_res = op_decl_dat(cells, 4, "double", (double *)NULL, "p_res");
  op_dat p_h = op_decl_dat(nodes, 1, "double", &height[0], "p_h");
  op_partition("PARMETIS", "KWAY", edges, pecell, NULL);

  int count = 0;
  op_par_loop(res_calc, "res_calc", edges, op_arg_dat(p_res, 0, pecell, 4, "double", OP_RW),
              op_arg_gbl(&count, 1, "int", OP_INC));
  check(count == op_get_size(edges) && count == g.nedge, "edges counted through a map");
  count = 0;
  op_par_loop(update, "update", cells, op_arg_dat(p_res, -1, OP_ID, 4, "double", OP_RW),
              op_arg_gbl(&count, 1, "int", OP_INC));
  check(count == op_get_size(cells) && count == g.ncell, "cells counted directly");
  double least_found = 1e9, most_found = -1e9, nodes_least = 1e9, nodes_most = -1e9;
  op_par_loop(extremes, "extremes", edges, op_arg_dat(p_h, 0, pedge, 1, "double", OP_READ),
              op_arg_dat(p_h, 1, pedge, 1, "double", OP_READ), op_arg_gbl(&least_found, 1, "double", OP_MIN),
              op_arg_gbl(&most_found, 1, "double", OP_MAX));
  for (size_t i = 0; i < g.edge.size(); i++) {
    nodes_least = MIN(nodes_least, height[g.edge[i]]);
    nodes_most = MAX(nodes_most, height[g.edge[i]]);
  }
  check(least_found == nodes_least && most_found == nodes_most, "extremes to the bit");
  if (failures == 0) op_printf("Test PASSED\n");
  op_timing_output();
  op_exit();
  return failures != 0;
}

// SPDX-License-Identifier: MIT
