// euler_solver.hpp: the Euler solver on a mesh of polyhedra, wherever the mesh comes from.
#ifndef OP2_EXAMPLES_EULER_SOLVER_HPP
#define OP2_EXAMPLES_EULER_SOLVER_HPP

#include <op2/partition.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <op2/op2.hpp>
#include <vector>

#include "euler_kernels.h"
#include "poly_mesh.hpp"

namespace euler {

// The mesh in the library.
struct Mesh {
  op2::set nodes, cells, faces, bfaces;
  op2::map face_cells, face_nodes, bface_cells, bface_nodes;
  op2::dat<double, 3> x;
  op2::dat<int, 1> patch;

  Mesh() = default;

  // A generated mesh. With several processes the first one declares everything.
  explicit Mesh(const poly::Mesh &mesh) : Mesh(mesh, op_is_root() != 0) {}

 private:
  Mesh(const poly::Mesh &mesh, bool here)
      : nodes(here ? mesh.nnode : 0, "nodes"),
        cells(here ? mesh.ncell : 0, "cells"),
        faces(here ? mesh.nface : 0, "faces"),
        bfaces(here ? mesh.nbface : 0, "bfaces"),
        face_cells(faces, cells, 2, mesh.face_cells.data(), "face_cells"),
        face_nodes(faces, nodes, mesh.face_corners, mesh.face_nodes.data(), "face_nodes"),
        bface_cells(bfaces, cells, 1, mesh.bface_cells.data(), "bface_cells"),
        bface_nodes(bfaces, nodes, mesh.bface_corners, mesh.bface_nodes.data(), "bface_nodes"),
        x(nodes, mesh.x.data(), "x"),
        patch(bfaces, mesh.bface_patch.data(), "bface_patch") {}
};

// What is to be computed.
struct Case {
  double mach = 0.5, alpha = 0, beta = 0; // of the free stream; degrees: towards y, towards z
  double density = 0, pressure = 0;       // relative rise at the centre of a spot at the start
  std::vector<int> kinds;                 // kind of boundary of each patch
  int order = 1;                          // 2: with slopes
};

// The direction of the free stream.
inline std::array<double, 3> direction(const Case &what) {
  const double degree = std::acos(-1.0) / 180, a = what.alpha * degree, b = what.beta * degree;
  return {std::cos(a) * std::cos(b), std::sin(a) * std::cos(b), std::sin(b)};
}

// What kernels may read besides their arguments. Density and speed of sound of the free stream are 1.
inline void set_constants(const Case &what) {
  heat_ratio = 1.4;
  far_state[0] = far_flow[0] = 1;
  const auto towards = direction(what);
  for (std::size_t i = 0; i < 3; ++i) far_state[1 + i] = far_flow[1 + i] = what.mach * towards[i];
  far_flow[4] = 1 / heat_ratio;
  far_state[4] = far_flow[4] / (heat_ratio - 1) + 0.5 * what.mach * what.mach;
  spot_density = what.density;
  spot_pressure = what.pressure;
  spot_width = 0.25;
  std::fill_n(spot_centre, 3, 0.4);
  small_square = 1e-5;
  std::fill_n(patch_kind, std::size(patch_kind), FAR_FIELD);
  std::copy(what.kinds.begin(), what.kinds.end(), patch_kind);
  op2::constant("heat_ratio", heat_ratio);
  op2::constant("far_state", far_state);
  op2::constant("far_flow", far_flow);
  op2::constant("spot_density", spot_density);
  op2::constant("spot_pressure", spot_pressure);
  op2::constant("spot_centre", spot_centre);
  op2::constant("spot_width", spot_width);
  op2::constant("small_square", small_square);
  op2::constant("patch_kind", patch_kind);
}

// Sums over all cells.
struct Totals {
  std::array<double, 5> state{};     // mass, momentum, energy
  double volume = 0, difference = 0; // difference: the largest from the free stream
};

class Solver {
 public:
  explicit Solver(const Mesh &given)
      : mesh(given),
        state(mesh.cells, nullptr, "state"),
        old(mesh.cells, nullptr, "old"),
        res(mesh.cells, nullptr, "res"),
        weighted(mesh.cells, nullptr, "weighted"),
        centre(mesh.cells, nullptr, "centre"),
        normal(mesh.faces, nullptr, "normal"),
        fcentre(mesh.faces, nullptr, "fcentre"),
        bnormal(mesh.bfaces, nullptr, "bnormal"),
        bcentre(mesh.bfaces, nullptr, "bcentre"),
        volume(mesh.cells, nullptr, "volume"),
        speed(mesh.cells, nullptr, "speed"),
        own_step(mesh.cells, nullptr, "own_step"),
        kind(mesh.bfaces, nullptr, "kind"),
        directions(mesh.cells, nullptr, "directions"),
        slope(mesh.cells, nullptr, "slope") {
    op_partition("AUTO", "", mesh.faces, mesh.face_cells, mesh.x);
    measure();
    op2::check(op_last_status());
  }

