// multigrid_solver.hpp: the Euler solver on a mesh and coarser ones. All that goes between two meshes are loops over
// the cells of the finer one, with a map to the cells of the coarser one.
#ifndef OP2_EXAMPLES_MULTIGRID_SOLVER_HPP
#define OP2_EXAMPLES_MULTIGRID_SOLVER_HPP

#include <op2/partition.h>
#include <array>
#include <cmath>
#include <cstddef>
#include <op2/op2.hpp>
#include <string>
#include <vector>

#include "levels.hpp"
#include "multigrid_kernels.h"

namespace multigrid {

// A mesh in the library, with the flow on it. With several processes the first one declares everything.
struct Level {
  op2::set cells, faces, bfaces;
  op2::map face_cells, bface_cell;
  op2::map to_coarse; // of all but the coarsest level: cells to those of the next level
  op2::dat<double, 4> state, old, res, force;
  op2::dat<double, 4> held, defect, first; // what comes from a finer level; the state then
  op2::dat<double, 2> normal, bnormal;
  op2::dat<double, 1> volume, speed;
  op2::dat<int, 1> kind;

  Level(const Grid &grid, int number) : Level(grid, "_" + std::to_string(number), op_is_root() != 0) {}

 private:
  static op2::set a_set(int size, const std::string &name) { return {size, name.c_str()}; }
  static op2::map a_map(op_set from, op_set to, int dim, const std::vector<int> &entries, const std::string &name) {
    return {from, to, dim, entries.data(), name.c_str()};
  }
  template <class Dat, class T>
  static void declare(Dat &dat, op_set set, const std::vector<T> &values, const std::string &name) {
    dat = Dat(set, values.empty() ? nullptr : values.data(), name.c_str());
  }

  Level(const Grid &grid, const std::string &number, bool here)
      : cells(a_set(here ? grid.ncell : 0, "cells" + number)),
        faces(a_set(here ? grid.nface : 0, "faces" + number)),
        bfaces(a_set(here ? grid.nbface : 0, "bfaces" + number)),
        face_cells(a_map(faces, cells, 2, grid.face_cells, "face_cells" + number)),
        bface_cell(a_map(bfaces, cells, 1, grid.bface_cell, "bface_cell" + number)) {
    const std::vector<double> zero;
    declare(state, cells, zero, "state" + number);
    declare(old, cells, zero, "old" + number);
    declare(res, cells, zero, "res" + number);
    declare(force, cells, zero, "force" + number);
    declare(held, cells, zero, "held" + number);
    declare(defect, cells, zero, "defect" + number);
    declare(first, cells, zero, "first" + number);
    declare(normal, faces, grid.normal, "normal" + number);
    declare(bnormal, bfaces, grid.bnormal, "bnormal" + number);
    declare(volume, cells, grid.volume, "volume" + number);
    declare(speed, cells, zero, "speed" + number);
    declare(kind, bfaces, grid.kind, "kind" + number);
  }
};

class Solver {
 public:
  explicit Solver(const std::vector<Grid> &grids) {
    for (std::size_t l = 0; l < grids.size(); ++l) levels.emplace_back(grids[l], static_cast<int>(l));
    for (std::size_t l = 0; l + 1 < grids.size(); ++l)
      levels[l].to_coarse = op2::map(levels[l].cells, levels[l + 1].cells, 1, grids[l].coarse_cell.data(),
                                     ("to_coarse_" + std::to_string(l)).c_str());
    op_partition("AUTO", "", levels[0].faces, levels[0].face_cells, nullptr);
    op2::check(op_last_status());
  }

  std::vector<Level> levels; // the finest first
  double residual = 0;       // of the finest level at the beginning of the last cycle: mean change that a step makes

  void begin_free_stream() {
    for (Level &level : levels) op_par_loop(begin, "begin", level.cells, op2::write(level.state));
    op2::check(op_last_status());
  }

  // Two steps on the finest level, with all that coarser ones can do between them.
  void cycle() {
    step(levels[0], true);
    correct(0);
    step(levels[0]);
    op2::check(op_last_status());
  }

  // The largest imbalance of the states on a level, relative to what flows through a cell.
  double largest_imbalance(Level &level) {
    fluxes(level);
    double out = 0;
    op_par_loop(imbalance, "imbalance", level.cells, op2::rw(level.res), op2::rw(level.speed), op2::gbl_max(&out));
    op2::check(op_last_status());
    return out;
  }

