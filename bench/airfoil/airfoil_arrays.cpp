// airfoil_arrays.cpp: see airfoil_arrays.hpp.
#include "airfoil/airfoil_arrays.hpp"

#include "airfoil/airfoil_c.h"
#include "airfoil/airfoil_simd.hpp"

const HandLoops scalar_loops{hand_save_soln, hand_adt_calc, hand_res_calc, hand_bres_calc, hand_update};
// The compiler vectorises save_soln by itself; boundary edges are few.
const HandLoops simd_loops{hand_save_soln, simd_adt_calc, simd_res_calc, hand_bres_calc, simd_update};

void run_by_hand(const HandLoops &loops, const naca::Mesh &mesh, const AirfoilArrays &a, int kernel,
                 HandUpdate &update) {
  static const HandConstants constants = hand_constants();
  switch (kernel) {
    case AIRFOIL_SAVE_SOLN:
      return loops.save_soln(mesh.ncell, a.q, a.qold);
    case AIRFOIL_ADT_CALC:
      return loops.adt_calc(constants, mesh.ncell, mesh.cell_nodes.data(), a.x, a.q, a.adt);
    case AIRFOIL_RES_CALC:
      return loops.res_calc(constants, mesh.nedge, mesh.edge_nodes.data(), mesh.edge_cells.data(), a.x, a.q, a.adt,
                            a.res);
    case AIRFOIL_BRES_CALC:
      return loops.bres_calc(constants, mesh.nbedge, mesh.bedge_nodes.data(), mesh.bedge_cell.data(), mesh.bound.data(),
                             a.x, a.q, a.adt, a.res);
    case AIRFOIL_UPDATE:
      update = {};
      return loops.update(mesh.ncell, a.qold, a.q, a.res, a.adt, update.rms, update.maxerr, update.errloc);
    default:
      break;
  }
}

int elements(const naca::Mesh &mesh, int kernel) {
  if (kernel == AIRFOIL_RES_CALC) return mesh.nedge;
  return kernel == AIRFOIL_BRES_CALC ? mesh.nbedge : mesh.ncell;
}

double useful_bytes(const naca::Mesh &mesh, int kernel, double real) {
  const double cells = mesh.ncell, nodes = mesh.nnode, edges = mesh.nedge, index = sizeof(int);
  switch (kernel) {
    case AIRFOIL_SAVE_SOLN:
      return cells * (4 + 4) * real;
    case AIRFOIL_ADT_CALC:
      return cells * (4 * index + (4 + 1) * real) + nodes * 2 * real;
    case AIRFOIL_RES_CALC:
      return edges * 4 * index + cells * (4 + 1 + 2 * 4) * real + nodes * 2 * real;
    case AIRFOIL_UPDATE:
      return cells * (4 + 4 + 2 * 4 + 1) * real;
    default:
      return 0;
  }
}

double iteration_bytes(const naca::Mesh &mesh, double real) {
  double bytes = useful_bytes(mesh, AIRFOIL_SAVE_SOLN, real);
  for (int kernel = AIRFOIL_ADT_CALC; kernel <= AIRFOIL_UPDATE; ++kernel) bytes += 2 * useful_bytes(mesh, kernel, real);
  return bytes;
}

// SPDX-License-Identifier: MIT
