// plasma_solver.hpp: electrons among resting ions on a mesh of triangles, by particle in cell with finite elements.
#ifndef OP2_EXAMPLES_PLASMA_SOLVER_HPP
#define OP2_EXAMPLES_PLASMA_SOLVER_HPP

#include <op2/partition.h>
#include <cstddef>
#include <op2/op2.hpp>
#include <string>
#include <utility>
#include <vector>

#include "plasma_kernels.h"
#include "triangle_mesh.hpp"

namespace plasma {

// Electrons at rest that keep all nodes free of charge together with the ions: in the middle of each of k * k small
// triangles that a cell is cut into.
struct Rest {
  std::vector<op_gindex> cell;
  std::vector<double> x, amount; // [electrons][2], [electrons]

  Rest(const triangles::Mesh &mesh, int k) {
    for (int c = 0; c < mesh.ncell; ++c) {
      const double *corner[3];
      for (std::size_t n = 0; n < 3; ++n)
        corner[n] = &mesh.x[2 * static_cast<std::size_t>(mesh.cell_nodes[3 * static_cast<std::size_t>(c) + n])];
      const double area = 0.5 * ((corner[1][0] - corner[0][0]) * (corner[2][1] - corner[0][1]) -
                                 (corner[2][0] - corner[0][0]) * (corner[1][1] - corner[0][1]));
      for (int i = 0; i < k; ++i)
        for (int j = 0; i + j < k; ++j)
          for (int upper = 0; upper < (i + j + 1 < k ? 2 : 1); ++upper) {
            const double a = (i + (1 + upper) / 3.0) / k, b = (j + (1 + upper) / 3.0) / k;
            cell.push_back(c);
            amount.push_back(area / (k * k));
            for (std::size_t d = 0; d < 2; ++d)
              x.push_back((1 - a - b) * corner[0][d] + a * corner[1][d] + b * corner[2][d]);
          }
    }
  }
};

class Solver {
 public:
  // With several processes the first one declares everything, and adds all electrons; each then has those in its cells.
  Solver(const triangles::Mesh &mesh, int k) : Solver(mesh, k, op_is_root() != 0) {}

  op2::set nodes, cells;
  op2::map cell_nodes;
  op2::dat<double, 2> x;
  op2::particles electrons;

  double time = 0;
  double motion = 0, field = 0; // energies now; of motion with the mean of the velocities half a step before and after
  double charge_left = 0;       // the sum over all nodes, which should be none
  long long rounds = 0, products = 0; // of moves, of conjugate gradients

  // Before the first step: electrons rest now, so half a step before they moved as they will half a step later, the
  // other way round.
  void start(double dt) {
    kick_all(-0.5 * dt);
    kick_all(dt);
  }

  // From `time` to a step later.
  void step(double dt) {
    op_par_loop(drift, "drift", electrons, op2::gbl_read(&dt), op2::rw(place), op2::rw(velocity));
    move();
    solve();
    time += dt;
    kick_all(dt);
  }

  // Of the swing: the cosine of the time, if all is right.
  double swinging() {
    double sum = 0;
    op_par_loop(amplitude, "amplitude", electrons, op2::read(amount), op2::read(rest), op2::read(place),
                op2::gbl_inc(&sum));
    op2::check(op_last_status());
    return sum;
  }

  // Potential and density of charge on the mesh, for pictures.
  void write_view(const std::string &file) {
    op2::view view(x, "plasma");
    view.cells(cell_nodes, OP_CELL_TRIANGLE).field(phi).field(charge).field(force);
    view.write(file);
  }

 private:
  Solver(const triangles::Mesh &mesh, int k, bool here)
      : nodes(here ? mesh.nnode : 0, "nodes"),
        cells(here ? mesh.ncell : 0, "cells"),
        cell_nodes(cells, nodes, 3, mesh.cell_nodes.data(), "cell_nodes"),
        x(nodes, mesh.x.data(), "x"),
        electrons(cells, "electrons"),
        area(cells, nullptr, "area"),
        shape(cells, nullptr, "shape"),
        force(cells, nullptr, "force"),
        ions(nodes, nullptr, "ions"),
        charge(nodes, nullptr, "charge"),
        phi(nodes, nullptr, "phi"),
        product(nodes, nullptr, "product"),
        residual(nodes, nullptr, "residual"),
        direction(nodes, nullptr, "direction"),
        beside(neighbours()),
        electron_cell(electrons.cell()),
        electron_nodes(op2::compose(electron_cell, cell_nodes, "electron_nodes")),
        rest(electrons, nullptr, "rest"),
        place(electrons, nullptr, "place"),
        velocity(electrons, nullptr, "velocity"),
        amount(electrons, nullptr, "amount") {
    op_partition("AUTO", "", cells, cell_nodes, x);
    op_par_loop(measure, "measure", cells, op2::read(x, op2::all<3>, cell_nodes), op2::write(area), op2::write(shape));
    op_par_loop(lay_ions, "lay_ions", cells, op2::read(area), op2::inc(ions, op2::all<3>, cell_nodes));
    if (here) {
      const Rest all(mesh, k);
      electrons.add(all.cell, {{rest, all.x}, {amount, all.amount}});
    } else {
      electrons.add({});
    }
    op_par_loop(displace, "displace", electrons, op2::read(rest), op2::write(place), op2::write(velocity));
    move();
    solve();
  }