  // The state at the start of a case.
  void begin(const Case &what) {
    set_constants(what);
    slopes_ = what.order == 2;
    op_par_loop(kind_of_boundary, "kind_of_boundary", mesh.bfaces, op2::read(mesh.patch), op2::write(kind));
    smallest_.put(std::numeric_limits<double>::max());
    op_par_loop(start, "start", mesh.cells, op2::read(centre), op2::read(volume), op2::write(state),
                op2::gbl_min(smallest_));
    op2::check(op_last_status());
  }

  // One time step; the same one for all cells, or its own for each. Its loops may run together: what they reduce is
  // kept by the library until somebody asks for it.
  void step(bool same) {
    op2::chain step("step");
    loops_of_step(same);
    step.end();
    op2::check(op_last_status());
  }
  void loops_of_step(bool same) {
    op_par_loop(clear, "clear", mesh.cells, op2::write(speed));
    op_par_loop(speed_of_face, "speed_of_face", mesh.faces, op2::read(normal), op2::read(state, 0, mesh.face_cells),
                op2::read(state, 1, mesh.face_cells), op2::inc(speed, 0, mesh.face_cells),
                op2::inc(speed, 1, mesh.face_cells));
    op_par_loop(speed_of_boundary, "speed_of_boundary", mesh.bfaces, op2::read(bnormal),
                op2::read(state, 0, mesh.bface_cells), op2::inc(speed, 0, mesh.bface_cells));
    time_step_.put(std::numeric_limits<double>::max());
    const Stages &stages = !slopes_ ? damping : same ? accurate : damping_slopes;
    op_par_loop(begin_step, "begin_step", mesh.cells, op2::read(state), op2::read(speed), op2::read(volume),
                op2::gbl_read(&stages.courant), op2::write(old), op2::write(own_step), op2::gbl_min(time_step_));
    if (same)
      op_par_loop(same_step, "same_step", mesh.cells, op2::read(volume), op2::gbl_read(time_step_),
                  op2::write(own_step));
    for (const double weight : stages.weights) stage(weight);
  }

  Totals totals() {
    Totals out;
    op_par_loop(total, "total", mesh.cells, op2::read(volume), op2::read(state), op2::gbl_inc<5>(out.state.data()),
                op2::gbl_inc(&out.volume), op2::gbl_max(&out.difference));
    op2::check(op_last_status());
    return out;
  }

  // Root mean square of the density's difference from that of the spot, carried by the free stream for some time.
  double spot_error_after(double time) {
    double square = 0;
    op_par_loop(spot_error, "spot_error", mesh.cells, op2::read(centre), op2::read(volume), op2::read(state),
                op2::gbl_read(&time), op2::gbl_inc(&square));
    op2::check(op_last_status());
    return std::sqrt(square); // the volume of the box is 1
  }

  double smallest_volume() const { return smallest_.fetch(); }
  double time_step() const { return time_step_.fetch(); } // of the last step, the smallest one
  // Of the last stage, relative to what flows through a cell: mean, largest.
  double residual() const { return std::sqrt(square_.fetch() / (5.0 * static_cast<double>(mesh.cells.global_size()))); }
  double largest() const { return largest_.fetch(); }
  std::array<double, 5> leaving() const { return leaving_.fetch(); } // through the boundary per time, in the last stage
  std::array<double, 3> force() const { return force_.fetch(); }     // on the walls

  Mesh mesh;
  op2::dat<double, 5> state;

 private:
  // Three stages, of which the last one makes all of a step's change. van Leer's, Tai's and Powell's (AIAA paper
  // 89-1933) damp best with upwind fluxes of first and of second order.
  struct Stages {
    double courant;
    std::array<double, 3> weights;
  };
  static constexpr Stages damping = {1.5, {0.1481, 0.4, 1.0}}, damping_slopes = {1.3, {0.1918, 0.4929, 1.0}},
                          accurate = {0.8, {1.0 / 3, 0.5, 1.0}};

  op2::dat<double, 5> old, res;
  op2::dat<double, 4> weighted;
  op2::dat<double, 3> centre, normal, fcentre, bnormal, bcentre;
  op2::dat<double, 1> volume, speed, own_step;
  op2::dat<int, 1> kind;
  op2::dat<double, 6> directions;
  op2::dat<double, 15> slope;
  op2::global<double> smallest_{"smallest_volume"}, time_step_{"time_step"}, square_{"square"}, largest_{"largest"};
  op2::global<double, 5> leaving_{"leaving"};
  op2::global<double, 3> force_{"force"};
  bool slopes_ = false;