  double largest_difference(Level &level) {
    double out = 0;
    op_par_loop(difference, "difference", level.cells, op2::read(level.state), op2::gbl_max(&out));
    op2::check(op_last_status());
    return out;
  }

  // Mass that leaves through the ends of the channel to that which enters.
  double out_to_in() {
    const Level &level = levels[0];
    double inflow = 0, outflow = 0;
    op_par_loop(mass_of_boundary, "mass_of_boundary", level.bfaces, op2::read(level.bnormal), op2::read(level.kind),
                op2::read(level.state, 0, level.bface_cell), op2::gbl_inc(&inflow), op2::gbl_inc(&outflow));
    op2::check(op_last_status());
    return outflow / inflow;
  }

  // Mean over the channel.
  double mean_entropy_error() {
    double sum = 0, volume = 0;
    op_par_loop(entropy_error, "entropy_error", levels[0].cells, op2::read(levels[0].volume),
                op2::read(levels[0].state), op2::gbl_inc(&sum), op2::gbl_inc(&volume));
    op2::check(op_last_status());
    return sum / volume;
  }

 private:
  // The three stages of van Leer, Tai and Powell (AIAA paper 89-1933), which damp what coarser meshes cannot see.
  static constexpr std::array weights = {0.1481, 0.4, 1.0};

  void fluxes(Level &level) {
    op_par_loop(flux_of_face, "flux_of_face", level.faces, op2::read(level.normal),
                op2::read(level.state, 0, level.face_cells), op2::read(level.state, 1, level.face_cells),
                op2::inc(level.res, 0, level.face_cells), op2::inc(level.res, 1, level.face_cells),
                op2::inc(level.speed, 0, level.face_cells), op2::inc(level.speed, 1, level.face_cells));
    op_par_loop(flux_of_boundary, "flux_of_boundary", level.bfaces, op2::read(level.bnormal), op2::read(level.kind),
                op2::read(level.state, 0, level.bface_cell), op2::inc(level.res, 0, level.bface_cell),
                op2::inc(level.speed, 0, level.bface_cell));
  }

  // measure: also the residual of the state that it begins with.
  void step(Level &level, bool measure = false) {
    op_par_loop(keep, "keep", level.cells, op2::read(level.state), op2::write(level.old));
    for (const double weight : weights) {
      fluxes(level);
      if (measure && weight == weights[0]) {
        double square = 0;
        op_par_loop(unsteady, "unsteady", level.cells, op2::read(level.force), op2::read(level.res),
                    op2::read(level.speed), op2::gbl_inc(&square));
        residual = std::sqrt(square / static_cast<double>(level.cells.global_size()));
      }
      op_par_loop(stage, "stage", level.cells, op2::read(level.old), op2::read(level.force), op2::gbl_read(&weight),
                  op2::write(level.state), op2::rw(level.res), op2::rw(level.speed));
    }
  }

  // Lets the next level find what to change on level number l: a V-cycle.
  void correct(std::size_t l) {
    if (l + 1 == levels.size()) return;
    Level &fine = levels[l], &coarse = levels[l + 1];
    fluxes(fine);
    op_par_loop(restrict_cell, "restrict_cell", fine.cells, op2::read(fine.volume), op2::read(fine.state),
                op2::read(fine.force), op2::rw(fine.res), op2::write(fine.speed),
                op2::inc(coarse.held, 0, fine.to_coarse), op2::inc(coarse.defect, 0, fine.to_coarse));
    op_par_loop(begin_coarse, "begin_coarse", coarse.cells, op2::read(coarse.volume), op2::rw(coarse.held),
                op2::write(coarse.state), op2::write(coarse.first));
    fluxes(coarse);
    op_par_loop(set_force, "set_force", coarse.cells, op2::rw(coarse.defect), op2::rw(coarse.res),
                op2::write(coarse.speed), op2::write(coarse.force));
    step(coarse);
    correct(l + 1);
    step(coarse);
    op_par_loop(prolong, "prolong", fine.cells, op2::read(coarse.first, 0, fine.to_coarse),
                op2::read(coarse.state, 0, fine.to_coarse), op2::rw(fine.state));
  }
};

} // namespace multigrid

#endif

// SPDX-License-Identifier: MIT
