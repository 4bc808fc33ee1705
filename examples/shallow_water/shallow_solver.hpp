// shallow_solver.hpp: the shallow water solver on a mesh of triangles.
#ifndef OP2_EXAMPLES_SHALLOW_SOLVER_HPP
#define OP2_EXAMPLES_SHALLOW_SOLVER_HPP

#include <op2/partition.h>
#include <algorithm>
#include <limits>
#include <op2/op2.hpp>
#include <string>

#include "known_kernels.h"
#include "triangle_mesh.hpp"

namespace shallow {

class Solver {
 public:
  // With several processes the first one declares everything.
  explicit Solver(const triangles::Mesh &mesh) : Solver(mesh, op_is_root() != 0) {}

  op2::set nodes, cells, edges, walls;
  op2::map cell_nodes, edge_nodes, edge_cells, wall_nodes, wall_cell;
  op2::dat<double, 2> x, centre;
  op2::dat<double, 3> state;
  op2::dat<double, 1> area, bottom;

  int steps = 0;
  double first_water = 0, water = 0;                    // volume: at first, now
  double least = std::numeric_limits<double>::max();    // depth, of all times
  double smallest = std::numeric_limits<double>::max(); // time step

  // From what a kernel has put into `state` to a time `end` later.
  void run(double end) {
    add_up();
    first_water = water;
    for (double time = 0; time < end; ++steps) {
      fluxes();
      double dt = end - time;
      op_par_loop(begin_step, "begin_step", cells, op2::read(state), op2::read(area), op2::read(speed), op2::write(old),
                  op2::gbl_min(&dt));
      advance(dt, 1);
      fluxes();
      advance(dt, 0.5);
      time = dt < end - time ? time + dt : end;
      smallest = std::min(smallest, dt);
      add_up();
    }
  }

  // Height of the surface and speed of the water, for pictures.
  void write_view(const std::string &file) {
    const op2::dat<double, 1> surface(cells, nullptr, "surface"), velocity(cells, nullptr, "speed");
    op_par_loop(appearance, "appearance", cells, op2::read(state), op2::read(bottom), op2::write(surface),
                op2::write(velocity));
    op2::view view(x, "water");
    view.cells(cell_nodes, OP_CELL_TRIANGLE).field(surface).field(velocity).field(state, "state").field(bottom);
    view.write(file);
  }

 private:
  Solver(const triangles::Mesh &mesh, bool here)
      : nodes(here ? mesh.nnode : 0, "nodes"),
        cells(here ? mesh.ncell : 0, "cells"),
        edges(here ? mesh.nedge : 0, "edges"),
        walls(here ? mesh.nbedge : 0, "walls"),
        cell_nodes(cells, nodes, 3, mesh.cell_nodes.data(), "cell_nodes"),
        edge_nodes(edges, nodes, 2, mesh.edge_nodes.data(), "edge_nodes"),
        edge_cells(edges, cells, 2, mesh.edge_cells.data(), "edge_cells"),
        wall_nodes(walls, nodes, 2, mesh.bedge_nodes.data(), "wall_nodes"),
        wall_cell(walls, cells, 1, mesh.bedge_cell.data(), "wall_cell"),
        x(nodes, mesh.x.data(), "x"),
        centre(cells, nullptr, "centre"),
        state(cells, nullptr, "state"),
        area(cells, nullptr, "area"),
        bottom(cells, nullptr, "bottom"),
        normal(edges, nullptr, "normal"),
        wall_normal(walls, nullptr, "wall_normal"),
        middle(edges, nullptr, "middle"),
        wall_middle(walls, nullptr, "wall_middle"),
        old(cells, nullptr, "old"),
        res(cells, nullptr, "res"),
        inverse(cells, nullptr, "inverse"),
        slope(cells, nullptr, "slope"),
        speed(cells, nullptr, "speed") {
    op_partition("AUTO", "", edges, edge_cells, x);
    measure();
    op2::check(op_last_status());
  }

  void measure() {
    op_par_loop(measure_cell, "measure_cell", cells, op2::read(x, op2::all<3>, cell_nodes), op2::write(area),
                op2::write(centre));
    op_par_loop(measure_edge, "measure_edge", edges, op2::read(x, 0, edge_nodes), op2::read(x, 1, edge_nodes),
                op2::write(normal), op2::write(middle));
    op_par_loop(measure_edge, "measure_wall", walls, op2::read(x, 0, wall_nodes), op2::read(x, 1, wall_nodes),
                op2::write(wall_normal), op2::write(wall_middle));
    op_par_loop(direction_of_edge, "direction_of_edge", edges, op2::read(centre, 0, edge_cells),
                op2::read(centre, 1, edge_cells), op2::inc(inverse, 0, edge_cells), op2::inc(inverse, 1, edge_cells));
    op_par_loop(direction_of_wall, "direction_of_wall", walls, op2::read(wall_middle), op2::read(wall_normal),
                op2::read(centre, 0, wall_cell), op2::inc(inverse, 0, wall_cell));
    op_par_loop(invert, "invert", cells, op2::rw(inverse));
  }

  void fluxes() {
    op_par_loop(slopes_of_edge, "slopes_of_edge", edges, op2::read(centre, 0, edge_cells),
                op2::read(centre, 1, edge_cells), op2::read(state, 0, edge_cells), op2::read(state, 1, edge_cells),
                op2::read(bottom, 0, edge_cells), op2::read(bottom, 1, edge_cells), op2::inc(slope, 0, edge_cells),
                op2::inc(slope, 1, edge_cells));
    op_par_loop(slopes_of_wall, "slopes_of_wall", walls, op2::read(wall_middle), op2::read(wall_normal),
                op2::read(centre, 0, wall_cell), op2::read(state, 0, wall_cell), op2::read(bottom, 0, wall_cell),
                op2::inc(slope, 0, wall_cell));
    op_par_loop(fit, "fit", cells, op2::read(inverse), op2::rw(slope));
    op_par_loop(flux_of_edge, "flux_of_edge", edges, op2::read(normal), op2::read(middle),
                op2::read(centre, 0, edge_cells), op2::read(centre, 1, edge_cells), op2::read(state, 0, edge_cells),
                op2::read(state, 1, edge_cells), op2::read(bottom, 0, edge_cells), op2::read(bottom, 1, edge_cells),
                op2::read(slope, 0, edge_cells), op2::read(slope, 1, edge_cells), op2::inc(res, 0, edge_cells),
                op2::inc(res, 1, edge_cells), op2::inc(speed, 0, edge_cells), op2::inc(speed, 1, edge_cells));
    op_par_loop(flux_of_wall, "flux_of_wall", walls, op2::read(wall_normal), op2::read(state, 0, wall_cell),
                op2::inc(res, 0, wall_cell), op2::inc(speed, 0, wall_cell));
  }

  // weight: of what is new, beside the state before the step.
  void advance(double dt, double weight) {
    op_par_loop(stage, "stage", cells, op2::read(old), op2::read(area), op2::gbl_read(&dt), op2::gbl_read(&weight),
                op2::rw(state), op2::rw(res), op2::write(speed), op2::write(slope));
  }

  void add_up() {
    water = 0;
    op_par_loop(total, "total", cells, op2::read(area), op2::read(state), op2::gbl_inc(&water), op2::gbl_min(&least));
    op2::check(op_last_status());
  }

  op2::dat<double, 2> normal, wall_normal, middle, wall_middle;
  op2::dat<double, 3> old, res, inverse;
  op2::dat<double, 8> slope; // [FIELDS][2]
  op2::dat<double, 1> speed;
};

} // namespace shallow

#endif

// SPDX-License-Identifier: MIT
