// airfoil_solver.hpp: the airfoil solver in C++, whoever read the mesh.
#ifndef OP2_EXAMPLES_AIRFOIL_SOLVER_HPP
#define OP2_EXAMPLES_AIRFOIL_SOLVER_HPP

#include <op2/checkpoint.h>
#include <cmath>
#include <cstddef>
#include <op2/op2.hpp>
#include <string>
#include <vector>

#include "airfoil_kernels.h"
#include "report.h"

// The mesh and the data on it. Every process declares its own block of each set; maps hold global indices.
struct Airfoil {
  op2::set nodes, edges, bedges, cells;
  op2::map edge_nodes, edge_cells, bedge_nodes, bedge_cell, cell_nodes;
  op2::dat<double, 2> x;
  op2::dat<double, 4> q, qold, res;
  op2::dat<double, 1> adt;
  op2::dat<int, 1> bound;
  // Of the last stage: the sum of squares, the largest change and its cell. Unlike variables of the program, they let
  // the loops of an iteration run together.
  op2::global<double> sum{"sum"}, largest{"largest"};
  op2::global<int> where{"where"};

  explicit Airfoil(const airfoil_mesh &block)
      : nodes(block.nnode, "nodes"),
        edges(block.nedge, "edges"),
        bedges(block.nbedge, "bedges"),
        cells(block.ncell, "cells"),
        edge_nodes(edges, nodes, 2, block.edge_nodes, "edge_nodes"),
        edge_cells(edges, cells, 2, block.edge_cells, "edge_cells"),
        bedge_nodes(bedges, nodes, 2, block.bedge_nodes, "bedge_nodes"),
        bedge_cell(bedges, cells, 1, block.bedge_cell, "bedge_cell"),
        cell_nodes(cells, nodes, 4, block.cell_nodes, "cell_nodes"),
        x(nodes, block.x, "x"),
        q(cells, free_stream(block.ncell).data(), "q"),
        qold(cells, nullptr, "qold"),
        res(cells, nullptr, "res"),
        adt(cells, nullptr, "adt"),
        bound(bedges, block.bound, "bound") {}

  // The same from an HDF5 file, with OP2's names; each process reads its part.
  explicit Airfoil(const char *file)
      : nodes(op2::check(op_decl_set_hdf5(file, "nodes"))),
        edges(op2::check(op_decl_set_hdf5(file, "edges"))),
        bedges(op2::check(op_decl_set_hdf5(file, "bedges"))),
        cells(op2::check(op_decl_set_hdf5(file, "cells"))),
        edge_nodes(map_of(edges, nodes, 2, file, "pedge")),
        edge_cells(map_of(edges, cells, 2, file, "pecell")),
        bedge_nodes(map_of(bedges, nodes, 2, file, "pbedge")),
        bedge_cell(map_of(bedges, cells, 1, file, "pbecell")),
        cell_nodes(map_of(cells, nodes, 4, file, "pcell")),
        x(dat_of(nodes, 2, "double", file, "p_x")),
        q(dat_of(cells, 4, "double", file, "p_q")),
        qold(cells, nullptr, "qold"),
        res(cells, nullptr, "res"),
        adt(cells, nullptr, "adt"),
        bound(dat_of(bedges, 1, "int", file, "p_bound")) {}

  void iterate() {
    op_par_loop(save_soln, "save_soln", cells, op2::read(q), op2::write(qold));
    stage();
    stage();
  }

  void stage() {
    op_par_loop(adt_calc, "adt_calc", cells, op2::read(x, 0, cell_nodes), op2::read(x, 1, cell_nodes),
                op2::read(x, 2, cell_nodes), op2::read(x, 3, cell_nodes), op2::read(q), op2::write(adt));

    op_par_loop(res_calc, "res_calc", edges, op2::read(x, 0, edge_nodes), op2::read(x, 1, edge_nodes),
                op2::read(q, 0, edge_cells), op2::read(q, 1, edge_cells), op2::read(adt, 0, edge_cells),
                op2::read(adt, 1, edge_cells), op2::inc(res, 0, edge_cells), op2::inc(res, 1, edge_cells));

    op_par_loop(bres_calc, "bres_calc", bedges, op2::read(x, 0, bedge_nodes), op2::read(x, 1, bedge_nodes),
                op2::read(q, 0, bedge_cell), op2::read(adt, 0, bedge_cell), op2::inc(res, 0, bedge_cell),
                op2::read(bound));

    sum.put(0);
    largest.put(0);
    where.put(0);
    op_par_loop(update, "update", cells, op2::read(qold), op2::write(q), op2::rw(res), op2::read(adt),
                op2::gbl_inc(sum), op2::gbl_max(largest), op2::index(), op2::payload(where, 5));
  }

