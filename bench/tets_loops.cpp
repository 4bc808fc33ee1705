// tets_loops.cpp: the loops of the transport solver of examples/tets over cells and edges of tetrahedra, beside loops
// by hand over the same arrays, in turn. Each reads and adds to rows wherever the mesh's maps lead: in the order in
// which the box was made, and shuffled, where the library renumbers for itself and the hand-written loop takes what is
// there.
//
// Nothing is judged: what there is to gain depends on the machine's memory more than on anything else. `of_roofline`
// says how much of it is used: each row once for reading and once for writing, each entry of a map once, over the time
// that STREAM's loops need for as many bytes in the same run.
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "common/back_ends.hpp"
#include "common/measure.hpp"
#include "common/report.hpp"
#include "common/roofline.hpp"
#include "common/settings.hpp"
#include "common/stream.hpp"
#include "op2/op2.hpp"
// Where the library finds the kernels' text, too.
#include "../examples/tets/box_mesh.hpp"
#include "../examples/tets/tets_kernels.h"

namespace {

std::vector<float> waves(std::size_t count, float step) {
  std::vector<float> out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = 1.5f + std::sin(step * static_cast<float>(i % 9973));
  return out;
}

// The data of the solver as plain arrays.
struct Arrays {
  explicit Arrays(const box::Mesh &from)
      : mesh(from),
        c(waves(nodes(), 0.01f)),
        shape(waves(12 * cells(), 0.1f)),
        volume(waves(cells(), 0.2f)),
        D(waves(6 * cells(), 0.3f)),
        flow(waves(edges(), 0.7f)),
        grad(3 * nodes()),
        res(nodes()),
        normal(3 * edges()) {
    // As a flow across the box: its sign is the direction in which an edge is declared.
    constexpr float v[3] = {1.0f, 0.5f, -0.25f};
    for (std::size_t n = 0; n < edges(); ++n) {
      const auto i = static_cast<std::size_t>(mesh.edge_nodes[2 * n]),
                 j = static_cast<std::size_t>(mesh.edge_nodes[2 * n + 1]);
      float along = 0;
      for (std::size_t k = 0; k < 3; ++k) along += v[k] * (mesh.x[3 * j + k] - mesh.x[3 * i + k]);
      flow[n] = along < 0 ? -flow[n] : flow[n];
    }
  }
  [[nodiscard]] std::size_t nodes() const { return static_cast<std::size_t>(mesh.nnode); }
  [[nodiscard]] std::size_t cells() const { return static_cast<std::size_t>(mesh.ncell); }
  [[nodiscard]] std::size_t edges() const { return static_cast<std::size_t>(mesh.nedge); }

  const box::Mesh &mesh;
  std::vector<float> c, shape, volume, D, flow, grad, res, normal;
};

class ByHand {
 public:
  explicit ByHand(const box::Mesh &mesh) : a_(mesh) {}

  void diffuse_cells() {
    for (std::size_t n = 0; n < a_.cells(); ++n) {
      const float *c[4];
      float *grad[4], *res[4];
      for (std::size_t k = 0; k < 4; ++k) {
        const auto node = static_cast<std::size_t>(a_.mesh.cell_nodes[4 * n + k]);
        c[k] = &a_.c[node], grad[k] = &a_.grad[3 * node], res[k] = &a_.res[node];
      }
      diffuse(c, &a_.shape[12 * n], &a_.volume[n], &a_.D[6 * n], grad, res);
    }
  }
  void flux_of_edges() {
    for (std::size_t n = 0; n < a_.edges(); ++n) {
      const auto i = static_cast<std::size_t>(a_.mesh.edge_nodes[2 * n]),
                 j = static_cast<std::size_t>(a_.mesh.edge_nodes[2 * n + 1]);
      flux(&a_.flow[n], &a_.mesh.x[3 * i], &a_.mesh.x[3 * j], &a_.c[i], &a_.c[j], &a_.grad[3 * i], &a_.grad[3 * j],
           &a_.res[i], &a_.res[j]);
    }
  }
  void normals_of_edges() {
    for (std::size_t n = 0; n < a_.cells(); ++n) {
      float *normal[6];
      for (std::size_t k = 0; k < 6; ++k)
        normal[k] = &a_.normal[3 * static_cast<std::size_t>(a_.mesh.cell_edges[6 * n + k])];
      edge_normals(&a_.shape[12 * n], &a_.volume[n], normal);
    }
  }

 private:
  Arrays a_;
};

class ByLibrary {
 public:
  ByLibrary(const box::Mesh &mesh, const bench::BackEnd &end)
      : executor_("OP2_BACKEND", end.executor),
        threads_("OP2_NUM_THREADS", std::to_string(end.threads)),
        at_once_("OP2_JIT", "on"),
        state_(std::make_unique<State>(mesh)) {}

