// parts.cpp: programs whose declarations do not tell by maps what each process has. Without a map each declares a part
// of its own, all alike here. With UNSET each declares all of a mesh, and some components of its rows are never set.
#include "op_seq.h"

#include "grid.h"

#ifndef UNSET

inline void least_of(const double *x, double *least, int *count) {
  *least = MIN(*least, *x);
  *count += 1;
}

int main(int argc, char **argv) {
  op_init(argc, argv, 1);
  const int size = 40;
  double row[size];
  for (int n = 0; n < size; n++) row[n] = 7.0 + (n * 11) % size;
  op_set cells = op_decl_set(size, "cells");
  op_dat p_x = op_decl_dat(cells, 1, "double", row, "p_x");
  op_partition("", "", NULL, NULL, NULL);
  double least = 1000.0;
  int count = 0;
  op_par_loop(least_of, "least_of", cells, op_arg_dat(p_x, -1, OP_ID, 1, "double", OP_READ),
              op_arg_gbl(&least, 1, "double", OP_MIN), op_arg_gbl(&count, 1, "int", OP_INC));
  const int processes = op_mpi_size();
  check(least == 7.0 && count == size * processes && op_get_size(cells) == count && cells->size == size,
        "each process has a part of its own");
  op_exit();
  return failures != 0;
}

#else

inline void gather(const double *a, const double *b, double *sum) { *sum += a[0] + b[0]; }

int main(int argc, char **argv) {
  op_init(argc, argv, 1);
  grid g(12, 9);
  int rank = 0;
  op_rank(&rank);
  std::vector<double> x(2 * (size_t)g.nnode, -1000.0 * rank); // what memory happened to hold
  for (int n = 0; n < g.nnode; n++) x[2 * n] = n;
  op_set nodes = op_decl_set(g.nnode, "nodes"), links = op_decl_set(g.nlink, "links");
  op_map ends = op_decl_map(links, nodes, 2, &g.link[0], "ends");
  op_dat p_x = op_decl_dat(nodes, 2, "double", &x[0], "p_x");
  op_partition("PARMETIS", "KWAY", NULL, NULL, NULL); // nothing to go by
  check(OP_is_partitioned == 1 && nodes->size <= g.nnode / op_mpi_size() + 1, "parts of equal size");
  double sum = 0.0, own = 0.0;
  op_par_loop(gather, "gather", links, op_arg_dat(p_x, 0, ends, 2, "double", OP_READ),
              op_arg_dat(p_x, 1, ends, 2, "double", OP_READ), op_arg_gbl(&sum, 1, "double", OP_INC));
  for (int n = 0; n < 2 * g.nlink; n++) own += g.link[n];
  check(sum == own && op_get_size(nodes) == g.nnode, "the mesh is there once");
  op_fetch_data_idx(p_x, &x[0], 0, op_get_size(nodes) - 1);
  check(x[0] == 0.0 && x[1] == 0.0 && x[2 * g.nnode - 1] == 0.0, "what was not set is that of the first process");
  op_exit();
  return failures != 0;
}

#endif

// SPDX-License-Identifier: MIT
