// airfoil_float.cpp: see airfoil_float.hpp.
#include "airfoil/airfoil_float.hpp"

#include <vector>

#include "airfoil/airfoil_c.h"
// With its folder, so that the library finds the kernels' text from this file when the program runs.
#include "airfoil/airfoil_float_kernels.h"
#include "airfoil/airfoil_hand.hpp"

namespace {

std::vector<float> to_float(const std::vector<double> &values) { return {values.begin(), values.end()}; }

// The same state in every cell, and the constants that go with it.
std::vector<float> stream_float(int ncell) {
  const HandConstants c = hand_constants();
  f_gam = static_cast<float>(c.gam);
  f_gm1 = static_cast<float>(c.gm1);
  f_cfl = static_cast<float>(c.cfl);
  f_eps = static_cast<float>(c.eps);
  for (int n = 0; n < 4; ++n) f_qinf[n] = static_cast<float>(c.qinf[n]);
  std::vector<float> out(4 * static_cast<std::size_t>(ncell));
  for (std::size_t n = 0; n < out.size(); ++n) out[n] = f_qinf[n % 4];
  return out;
}

} // namespace

AirfoilFloat::AirfoilFloat(const naca::Mesh &m, const std::string &executor, int threads)
    : context_(executor.c_str(), threads),
      nodes_(m.nnode, "nodes"),
      edges_(m.nedge, "edges"),
      bedges_(m.nbedge, "bedges"),
      cells_(m.ncell, "cells"),
      edge_nodes_(edges_, nodes_, 2, m.edge_nodes, "edge_nodes"),
      edge_cells_(edges_, cells_, 2, m.edge_cells, "edge_cells"),
      bedge_nodes_(bedges_, nodes_, 2, m.bedge_nodes, "bedge_nodes"),
      bedge_cell_(bedges_, cells_, 1, m.bedge_cell, "bedge_cell"),
      cell_nodes_(cells_, nodes_, 4, m.cell_nodes, "cell_nodes"),
      x_(nodes_, to_float(m.x), "x"),
      q_(cells_, stream_float(m.ncell), "q"),
      qold_(cells_, nullptr, "qold"),
      res_(cells_, nullptr, "res"),
      adt_(cells_, nullptr, "adt"),
      bound_(bedges_, m.bound, "bound") {
  op2::constant("f_gam", f_gam);
  op2::constant("f_gm1", f_gm1);
  op2::constant("f_cfl", f_cfl);
  op2::constant("f_eps", f_eps);
  op2::constant("f_qinf", f_qinf);
}

void AirfoilFloat::run(int kernel) {
  switch (kernel) {
    case AIRFOIL_SAVE_SOLN:
      op_par_loop(save_soln_float, "save_soln", cells_, op2::read(q_), op2::write(qold_));
      break;
    case AIRFOIL_ADT_CALC:
      op_par_loop(adt_calc_float, "adt_calc", cells_, op2::read(x_, 0, cell_nodes_), op2::read(x_, 1, cell_nodes_),
                  op2::read(x_, 2, cell_nodes_), op2::read(x_, 3, cell_nodes_), op2::read(q_), op2::write(adt_));
      break;
    case AIRFOIL_RES_CALC:
      op_par_loop(res_calc_float, "res_calc", edges_, op2::read(x_, 0, edge_nodes_), op2::read(x_, 1, edge_nodes_),
                  op2::read(q_, 0, edge_cells_), op2::read(q_, 1, edge_cells_), op2::read(adt_, 0, edge_cells_),
                  op2::read(adt_, 1, edge_cells_), op2::inc(res_, 0, edge_cells_), op2::inc(res_, 1, edge_cells_));
      break;
    case AIRFOIL_BRES_CALC:
      op_par_loop(bres_calc_float, "bres_calc", bedges_, op2::read(x_, 0, bedge_nodes_), op2::read(x_, 1, bedge_nodes_),
                  op2::read(q_, 0, bedge_cell_), op2::read(adt_, 0, bedge_cell_), op2::inc(res_, 0, bedge_cell_),
                  op2::read(bound_));
      break;
    case AIRFOIL_UPDATE:
      rms_ = maxerr_ = 0;
      op_par_loop(update_float, "update", cells_, op2::read(qold_), op2::write(q_), op2::rw(res_), op2::read(adt_),
                  op2::gbl_inc(&rms_), op2::gbl_max(&maxerr_), op2::index(), op2::payload(&errloc_, 5));
      break;
    default:
      break;
  }
}

// SPDX-License-Identifier: MIT