  // The pressure in each cell, for pictures.
  void write_view(const char *file) {
    const op2::dat<double, 1> p(cells, nullptr, "pressure");
    op_par_loop(pressure, "pressure", cells, op2::read(q), op2::write(p));
    op2::view view(x, "airfoil");
    view.cells(cell_nodes, OP_CELL_QUADRILATERAL).field(p).write(file);
  }

 private:
  // A dataset that is missing gives NULL, which the library takes for no error.
  template <class Handle>
  static Handle there(Handle handle, const char *file, const char *name) {
    if (!handle) throw op2::error(OP_ERR_FILE, std::string(file) + ": there is no usable dataset " + name);
    return handle;
  }
  static op2::map map_of(op_set from, op_set to, int dim, const char *file, const char *name) {
    return op2::map(there(op_decl_map_hdf5(from, to, dim, file, name), file, name));
  }
  static op_dat dat_of(op_set set, int dim, const char *type, const char *file, const char *name) {
    return there(op_decl_dat_hdf5(set, dim, type, file, name), file, name);
  }

  static std::vector<double> free_stream(int ncell) {
    std::vector<double> values(4 * static_cast<std::size_t>(ncell));
    for (std::size_t n = 0; n < values.size(); ++n) values[n] = qinf[n % 4];
    return values;
  }
};

// What kernels may read besides their arguments.
inline void declare_constants() {
  airfoil_constants();
  op2::constant("gam", gam);
  op2::constant("gm1", gm1);
  op2::constant("cfl", cfl);
  op2::constant("eps", eps);
  op2::constant("mach", mach);
  op2::constant("qinf", qinf);
}

// All iterations and the report; ncell: of the whole mesh. The exit code. What is in the dats, `iteration` and `rms`
// are the whole state: with them in a checkpoint the run goes on to the same bits.
inline int solve(Airfoil &airfoil, const airfoil_options &options, int ncell) {
  airfoil_progress progress = airfoil_progress_start(options.iterations);
  double rms = 0.0;
  int iteration = 0;
  if (options.checkpoint) {
    op2::check(op_checkpoint_value("iteration", "int", 1, &iteration));
    op2::check(op_checkpoint_value("rms", "double", 1, &rms));
  }
  if (options.restart) {
    int found = 0;
    op2::check(op_restart_latest(options.checkpoint, &found));
    if (found) op_printf("going on after iteration %d\n", iteration);
  }
  op2::chain iterations("iterations"); // loops of several iterations may run together, until the residual is wanted
  while (iteration < options.iterations) {
    ++iteration;
    airfoil.iterate();
    if (airfoil_failed()) return AIRFOIL_ERROR;
    const bool shown = airfoil_progress_due(&progress, iteration) != 0;
    if (shown || options.checkpoint || iteration == options.iterations) rms = std::sqrt(airfoil.sum.fetch() / ncell);
    if (shown) airfoil_progress_show(&progress, iteration, rms, airfoil.largest.fetch(), airfoil.where.fetch());
    if (options.checkpoint) op2::check(op_checkpoint_if_due(options.checkpoint, options.checkpoint_seconds, 2));
  }
  iterations.end();
  if (options.view) airfoil.write_view(options.view);
  if (airfoil_failed()) return AIRFOIL_ERROR;
  airfoil_options done = options;
  done.iterations = iteration; // a restart may have gone further than was asked for
  return airfoil_report(&done, &progress, ncell, rms);
}

#endif

// SPDX-License-Identifier: MIT
