// airfoil_library.cpp: see airfoil_library.hpp.
#include "airfoil/airfoil_library.hpp"

// With its folder, so that the library finds the kernels' text from this file when the program runs.
#include "../../examples/airfoil/airfoil_kernels.h"
#include "airfoil/airfoil_threads.hpp"
#include "op2/heads.h"
#include "op2/partition.h"
#include "op2/storage.h"

namespace {

// So that the library may use the values in code that it makes.
void declare_constants() {
  op2::constant("gam", gam);
  op2::constant("gm1", gm1);
  op2::constant("cfl", cfl);
  op2::constant("eps", eps);
  op2::constant("mach", mach);
  op2::constant("qinf", qinf);
}

// As update, without the residual.
inline void step(const double *qold, double *q, double *res, const double *adt) {
  const double adti = 1.0 / *adt;
  for (int n = 0; n < 4; ++n) {
    q[n] = qold[n] - adti * res[n];
    res[n] = 0.0;
  }
}

inline void clear(double *res) {
  for (int n = 0; n < 4; ++n) res[n] = 0.0;
}

} // namespace

AirfoilLibrary::AirfoilLibrary(const naca::Mesh &m, const std::string &executor, int threads)
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
      x_(nodes_, m.x, "x"),
      q_(cells_, free_stream(m.ncell), "q"),
      qold_(cells_, nullptr, "qold"),
      res_(cells_, nullptr, "res"),
      adt_(cells_, nullptr, "adt"),
      bound_(bedges_, m.bound, "bound"),
      rms_("rms"),
      maxerr_("maxerr"),
      errloc_("errloc") {
  airfoil_constants();
  airfoil_c_constants();
  declare_constants();
  handles_ = {edges_,      bedges_, cells_, edge_nodes_, edge_cells_, bedge_nodes_, bedge_cell_,
              cell_nodes_, x_,      q_,     qold_,       adt_,        res_,         bound_,
              0.0,         0.0,     0};
}

void AirfoilLibrary::run(int kernel, Form form) {
  if (form == Form::range)
    run_range(kernel);
  else
    airfoil_c_run(&handles_, kernel, form == Form::c_range);
}

void AirfoilLibrary::divide(const std::vector<int> &process_of_cell) {
  const op2::dat<int, 1> part(cells_, process_of_cell, "part");
  op_partition("EXTERNAL", "", nullptr, nullptr, part);
}

std::vector<std::span<char>> AirfoilLibrary::memory() const {
  std::vector<std::span<char>> out;
  const auto bytes = [](op_set set, int row) {
    return static_cast<std::size_t>(set->size) * static_cast<std::size_t>(row);
  };
  for (const op_dat dat : {handles_.x, handles_.q, handles_.qold, handles_.adt, handles_.res, handles_.bound})
    out.emplace_back(dat->data, bytes(dat->set, dat->size));
  for (const op_map map :
       {handles_.edge_nodes, handles_.edge_cells, handles_.bedge_nodes, handles_.bedge_cell, handles_.cell_nodes})
    out.emplace_back(reinterpret_cast<char *>(map->map), bytes(map->from, map->dim * static_cast<int>(sizeof(int))));
  return out;
}

void AirfoilLibrary::on_memory(const std::function<void(const AirfoilArrays &)> &work) {
  const auto x = x_.window(OP_READ);
  const auto q = q_.window(OP_RW), qold = qold_.window(OP_RW), adt = adt_.window(OP_RW), res = res_.window(OP_RW);
  work({x.data(), q.data(), qold.data(), adt.data(), res.data()});
}

void AirfoilLibrary::iterate() {
  run_range(AIRFOIL_SAVE_SOLN);
  for (int stage = 0; stage < 2; ++stage)
    for (int kernel = AIRFOIL_ADT_CALC; kernel <= AIRFOIL_UPDATE; ++kernel) run_range(kernel);
}

void AirfoilLibrary::keep_flow_only() {
  flow_only_ = true;
  for (const op_dat dat : {handles_.qold, handles_.adt, handles_.res}) op_dat_set_storage(dat, OP_STORAGE_SCRATCH);
}

void AirfoilLibrary::iterate_in_chain(int iterations) {
  op2::chain together("iterations");
  if (flow_only_) op_par_loop(clear, "clear", cells_, op2::write(res_));
  for (int i = 0; i < iterations; ++i) {
    run_range(AIRFOIL_SAVE_SOLN);
    for (int stage = 0; stage < 2; ++stage) {
      for (int kernel = AIRFOIL_ADT_CALC; kernel < AIRFOIL_UPDATE; ++kernel) run_range(kernel);
      update_globals();
    }
  }
  together.end();
}

void AirfoilLibrary::iterate_without_residual(int iterations) {
  op2::chain together("airfoil");
  for (int i = 0; i < iterations; ++i) {
    run_range(AIRFOIL_SAVE_SOLN);
    for (int stage = 0; stage < 2; ++stage) {
      for (int kernel = AIRFOIL_ADT_CALC; kernel < AIRFOIL_UPDATE; ++kernel) run_range(kernel);
      op_par_loop(step, "step", cells_, op2::read(qold_), op2::write(q_), op2::rw(res_), op2::read(adt_));
    }
  }
  together.end();
}

void AirfoilLibrary::update_globals() {
  rms_.put(0);
  maxerr_.put(0);
  op_par_loop(update, "update", cells_, op2::read(qold_), op2::write(q_), op2::rw(res_), op2::read(adt_),
              op2::gbl_inc(rms_), op2::gbl_max(maxerr_), op2::index(), op2::payload(errloc_, 5));
}

void AirfoilLibrary::run_range(int kernel) {
  switch (kernel) {
    case AIRFOIL_SAVE_SOLN:
      op_par_loop(save_soln, "save_soln", cells_, op2::read(q_), op2::write(qold_));
      break;
    case AIRFOIL_ADT_CALC:
      op_par_loop(adt_calc, "adt_calc", cells_, op2::read(x_, 0, cell_nodes_), op2::read(x_, 1, cell_nodes_),
                  op2::read(x_, 2, cell_nodes_), op2::read(x_, 3, cell_nodes_), op2::read(q_), op2::write(adt_));
      break;
    case AIRFOIL_RES_CALC:
      op_par_loop(res_calc, "res_calc", edges_, op2::read(x_, 0, edge_nodes_), op2::read(x_, 1, edge_nodes_),
                  op2::read(q_, 0, edge_cells_), op2::read(q_, 1, edge_cells_), op2::read(adt_, 0, edge_cells_),
                  op2::read(adt_, 1, edge_cells_), op2::inc(res_, 0, edge_cells_), op2::inc(res_, 1, edge_cells_));
      break;
    case AIRFOIL_BRES_CALC:
      op_par_loop(bres_calc, "bres_calc", bedges_, op2::read(x_, 0, bedge_nodes_), op2::read(x_, 1, bedge_nodes_),
                  op2::read(q_, 0, bedge_cell_), op2::read(adt_, 0, bedge_cell_), op2::inc(res_, 0, bedge_cell_),
                  op2::read(bound_));
      break;
    case AIRFOIL_UPDATE:
      handles_.rms = handles_.maxerr = 0;
      op_par_loop(update, "update", cells_, op2::read(qold_), op2::write(q_), op2::rw(res_), op2::read(adt_),
                  op2::gbl_inc(&handles_.rms), op2::gbl_max(&handles_.maxerr), op2::index(),
                  op2::payload(&handles_.errloc, 5));
      break;
    default:
      break;
  }
}

// SPDX-License-Identifier: MIT
