// membrane.cpp: a membrane that is held at its border, as a program for OP2: its include, types, calls and kernels in
// headers. Nothing in this file is libop2's own.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "op_seq.h"

#include "op_hdf5.h"

double rate; // global constant

#include "error.h"
#include "flow.h"
#include "hold.h"
#include "update.h"

int main(int argc, char **argv) {
  op_init(argc, argv, 2);

  const int n = 30; // squares in a row
  int nnode = (n + 1) * (n + 1), nedge = 2 * n * (n + 1), nbnode = 4 * n, ncell = n * n;
  int *edge = (int *)malloc(2 * nedge * sizeof(int));
  int *cell = (int *)malloc(4 * ncell * sizeof(int));
  int *bnode = (int *)malloc(nbnode * sizeof(int));
  double *x = (double *)malloc(2 * nnode * sizeof(double));
  double *u = (double *)malloc(nnode * sizeof(double));
  double *du = (double *)malloc(nnode * sizeof(double));
  int e = 0, b = 0, c = 0;
  for (int j = 0; j <= n; j++) {
    for (int i = 0; i <= n; i++) {
      int node = i + j * (n + 1);
      x[2 * node] = (double)i / n - 0.5;
      x[2 * node + 1] = (double)j / n - 0.5;
      u[node] = du[node] = 0.0;
      if (i < n) edge[2 * e] = node, edge[2 * e + 1] = node + 1, e++;
      if (j < n) edge[2 * e] = node, edge[2 * e + 1] = node + n + 1, e++;
      if (i < n && j < n) {
        cell[c++] = node, cell[c++] = node + 1;
        cell[c++] = node + n + 2, cell[c++] = node + n + 1;
      }
      if (i == 0 || j == 0 || i == n || j == n) bnode[b++] = node;
    }
  }
  rate = 0.25;

  op_set nodes = op_decl_set(nnode, "nodes");
  op_set edges = op_decl_set(nedge, "edges");
  op_set bnodes = op_decl_set(nbnode, "bnodes");
  op_set cells = op_decl_set(ncell, "cells");
  op_map pedge = op_decl_map(edges, nodes, 2, edge, "pedge");
  op_map pbnode = op_decl_map(bnodes, nodes, 1, bnode, "pbnode");
  op_map pcell = op_decl_map(cells, nodes, 4, cell, "pcell");
  op_dat p_x = op_decl_dat(nodes, 2, "double", x, "p_x");
  op_dat p_u = op_decl_dat(nodes, 1, "double", u, "p_u");
  op_dat p_du = op_decl_dat(nodes, 1, "double", du, "p_du");
  op_decl_const(1, "double", &rate);
  op_partition("GEOM", "GEOM", nodes, pcell, p_x);
  op_diagnostic_output();

  double rms = 0.0;
  for (int iter = 1; iter <= 800; iter++) {
    op_par_loop(flow, "flow", edges, op_arg_dat(p_u, 0, pedge, 1, "double", OP_READ),
                op_arg_dat(p_u, 1, pedge, 1, "double", OP_READ), op_arg_dat(p_du, 0, pedge, 1, "double", OP_INC),
                op_arg_dat(p_du, 1, pedge, 1, "double", OP_INC));
    op_par_loop(hold, "hold", bnodes, op_arg_dat(p_x, 0, pbnode, 2, "double", OP_READ),
                op_arg_dat(p_u, 0, pbnode, 1, "double", OP_WRITE), op_arg_dat(p_du, 0, pbnode, 1, "double", OP_WRITE));
    rms = 0.0;
    op_par_loop(update, "update", nodes, op_arg_dat(p_du, -1, OP_ID, 1, "double", OP_RW),
                op_arg_dat(p_u, -1, OP_ID, 1, "double", OP_RW), op_arg_gbl(&rms, 1, "double", OP_INC));
    if (iter % 200 == 0) op_printf("%5d  %10.5e\n", iter, sqrt(rms / nnode));
  }

  double most = 0.0;
  op_par_loop(error, "error", nodes, op_arg_dat(p_x, -1, OP_ID, 2, "double", OP_READ),
              op_arg_dat(p_u, -1, OP_ID, 1, "double", OP_READ), op_arg_gbl(&most, 1, "double", OP_MAX));
  op_printf("largest error below 1e-9: %s\n", most < 1e-9 ? "PASSED" : "FAILED");
  op_dump_to_hdf5("membrane.h5");
  op_timing_output();
  op_exit();
  free(edge);
  free(cell);
  free(bnode);
  free(x);
  free(u);
  free(du);
  return most < 1e-9 ? 0 : 1;
}

// SPDX-License-Identifier: MIT
