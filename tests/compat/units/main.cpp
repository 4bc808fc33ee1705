// main.cpp: a program of several files: handles and constants are global variables, kernels have the same names in
// different files, and its variables have names that the headers must leave alone.
#include "units.h"

#include "../grid.h"

op_set nodes, edges;
op_map pedge;
op_dat p_x, p_sum;
double factor, gam, mach, alpha;
int res, update, scatter, start, finish, world, profile;

static void work(float *x) { *x = 2.0f * *x; }

int main(int argc, char **argv) {
  op_init(argc, argv, 1);
  grid g(6, 6);
  std::vector<float> x(g.nedge, 0.5f);
  nodes = op_decl_set(g.nnode, "nodes");
  edges = op_decl_set(g.nedge, "edges");
  pedge = op_decl_map(edges, nodes, 2, &g.edge[0], "pedge");
  p_x = op_decl_dat(edges, 1, "float", &x[0], "p_x");
  p_sum = op_decl_dat(nodes, 1, "float", (float *)NULL, "p_sum");
  factor = 3.0;
  op_decl_const(1, "double", &factor);
  OP_diags = 1;
  op_par_loop(work, "work", edges, op_arg_dat(p_x, -1, OP_ID, 1, "float", OP_RW));
  gather_here();
  check(total() == 3.0 * 6.0 * g.nedge, "sums of floats from another file");
  op_exit();
  return failures != 0;
}

// SPDX-License-Identifier: MIT