  void measure() {
    int corners = mesh.face_nodes.dim(), bcorners = mesh.bface_nodes.dim();
    const auto face_x = [&] { return op_arg_dat(mesh.x, -corners, mesh.face_nodes, 3, "double", OP_READ); };
    const auto bface_x = [&] { return op_arg_dat(mesh.x, -bcorners, mesh.bface_nodes, 3, "double", OP_READ); };
    op_par_loop(measure_face, "measure_face", mesh.faces, face_x(), op2::gbl_read(&corners), op2::write(normal),
                op2::write(fcentre), op2::inc(weighted, 0, mesh.face_cells), op2::inc(weighted, 1, mesh.face_cells));
    op_par_loop(measure_boundary, "measure_boundary", mesh.bfaces, bface_x(), op2::gbl_read(&bcorners),
                op2::write(bnormal), op2::write(bcentre), op2::inc(weighted, 0, mesh.bface_cells));
    op_par_loop(middle_of_cell, "middle_of_cell", mesh.cells, op2::read(weighted), op2::write(centre));
    op_par_loop(volume_of_face, "volume_of_face", mesh.faces, face_x(), op2::gbl_read(&corners),
                op2::read(centre, 0, mesh.face_cells), op2::read(centre, 1, mesh.face_cells),
                op2::inc(volume, 0, mesh.face_cells), op2::inc(volume, 1, mesh.face_cells));
    op_par_loop(volume_of_boundary, "volume_of_boundary", mesh.bfaces, bface_x(), op2::gbl_read(&bcorners),
                op2::read(centre, 0, mesh.bface_cells), op2::inc(volume, 0, mesh.bface_cells));
    op_par_loop(directions_of_face, "directions_of_face", mesh.faces, op2::read(centre, 0, mesh.face_cells),
                op2::read(centre, 1, mesh.face_cells), op2::inc(directions, 0, mesh.face_cells),
                op2::inc(directions, 1, mesh.face_cells));
    op_par_loop(directions_of_boundary, "directions_of_boundary", mesh.bfaces, op2::read(bnormal), op2::read(bcentre),
                op2::read(centre, 0, mesh.bface_cells), op2::inc(directions, 0, mesh.bface_cells));
    op_par_loop(invert, "invert", mesh.cells, op2::rw(directions));
  }

  void find_slopes() {
    op_par_loop(slopes_of_face, "slopes_of_face", mesh.faces, op2::read(centre, 0, mesh.face_cells),
                op2::read(centre, 1, mesh.face_cells), op2::read(state, 0, mesh.face_cells),
                op2::read(state, 1, mesh.face_cells), op2::inc(slope, 0, mesh.face_cells),
                op2::inc(slope, 1, mesh.face_cells));
    op_par_loop(slopes_of_boundary, "slopes_of_boundary", mesh.bfaces, op2::read(bnormal), op2::read(bcentre),
                op2::read(kind), op2::read(centre, 0, mesh.bface_cells), op2::read(state, 0, mesh.bface_cells),
                op2::inc(slope, 0, mesh.bface_cells));
    op_par_loop(fit, "fit", mesh.cells, op2::read(directions), op2::rw(slope));
  }

  void stage(double weight) {
    leaving_.put({});
    force_.put({});
    square_.put(0);
    largest_.put(0);
    if (slopes_) find_slopes();
    op_par_loop(flux_of_face, "flux_of_face", mesh.faces, op2::read(normal), op2::read(state, 0, mesh.face_cells),
                op2::read(state, 1, mesh.face_cells), op2::opt(slopes_, op2::read(fcentre)),
                op2::opt(slopes_, op2::read(centre, 0, mesh.face_cells)),
                op2::opt(slopes_, op2::read(centre, 1, mesh.face_cells)),
                op2::opt(slopes_, op2::read(slope, 0, mesh.face_cells)),
                op2::opt(slopes_, op2::read(slope, 1, mesh.face_cells)), op2::inc(res, 0, mesh.face_cells),
                op2::inc(res, 1, mesh.face_cells));
    op_par_loop(flux_of_boundary, "flux_of_boundary", mesh.bfaces, op2::read(bnormal), op2::read(kind),
                op2::read(state, 0, mesh.bface_cells), op2::inc(res, 0, mesh.bface_cells), op2::gbl_inc(leaving_),
                op2::gbl_inc(force_));
    op_par_loop(update, "update", mesh.cells, op2::read(old), op2::read(own_step), op2::read(speed),
                op2::gbl_read(&weight), op2::write(state), op2::rw(res), op2::opt(slopes_, op2::write(slope)),
                op2::gbl_inc(square_), op2::gbl_max(largest_));
  }
};

} // namespace euler

#endif

// SPDX-License-Identifier: MIT