  // The cells beside each cell. A tracer knows them; this one draws no lines.
  op_dat neighbours() const {
    op2::view view(x, "cells");
    view.cells(cell_nodes, OP_CELL_TRIANGLE);
    return op2::tracer(view, force).neighbours(cell_nodes, "beside");
  }

  // Every electron to the cell that it has come to.
  void move() {
    do {
      op_par_loop(walk, "walk", electrons, op2::read(place), op2::read(shape, 0, electron_cell),
                  op2::read(beside, 0, electron_cell), op2::write(electrons.next()));
      ++rounds;
    } while (electrons.move() > 0);
  }

  void kick_all(double dt) {
    motion = 0;
    op_par_loop(kick, "kick", electrons, op2::read(amount), op2::read(force, 0, electron_cell), op2::gbl_read(&dt),
                op2::rw(velocity), op2::gbl_inc(&motion));
    op2::check(op_last_status());
  }

  // The force that belongs to where electrons are.
  void solve() {
    op_par_loop(begin_charge, "begin_charge", nodes, op2::read(ions), op2::write(charge));
    op_par_loop(deposit, "deposit", electrons, op2::read(amount), op2::read(place), op2::read(shape, 0, electron_cell),
                op2::inc(charge, op2::all<3>, electron_nodes));
    charge_left = 0;
    op_par_loop(total_charge, "total_charge", nodes, op2::read(charge), op2::gbl_inc(&charge_left));
    conjugate_gradients();
    field = 0;
    op_par_loop(gradient, "gradient", cells, op2::read(area), op2::read(shape), op2::read(phi, op2::all<3>, cell_nodes),
                op2::write(force), op2::gbl_inc(&field));
    op2::check(op_last_status());
  }

  // K phi = charge, from the phi before. No charge in all means that there is a solution; that constants are free does
  // no harm.
  void conjugate_gradients() {
    multiply(phi);
    double square = 0;
    op_par_loop(begin_cg, "begin_cg", nodes, op2::read(charge), op2::rw(product), op2::write(residual),
                op2::write(direction), op2::gbl_inc(&square));
    op2::check(op_last_status());
    if (enough == 0) enough = 1e-14 * square; // at the start
    while (square > enough) {
      multiply(direction);
      double along = 0;
      op_par_loop(dot, "dot", nodes, op2::read(direction), op2::read(product), op2::gbl_inc(&along));
      const double length = square / along;
      double next = 0;
      op_par_loop(step_cg, "step_cg", nodes, op2::gbl_read(&length), op2::read(direction), op2::rw(phi),
                  op2::rw(residual), op2::rw(product), op2::gbl_inc(&next));
      const double ratio = next / square;
      op_par_loop(turn_cg, "turn_cg", nodes, op2::gbl_read(&ratio), op2::read(residual), op2::rw(direction));
      op2::check(op_last_status());
      square = next;
    }
  }

  void multiply(const op2::dat<double, 1> &with) {
    op_par_loop(stiffness, "stiffness", cells, op2::read(area), op2::read(shape),
                op2::read(with, op2::all<3>, cell_nodes), op2::inc(product, op2::all<3>, cell_nodes));
    ++products;
  }

  op2::dat<double, 1> area;
  op2::dat<double, 9> shape;
  op2::dat<double, 2> force;
  op2::dat<double, 1> ions, charge, phi, product, residual, direction;
  op2::dat<long long, 3> beside;
  op2::map electron_cell, electron_nodes;
  op2::dat<double, 2> rest, place, velocity;
  op2::dat<double, 1> amount;
  double enough = 0; // the square of a residual that is taken for none
};

} // namespace plasma

#endif

// SPDX-License-Identifier: MIT
