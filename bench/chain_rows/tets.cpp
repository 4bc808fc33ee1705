// tets.cpp: see tets.hpp.
#include "chain_rows/tets.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

#include "op2/op2.hpp"
// Where the library finds the kernels' text, too.
#include "../../examples/tets/box_mesh.hpp"
#include "../../examples/tets/tets_kernels.h"

namespace {

std::vector<float> waves(int count, float step) {
  std::vector<float> out(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = 1.5f + std::sin(step * static_cast<float>(i % 9973));
  return out;
}

} // namespace

struct TetSteps::State {
  State(const box::Mesh &mesh, const char *executor, int threads)
      : context(executor, threads),
        nodes(mesh.nnode, "nodes"),
        edges(mesh.nedge, "edges"),
        cells(mesh.ncell, "cells"),
        cell_nodes(cells, nodes, 4, mesh.cell_nodes.data(), "cell_nodes"),
        edge_nodes(edges, nodes, 2, mesh.edge_nodes.data(), "edge_nodes"),
        x(nodes, mesh.x.data(), "x"),
        grad(nodes, nullptr, "grad"),
        c(nodes, waves(mesh.nnode, 0.01f), "c"),
        old(nodes, nullptr, "old"),
        res(nodes, nullptr, "res"),
        part(nodes, std::vector<float>(static_cast<std::size_t>(mesh.nnode), 1.0f), "part"),
        flow(edges, waves(mesh.nedge, 0.7f), "flow"),
        volume(cells, waves(mesh.ncell, 0.2f), "volume"),
        shape(cells, waves(12 * mesh.ncell, 0.1f), "shape"),
        D(cells, waves(6 * mesh.ncell, 0.3f), "D") {
    small_square = 1e-6f;
    op2::constant("small_square", small_square);
  }
  void step() {
    op_par_loop(save, "save", nodes, op2::read(c), op2::write(old));
    for (const float share : {0.0f, 0.5f}) {
      op_par_loop(diffuse, "diffuse", cells, op2::read(c, op2::all<4>, cell_nodes), op2::read(shape), op2::read(volume),
                  op2::read(D), op2::inc(grad, op2::all<4>, cell_nodes), op2::inc(res, op2::all<4>, cell_nodes));
      op_par_loop(average, "average", nodes, op2::read(part), op2::rw(grad));
      op_par_loop(flux, "flux", edges, op2::read(flow), op2::read(x, 0, edge_nodes), op2::read(x, 1, edge_nodes),
                  op2::read(c, 0, edge_nodes), op2::read(c, 1, edge_nodes), op2::read(grad, 0, edge_nodes),
                  op2::read(grad, 1, edge_nodes), op2::inc(res, 0, edge_nodes), op2::inc(res, 1, edge_nodes));
      const float weights[3] = {share, 1.0f - share, 1e-9f};
      op_par_loop(update, "update", nodes, op2::read(old), op2::read(part), op2::rw(c), op2::rw(res), op2::write(grad),
                  op2::gbl_read<3>(weights), op2::index(), op2::gbl_inc(mass), op2::gbl_max(most),
                  op2::payload(most_at, 8), op2::gbl_min(least), op2::payload(least_at, 10));
    }
  }

  op2::context context;
  op2::set nodes, edges, cells;
  op2::map cell_nodes, edge_nodes;
  op2::dat<float, 3> x, grad;
  op2::dat<float, 1> c, old, res, part, flow, volume;
  op2::dat<float, 12> shape;
  op2::dat<float, 6> D;
  op2::global<double> mass{"mass"};
  op2::global<float> most{"most"}, least{"least"};
  op2::global<int> most_at{"most_at", -1}, least_at{"least_at", -1};
};

TetSteps::TetSteps(int n, const char *executor, int threads)
    : state_(std::make_unique<State>(box::make_mesh({n, 10, 0}), executor, threads)) {}
TetSteps::~TetSteps() = default;

void TetSteps::run(int steps, bool together) {
  if (together) op_chain_begin("steps");
  for (int k = 0; k < steps; ++k) state_->step();
  if (together) op_chain_end();
}

// SPDX-License-Identifier: MIT
