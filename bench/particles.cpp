// particles.cpp: particles that fly through a box of tetrahedra, are followed from cell to cell, and lay their charge
// onto the nodes, beside the same by hand: one array of particles, each followed to its cell before the next one.
//
// By hand particles stay where they are in memory, in the order of their first cells; the library sorts them after each
// move. Both begin alike, and the charge must be the same to rounding at the end. Nothing else is judged.
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/back_ends.hpp"
#include "common/measure.hpp"
#include "common/report.hpp"
#include "common/settings.hpp"
#include "op2/op2.hpp"
// Where the library finds the kernels' text, too.
#include "../examples/tets/box_mesh.hpp"

namespace {

// Straight on, and back from the walls of the unit box.
void fly(double *x, double *v) {
  for (int d = 0; d < 3; ++d) {
    x[d] += v[d];
    if (x[d] < 0 || x[d] > 1) {
      x[d] = x[d] < 0 ? -x[d] : 2 - x[d];
      v[d] = -v[d];
    }
  }
}

// shape: the weight of node k at x is shape[4 k] + shape[4 k + 1] x[0] + ... To the neighbour opposite to the node with
// the least weight, if that is below what rounding makes of a side.
void walk(const double *x, const double *shape, const long long *beside, long long *next) {
  double least = -1e-12;
  next[0] = OP_PARTICLE_ARRIVED;
  for (int k = 0; k < 4; ++k) {
    const double w = shape[4 * k] + shape[4 * k + 1] * x[0] + shape[4 * k + 2] * x[1] + shape[4 * k + 3] * x[2];
    if (w < least && beside[k] >= 0) {
      least = w;
      next[0] = beside[k];
    }
  }
}

void lay(const double *x, const double *shape, double *const *charge) {
  for (int k = 0; k < 4; ++k)
    charge[k][0] += shape[4 * k] + shape[4 * k + 1] * x[0] + shape[4 * k + 2] * x[1] + shape[4 * k + 3] * x[2];
}

void clear(double *charge) { charge[0] = 0; }

struct Cells {
  box::Mesh mesh;
  std::vector<double> shape;     // [cells][4][4]
  std::vector<long long> beside; // [cells][4], opposite to node k
};

Cells cells_of(box::Mesh mesh) {
  Cells out{std::move(mesh), {}, {}};
  const auto count = static_cast<std::size_t>(out.mesh.ncell);
  out.shape.resize(16 * count);
  out.beside.assign(4 * count, -1);
  float most = 0;
  for (const float x : out.mesh.x) most = std::max(most, x);
  for (float &x : out.mesh.x) x /= most;
  std::map<std::array<int, 3>, std::size_t> open; // sides seen once
  for (std::size_t c = 0; c < count; ++c) {
    const int *const nodes = &out.mesh.cell_nodes[4 * c];
    const auto at = [&](std::size_t k, std::size_t d) {
      return static_cast<double>(out.mesh.x[3 * static_cast<std::size_t>(nodes[k]) + d]);
    };
    for (std::size_t k = 0; k < 4; ++k) {
      std::array<std::size_t, 3> o{};
      for (std::size_t n = 0, i = 0; n < 4; ++n)
        if (n != k) o[i++] = n;
      // The plane through the other three nodes, 1 at node k.
      double a[3], b[3], normal[3], level = 0, here = 0;
      for (std::size_t d = 0; d < 3; ++d) a[d] = at(o[1], d) - at(o[0], d), b[d] = at(o[2], d) - at(o[0], d);
      for (std::size_t d = 0; d < 3; ++d) {
        const std::size_t e = (d + 1) % 3, f = (d + 2) % 3;
        normal[d] = a[e] * b[f] - a[f] * b[e];
        level += normal[d] * at(o[0], d);
        here += normal[d] * at(k, d);
      }
      double *const w = &out.shape[16 * c + 4 * k];
      w[0] = -level / (here - level);
      for (std::size_t d = 0; d < 3; ++d) w[1 + d] = normal[d] / (here - level);
      std::array<int, 3> side = {nodes[o[0]], nodes[o[1]], nodes[o[2]]};
      std::sort(side.begin(), side.end());
      const auto [other, fresh] = open.emplace(side, 4 * c + k);
      if (fresh) continue;
      out.beside[4 * c + k] = static_cast<long long>(other->second / 4);
      out.beside[other->second] = static_cast<long long>(c);
      open.erase(other);
    }
  }
  return out;
}

struct Flight { // of all particles
  std::vector<op_gindex> cell;
  std::vector<double> x, v; // [particles][3]
};

Flight start(const Cells &cells, int each, double speed) {
  Flight out;
  std::uint32_t seed = 1;
  const auto random = [&seed] { return (seed = seed * 1664525u + 1013904223u) / 4294967296.0; };
  for (std::size_t c = 0; c < static_cast<std::size_t>(cells.mesh.ncell); ++c)
    for (int n = 0; n < each; ++n) {
      double share[4], sum = 0;
      for (double &s : share) sum += s = 0.05 + random();
      out.cell.push_back(static_cast<op_gindex>(c));
      for (std::size_t d = 0; d < 3; ++d) {
        double x = 0;
        for (std::size_t k = 0; k < 4; ++k)
          x += share[k] / sum *
               static_cast<double>(cells.mesh.x[3 * static_cast<std::size_t>(cells.mesh.cell_nodes[4 * c + k]) + d]);
        out.x.push_back(x);
        out.v.push_back(speed * (2 * random() - 1));
      }
    }
  return out;
}

class ByHand {
 public:
  ByHand(const Cells &cells, const Flight &flight) : cells_(cells), its_(flight), charge_(cells.mesh.x.size() / 3) {}
  void step() {
    std::fill(charge_.begin(), charge_.end(), 0);
    for (std::size_t n = 0; n < its_.cell.size(); ++n) {
      double *const x = &its_.x[3 * n];
      fly(x, &its_.v[3 * n]);
      long long next = 0;
      auto cell = static_cast<std::size_t>(its_.cell[n]);
      do {
        walk(x, &cells_.shape[16 * cell], &cells_.beside[4 * cell], &next);
        if (next >= 0) cell = static_cast<std::size_t>(next);
      } while (next >= 0);
      its_.cell[n] = static_cast<op_gindex>(cell);
      double *charge[4];
      for (std::size_t k = 0; k < 4; ++k)
        charge[k] = &charge_[static_cast<std::size_t>(cells_.mesh.cell_nodes[4 * cell + k])];
      lay(x, &cells_.shape[16 * cell], charge);
    }
  }
  const std::vector<double> &charge() const { return charge_; }

