// airfoil_compat.cpp: see airfoil_compat.hpp. In OP2's words, with the kernels of the example.
#include "airfoil_compat.hpp"

#include "op_seq.h"
// With its folder, so that the library finds the kernels' text from this file when the program runs.
#include "../../examples/airfoil/airfoil_kernels.h"

namespace {

op_set nodes, edges, bedges, cells;
op_map pedge, pecell, pbedge, pbecell, pcell;
op_dat p_x, p_q, p_qold, p_adt, p_res, p_bound;

void declare_constants() {
  airfoil_constants();
  op_decl_const(1, "double", &gam);
  op_decl_const(1, "double", &gm1);
  op_decl_const(1, "double", &cfl);
  op_decl_const(1, "double", &eps);
  op_decl_const(1, "double", &mach);
  op_decl_const(4, "double", qinf);
}

// OP2 takes pointers to what may be written, though it copies.
int *entries(const std::vector<int> &table) { return const_cast<int *>(table.data()); }

} // namespace

void compat_airfoil_begin(const naca::Mesh &m) {
  static char name[] = "airfoil";
  static char *words[] = {name, nullptr};
  op_init(1, words, 1);
  nodes = op_decl_set(m.nnode, "nodes");
  edges = op_decl_set(m.nedge, "edges");
  bedges = op_decl_set(m.nbedge, "bedges");
  cells = op_decl_set(m.ncell, "cells");
  pedge = op_decl_map(edges, nodes, 2, entries(m.edge_nodes), "pedge");
  pecell = op_decl_map(edges, cells, 2, entries(m.edge_cells), "pecell");
  pbedge = op_decl_map(bedges, nodes, 2, entries(m.bedge_nodes), "pbedge");
  pbecell = op_decl_map(bedges, cells, 1, entries(m.bedge_cell), "pbecell");
  pcell = op_decl_map(cells, nodes, 4, entries(m.cell_nodes), "pcell");
  declare_constants();
  std::vector<double> q(4 * static_cast<std::size_t>(m.ncell)), x = m.x;
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = qinf[i % 4];
  p_x = op_decl_dat(nodes, 2, "double", x.data(), "p_x");
  p_q = op_decl_dat(cells, 4, "double", q.data(), "p_q");
  p_qold = op_decl_dat(cells, 4, "double", q.data(), "p_qold");
  q.assign(q.size(), 0.0);
  p_res = op_decl_dat(cells, 4, "double", q.data(), "p_res");
  p_adt = op_decl_dat(cells, 1, "double", q.data(), "p_adt");
  p_bound = op_decl_dat(bedges, 1, "int", entries(m.bound), "p_bound");
  op_partition("PTSCOTCH", "KWAY", edges, pecell, p_x);
}

double compat_airfoil_iterate() {
  double rms = 0.0;
  op_par_loop(save_soln, "save_soln", cells, op_arg_dat(p_q, -1, OP_ID, 4, "double", OP_READ),
              op_arg_dat(p_qold, -1, OP_ID, 4, "double", OP_WRITE));
  for (int k = 0; k < 2; k++) {
    op_par_loop(adt_calc, "adt_calc", cells, op_arg_dat(p_x, 0, pcell, 2, "double", OP_READ),
                op_arg_dat(p_x, 1, pcell, 2, "double", OP_READ), op_arg_dat(p_x, 2, pcell, 2, "double", OP_READ),
                op_arg_dat(p_x, 3, pcell, 2, "double", OP_READ), op_arg_dat(p_q, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_adt, -1, OP_ID, 1, "double", OP_WRITE));
    op_par_loop(res_calc, "res_calc", edges, op_arg_dat(p_x, 0, pedge, 2, "double", OP_READ),
                op_arg_dat(p_x, 1, pedge, 2, "double", OP_READ), op_arg_dat(p_q, 0, pecell, 4, "double", OP_READ),
                op_arg_dat(p_q, 1, pecell, 4, "double", OP_READ), op_arg_dat(p_adt, 0, pecell, 1, "double", OP_READ),
                op_arg_dat(p_adt, 1, pecell, 1, "double", OP_READ), op_arg_dat(p_res, 0, pecell, 4, "double", OP_INC),
                op_arg_dat(p_res, 1, pecell, 4, "double", OP_INC));
    op_par_loop(bres_calc, "bres_calc", bedges, op_arg_dat(p_x, 0, pbedge, 2, "double", OP_READ),
                op_arg_dat(p_x, 1, pbedge, 2, "double", OP_READ), op_arg_dat(p_q, 0, pbecell, 4, "double", OP_READ),
                op_arg_dat(p_adt, 0, pbecell, 1, "double", OP_READ), op_arg_dat(p_res, 0, pbecell, 4, "double", OP_INC),
                op_arg_dat(p_bound, -1, OP_ID, 1, "int", OP_READ));
    rms = 0.0;
    double maxerr = 0.0;
    int errloc = 0;
    op_par_loop(update, "update", cells, op_arg_dat(p_qold, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_q, -1, OP_ID, 4, "double", OP_WRITE), op_arg_dat(p_res, -1, OP_ID, 4, "double", OP_RW),
                op_arg_dat(p_adt, -1, OP_ID, 1, "double", OP_READ), op_arg_gbl(&rms, 1, "double", OP_INC),
                op_arg_gbl(&maxerr, 1, "double", OP_MAX), op_arg_idx(-1, OP_ID), op_arg_info(&errloc, 1, "int", 5));
  }
  return rms;
}

// SPDX-License-Identifier: MIT