  void diffuse_cells() {
    State &s = *state_;
    op_par_loop(diffuse, "diffuse", s.cells, op2::read(s.c, op2::all<4>, s.cell_nodes), op2::read(s.shape),
                op2::read(s.volume), op2::read(s.D), op2::inc(s.grad, op2::all<4>, s.cell_nodes),
                op2::inc(s.res, op2::all<4>, s.cell_nodes));
  }
  void flux_of_edges() {
    State &s = *state_;
    op_par_loop(flux, "flux", s.edges, op2::read(s.flow), op2::read(s.x, 0, s.edge_nodes),
                op2::read(s.x, 1, s.edge_nodes), op2::read(s.c, 0, s.edge_nodes), op2::read(s.c, 1, s.edge_nodes),
                op2::read(s.grad, 0, s.edge_nodes), op2::read(s.grad, 1, s.edge_nodes),
                op2::inc(s.res, 0, s.edge_nodes), op2::inc(s.res, 1, s.edge_nodes));
  }
  void normals_of_edges() {
    State &s = *state_;
    op_par_loop(edge_normals, "edge_normals", s.cells, op2::read(s.shape), op2::read(s.volume),
                op2::inc(s.normal, op2::all<6>, s.cell_edges));
  }

 private:
  struct State {
    explicit State(const box::Mesh &mesh) : State(Arrays(mesh)) {}
    explicit State(const Arrays &a)
        : nodes(a.mesh.nnode, "nodes"),
          edges(a.mesh.nedge, "edges"),
          cells(a.mesh.ncell, "cells"),
          cell_nodes(cells, nodes, 4, a.mesh.cell_nodes.data(), "cell_nodes"),
          cell_edges(cells, edges, 6, a.mesh.cell_edges.data(), "cell_edges"),
          edge_nodes(edges, nodes, 2, a.mesh.edge_nodes.data(), "edge_nodes"),
          x(nodes, a.mesh.x.data(), "x"),
          grad(nodes, nullptr, "grad"),
          normal(edges, nullptr, "normal"),
          c(nodes, a.c.data(), "c"),
          res(nodes, nullptr, "res"),
          flow(edges, a.flow.data(), "flow"),
          volume(cells, a.volume.data(), "volume"),
          shape(cells, a.shape.data(), "shape"),
          D(cells, a.D.data(), "D") {
      op2::constant("small_square", small_square);
    }
    op2::context context;
    op2::set nodes, edges, cells;
    op2::map cell_nodes, cell_edges, edge_nodes;
    op2::dat<float, 3> x, grad, normal;
    op2::dat<float, 1> c, res, flow, volume;
    op2::dat<float, 12> shape;
    op2::dat<float, 6> D;
  };
  bench::Setting executor_, threads_, at_once_;
  std::unique_ptr<State> state_;
};

constexpr int comparing = 40; // runs in which the library compares the forms of a loop

// Bytes that each loop must move.
double diffuse_bytes(const box::Mesh &m) { return m.ncell * (4.0 * (12 + 1 + 6) + 16) + m.nnode * 4.0 * (1 + 2 * 4); }
double flux_bytes(const box::Mesh &m) { return m.nedge * (4.0 + 8) + m.nnode * 4.0 * (3 + 1 + 3 + 2); }
double normals_bytes(const box::Mesh &m) { return m.ncell * (4.0 * 13 + 24) + m.nedge * 4.0 * 2 * 3; }

void measure(const std::string &order, const box::Mesh &mesh, const bench::BackEnd &end, int rounds, double bandwidth) {
  ByHand hand(mesh);
  ByLibrary library(mesh, end);
  const auto loop = [&](const char *name, int elements, double bytes, auto run) {
    for (int i = 0; i < (rounds > bench::pairs_to_show ? comparing : 1); ++i) run(library);
    run(hand);
    bench::Pairs times;
    for (int i = 0; i < rounds; ++i)
      times.add(bench::seconds([&] { run(hand); }), bench::seconds([&] { run(library); }));
    const std::string row = "tets." + order + "." + end.name() + "." + name;
    bench::result(row + ".hand", 1e9 * bench::median(times.yardstick) / elements, "ns/element");
    bench::result(row + ".ours", 1e9 * bench::median(times.subject) / elements, "ns/element");
    bench::result(row + ".to_hand", times.ratio(), "x");
    bench::share_of_roofline("of_roofline." + row + ".ours", bytes, bench::median(times.subject), bandwidth);
  };
  loop("diffuse", mesh.ncell, diffuse_bytes(mesh), [](auto &by) { by.diffuse_cells(); });
  loop("flux", mesh.nedge, flux_bytes(mesh), [](auto &by) { by.flux_of_edges(); });
  loop("edge_normals", mesh.ncell, normals_bytes(mesh), [](auto &by) { by.normals_of_edges(); });
}

} // namespace

int main(int argc, char **argv) {
  const bool quick = bench::quick(argc, argv);
  small_square = 1e-6f;
  const bench::Setting when("OP2_JIT_FORM", quick ? "first" : "soon"); // quick: one form, without a choice
  for (const int shuffle : {0, 1})
    for (const bench::BackEnd &end : bench::back_ends()) {
      if (end.name() == "openmp1") continue; // as seq
      const box::Mesh mesh = box::make_mesh({quick ? 12 : 60, 10, shuffle});
      measure(shuffle ? "shuffled" : "ordered", mesh, end, quick ? bench::pairs_to_show : 21,
              quick ? 0 : stream_bandwidth(end.threads));
    }
  return 0;
}

// SPDX-License-Identifier: MIT