 private:
  const Cells &cells_;
  Flight its_;
  std::vector<double> charge_;
};

class ByLibrary {
 public:
  ByLibrary(const Cells &cells, const Flight &flight, const bench::BackEnd &end)
      : executor_("OP2_BACKEND", end.executor),
        threads_("OP2_NUM_THREADS", std::to_string(end.threads)),
        at_once_("OP2_JIT", "on"),
        state_(std::make_unique<State>(cells)) {
    state_->ions.add(flight.cell, {{state_->x, flight.x}, {state_->v, flight.v}});
  }
  void step() {
    State &s = *state_;
    op_par_loop(clear, "clear", s.nodes, op2::write(s.charge));
    timed(times.fly, [&] { op_par_loop(fly, "fly", s.ions, op2::rw(s.x), op2::rw(s.v)); });
    op_gindex left = 0;
    do {
      timed(times.walk, [&] {
        op_par_loop(walk, "walk", s.ions, op2::read(s.x), op2::read(s.shape, 0, s.in), op2::read(s.beside, 0, s.in),
                    op2::write(s.next));
      });
      timed(times.move, [&] { left = s.ions.move(); });
    } while (left > 0);
    timed(times.lay, [&] {
      op_par_loop(lay, "lay", s.ions, op2::read(s.x), op2::read(s.shape, 0, s.in),
                  op2::inc(s.charge, op2::all<4>, s.ion_nodes));
    });
  }
  std::vector<double> charge() const { return state_->charge.fetch(); }
  struct {
    double fly = 0, walk = 0, move = 0, lay = 0;
  } times; // of all steps

