// flow_lines.hpp: streamlines of the flow, drawn while it is computed, each process in its own part of the mesh.
#ifndef OP2_EXAMPLES_FLOW_LINES_HPP
#define OP2_EXAMPLES_FLOW_LINES_HPP

#include <op2/compat.h>
#include <array>
#include <cstdio>
#include <op2/op2.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "euler_solver.hpp"

namespace euler {

// What the user wants of them.
struct LineWishes {
  std::string file;                         // lines.vtp becomes lines_000100.vtp; "": no lines
  std::array<double, 3> from = {}, to = {}; // seeds lie between these
  int count = 100, every = 100;             // seeds; steps of the solver between two files
};

class FlowLines {
 public:
  // The cells of the file, which must be of one type. Throws std::runtime_error, op2::error.
  FlowLines(const op2::file &file, const Mesh &mesh, LineWishes wishes)
      : wishes_(std::move(wishes)), velocity_(mesh.cells, nullptr, "velocity"), cells_(mesh.cells) {
    const auto cell_nodes = file.find_map(mesh.cells, mesh.nodes, "cell_nodes");
    if (!cell_nodes) throw std::runtime_error("--lines needs a mesh whose cells are all of one type (map cell_nodes)");
    op2::view view(mesh.x, "cells");
    view.cells(*cell_nodes, type_of(cell_nodes->dim()));
    tracer_ = op2::tracer(view, velocity_);
    if (op_is_root()) {
      seeds_.resize(3 * static_cast<std::size_t>(wishes_.count));
      op2::check(op_seed_line(3, wishes_.from.data(), wishes_.to.data(), wishes_.count, seeds_.data()));
    }
  }

  // After step n: draws and writes lines if it is time.
  void look(int n, const op2::dat<double, 5> &state) {
    if (n % wishes_.every != 0) return;
    double start = 0, now = 0;
    op_timers(nullptr, &start);
    op_par_loop(velocity_of, "velocity_of", cells_, op2::read(state), op2::write(velocity_));
    op_trace_params params = OP_TRACE_PARAMS;
    params.unit = "cells";
    params.step = 0.5;
    params.division = "mesh"; // where the solver has its cells
    params.every = 2;
    params.most_steps = 1000; // who turns in a vortex has been seen enough
    const op2::lines lines = tracer_.trace(static_cast<int>(seeds_.size() / 3), seeds_.data(), params);
    char number[16];
    std::snprintf(number, sizeof number, "_%06d", n);
    const std::size_t end = wishes_.file.rfind('.');
    lines.write(wishes_.file.substr(0, end) + number + wishes_.file.substr(end));
    op_timers(nullptr, &now);
    seconds += now - start;
    ++pictures;
  }

  double seconds = 0; // for all of them
  int pictures = 0;

 private:
  static op_cell_type type_of(int nodes) {
    return nodes == 4   ? OP_CELL_TETRAHEDRON
           : nodes == 5 ? OP_CELL_PYRAMID
           : nodes == 6 ? OP_CELL_PRISM
                        : OP_CELL_HEXAHEDRON;
  }

  LineWishes wishes_;
  op2::dat<double, 3> velocity_;
  op2::set cells_;
  op2::tracer tracer_;
  std::vector<double> seeds_;
};

} // namespace euler

#endif

// SPDX-License-Identifier: MIT