 private:
  template <class Run>
  static void timed(double &sum, Run &&run) {
    sum += bench::seconds(run);
  }
  struct State {
    explicit State(const Cells &c)
        : nodes(c.mesh.nnode, "nodes"),
          cells(c.mesh.ncell, "cells"),
          cell_nodes(cells, nodes, 4, c.mesh.cell_nodes.data(), "cell_nodes"),
          shape(cells, c.shape, "shape"),
          beside(cells, c.beside, "beside"),
          charge(nodes, nullptr, "charge"),
          ions(cells, "ions"),
          in(ions.cell()),
          ion_nodes(op2::compose(in, cell_nodes, "ion_nodes")),
          x(ions, nullptr, "x"),
          v(ions, nullptr, "v"),
          next(ions.next()) {}
    op2::context context;
    op2::set nodes, cells;
    op2::map cell_nodes;
    op2::dat<double, 16> shape;
    op2::dat<long long, 4> beside;
    op2::dat<double, 1> charge;
    op2::particles ions;
    op2::map in, ion_nodes;
    op2::dat<double, 3> x, v;
    op2::dat<long long, 1> next;
  };
  bench::Setting executor_, threads_, at_once_;
  std::unique_ptr<State> state_;
};

void measure(const std::string &order, const Cells &cells, const bench::BackEnd &end, int each, double speed,
             int steps) {
  const Flight flight = start(cells, each, speed);
  ByHand hand(cells, flight);
  ByLibrary library(cells, flight, end);
  const int first = std::min(steps, 8); // code is made, and chosen
  for (int i = 0; i < first; ++i) hand.step(), library.step();
  library.times = {};
  bench::Pairs pairs;
  for (int i = 0; i < steps; ++i)
    pairs.add(bench::seconds([&] { hand.step(); }), bench::seconds([&] { library.step(); }));
  const double per = 1e9 / static_cast<double>(flight.cell.size());
  const std::string row = "particles." + order + "." + end.name() + ".";
  bench::result(row + "hand", per * bench::median(pairs.yardstick), "ns/particle");
  bench::result(row + "ours", per * bench::median(pairs.subject), "ns/particle");
  bench::result(row + "fly", per * library.times.fly / steps, "ns/particle");
  bench::result(row + "walk", per * library.times.walk / steps, "ns/particle");
  bench::result(row + "move", per * library.times.move / steps, "ns/particle");
  bench::result(row + "lay", per * library.times.lay / steps, "ns/particle");
  bench::result(row + "to_hand", pairs.ratio(), "x");
  double worst = 0;
  const std::vector<double> charge = library.charge();
  for (std::size_t n = 0; n < charge.size(); ++n)
    bench::raise(worst, std::abs(charge[n] - hand.charge()[n]) / (1 + std::abs(hand.charge()[n])));
  bench::exact(row + "error", worst, 1e-11, "");
}

} // namespace

int main(int argc, char **argv) {
  const bool quick = bench::quick(argc, argv);
  const bench::Setting when("OP2_JIT_FORM", quick ? "first" : "soon"); // quick: one form, without a choice
  for (const int shuffle : {0, 1}) {
    const Cells cells = cells_of(box::make_mesh({quick ? 8 : 40, 10, shuffle}));
    for (const bench::BackEnd &end : bench::back_ends())
      if (end.name() != "openmp1") // as seq
        measure(shuffle ? "shuffled" : "ordered", cells, end, quick ? 1 : 4, quick ? 0.03 : 0.006, quick ? 3 : 21);
  }
  return 0;
}

// SPDX-License-Identifier: MIT
