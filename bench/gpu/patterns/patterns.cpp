// patterns.cpp: ping-pong, levels as those of HPGMG-FV, particles in cells as those of CoMD, a search level by level
// (BFS), elements and nodes as those of LULESH, and wide halos: only what decides about messages, not the physics.
#include "gpu/patterns/patterns.hpp"

#include <op2/compat.h>
#include <numeric>
#include <op2/op2.hpp>
#include <string>

#include "gpu/patterns/box.hpp"

namespace bench {

namespace {

using Cells = op2::dat<double, 1>;

int rank() {
  int out = 0;
  op_rank(&out);
  return out;
}
int processes() { return op_comm_size(); }
std::vector<double> start_values(const Box &box, int dim) {
  const long long first = static_cast<long long>(box.first()) * dim, count = static_cast<long long>(box.cells()) * dim;
  std::vector<double> out;
  for (long long i = first; i < first + count; ++i) out.push_back(1 + 0.001 * static_cast<double>(7 * i % 97));
  return out;
}
template <int Dim>
double sum(op2::dat<double, Dim> &dat, int rows) {
  std::vector<double> values(static_cast<std::size_t>(rows) * Dim);
  op_fetch_data(dat, values.data());
  return std::accumulate(values.begin(), values.end(), 0.0);
}
const std::vector<Box::Place> cross = {{0, 0, 0}, {-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};

void average(const double *const *in, double *out) {
  *out = 0.4 * in[0][0] + 0.1 * (in[1][0] + in[2][0] + in[3][0] + in[4][0] + in[5][0] + in[6][0]);
}

// A row goes there and back. `work`: steps of arithmetic in each loop, about 5 us on a GPU with 2 000 of them.
void bounce(const double *const *in, double *out, const int *work) {
  double x = in[1][0];
  for (int i = 0; i < *work; ++i) x = 0.5 * x + 0.25;
  *out = x;
}

class PingPong : public Pattern {
 public:
  PingPong(int n, int work) : box_(n, rank(), processes()), work_(work) {}
  void round() override {
    op_par_loop(bounce, "ping", cells_, op2::read(a_, op2::all<7>, cross_), op2::write(b_), op2::gbl_read(&work_));
    op_par_loop(bounce, "pong", cells_, op2::read(b_, op2::all<7>, cross_), op2::write(a_), op2::gbl_read(&work_));
  }
  double answer() override { return sum(a_, box_.cells()); }

 private:
  Box box_;
  int work_;
  op2::set cells_{box_.cells(), "cells"};
  op2::map cross_{cells_, cells_, 7, box_.targets(cross), "cross"};
  Cells a_{cells_, start_values(box_, 1), "a"}, b_{cells_, nullptr, "b"};
};

// A V-cycle: each level averages twice on its way down and on its way up.
void coarsen(const double *fine, double *coarse) { *coarse += 0.125 * *fine; }
void clear(double *value) { *value = 0; }
void refine(double *fine, const double *coarse) { *fine = 0.5 * (*fine + *coarse); }

struct Level {
  explicit Level(int n) : box(n, rank(), processes()) {}
  Box box;
  op2::set cells{box.cells(), "cells"};
  op2::map around{cells, cells, 7, box.targets(cross), "cross"};
  Cells u{cells, start_values(box, 1), "u"}, v{cells, nullptr, "v"};

  void smooth() {
    op_par_loop(average, "smooth", cells, op2::read(u, op2::all<7>, around), op2::write(v));
    op_par_loop(average, "smooth_back", cells, op2::read(v, op2::all<7>, around), op2::write(u));
  }
};

class Levels : public Pattern {
 public:
  explicit Levels(int n) {
    for (; n >= 2; n /= 2) levels_.push_back(std::make_unique<Level>(n));
    for (std::size_t l = 0; l + 1 < levels_.size(); ++l)
      to_coarse_.emplace_back(levels_[l]->cells, levels_[l + 1]->cells, 1, levels_[l]->box.parents(), "parent");
  }
  void round() override {
    for (std::size_t l = 0; l < to_coarse_.size(); ++l) {
      Level &fine = *levels_[l], &coarse = *levels_[l + 1];
      fine.smooth();
      op_par_loop(clear, "clear", coarse.cells, op2::write(coarse.u));
      op_par_loop(coarsen, "restrict", fine.cells, op2::read(fine.u), op2::inc(coarse.u, 0, to_coarse_[l]));
    }
    levels_.back()->smooth();
    for (std::size_t l = to_coarse_.size(); l-- > 0;) {
      Level &fine = *levels_[l], &coarse = *levels_[l + 1];
      op_par_loop(refine, "interpolate", fine.cells, op2::rw(fine.u), op2::read(coarse.u, 0, to_coarse_[l]));
      fine.smooth();
    }
  }
  double answer() override { return sum(levels_[0]->u, levels_[0]->box.cells()); }

 private:
  std::vector<std::unique_ptr<Level>> levels_;
  std::vector<op2::map> to_coarse_;
};

// Particles in cells, a row of four places each: forces of all neighbouring cells, then the particles move.
void force(const double *const *place, double *out) {
  for (int i = 0; i < 4; ++i) out[i] = 0;
  for (int c = 1; c < 27; ++c)
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        const double d = place[c][j] - place[0][i], r = d * d + 1;
        out[i] += d / (r * r) - 0.5 * d / (r * r * r);
      }
}
void drift(double *place, double *speed, const double *force) {
  for (int i = 0; i < 4; ++i) {
    speed[i] += 0.01 * force[i];
    place[i] += 0.01 * speed[i];
  }
}
std::vector<Box::Place> around_first() { // the cell itself comes first
  std::vector<Box::Place> out = {{0, 0, 0}};
  for (const Box::Place &d : Box::around(-1))
    if (d != Box::Place{0, 0, 0}) out.push_back(d);
  return out;
}

class Particles : public Pattern {
 public:
  explicit Particles(int n) : box_(n, rank(), processes()) {}
  void round() override {
    op_par_loop(force, "force", cells_, op2::read(place_, op2::all<27>, around_), op2::write(force_));
    op_par_loop(drift, "drift", cells_, op2::rw(place_), op2::rw(speed_), op2::read(force_));
  }
  double answer() override { return sum(place_, box_.cells()); }

 private:
  Box box_;
  op2::set cells_{box_.cells(), "cells"};
  op2::map around_{cells_, cells_, 27, box_.targets(around_first()), "around"};
  op2::dat<double, 4> place_{cells_, start_values(box_, 4), "place"}, speed_{cells_, nullptr, "speed"},
      force_{cells_, nullptr, "force"};
};

// A search: the cells next to those that the last step has reached. The host asks in each step whether there were any.
void reach(const double *const *depth, const double *now, double *next, int *count) {
  *next = depth[0][0];
  if (depth[0][0] >= 0) return;
  for (int c = 1; c < 7; ++c)
    if (depth[c][0] == *now) {
      *next = *now + 1;
      ++*count;
      return;
    }
}
void take(const double *next, double *depth) { *depth = *next; }
void forget(double *depth, const int *number) { *depth = *number == 0 ? 0 : -1; }

class Search : public Pattern {
 public:
  explicit Search(int n) : box_(n, rank(), processes()) {
    std::vector<int> numbers(static_cast<std::size_t>(box_.cells()));
    std::iota(numbers.begin(), numbers.end(), box_.first());
    numbers_ = op2::dat<int, 1>(cells_, numbers, "numbers");
    begin();
  }
  void round() override {
    int count = 0;
    op_par_loop(reach, "reach", cells_, op2::read(depth_, op2::all<7>, cross_), op2::gbl_read(&now_), op2::write(next_),
                op2::gbl_inc(&count));
    op_par_loop(take, "take", cells_, op2::read(next_), op2::write(depth_));
    ++now_;
    if (count == 0) begin(); // all are reached
  }
  double answer() override { return sum(depth_, box_.cells()); }

 private:
  void begin() {
    op_par_loop(bench::forget, "begin", cells_, op2::write(depth_), op2::read(numbers_));
    now_ = 0;
  }
  Box box_;
  double now_ = 0;
  op2::set cells_{box_.cells(), "cells"};
  op2::map cross_{cells_, cells_, 7, box_.targets(cross), "cross"};
  Cells depth_{cells_, nullptr, "depth"}, next_{cells_, nullptr, "next"};
  op2::dat<int, 1> numbers_;
};

// Elements add to their eight nodes, of which up to 26 other processes have some, and read them.
void strain(const double *const *speed, double *out) {
  double all = 0;
  for (int c = 0; c < 8; ++c) all += (c % 2 == 0 ? 1 : -1) * speed[c][0] + 0.5 * speed[c][1] - 0.25 * speed[c][2];
  *out = 0.125 * all;
}
void push(const double *strain, double *const *force) {
  for (int c = 0; c < 8; ++c)
    for (int d = 0; d < 3; ++d) force[c][d] += (c + d) % 2 == 0 ? *strain : -*strain;
}
void move_nodes(double *speed, double *force) {
  for (int d = 0; d < 3; ++d) {
    speed[d] = 0.99 * speed[d] + 0.01 * force[d];
    force[d] = 0;
  }
}

class Neighbours27 : public Pattern {
 public:
  explicit Neighbours27(int n) : box_(n, rank(), processes()) {}
  void round() override {
    op_par_loop(strain, "strain", elements_, op2::read(speed_, op2::all<8>, corners_), op2::write(strain_));
    op_par_loop(push, "push", elements_, op2::read(strain_), op2::inc(force_, op2::all<8>, corners_));
    op_par_loop(move_nodes, "move_nodes", nodes_, op2::rw(speed_), op2::rw(force_));
  }
  double answer() override { return sum(speed_, box_.cells()); }

 private:
  Box box_;
  op2::set elements_{box_.cells(), "elements"}, nodes_{box_.cells(), "nodes"};
  op2::map corners_{elements_, nodes_, 8, box_.targets(Box::around(0)), "corners"};
  Cells strain_{elements_, nullptr, "strain"};
  op2::dat<double, 3> speed_{nodes_, start_values(box_, 3), "speed"}, force_{nodes_, nullptr, "force"};
};

// Four averages with copies of one layer, or all four in a chain with copies of four layers: one exchange.
class Wide : public Pattern {
 public:
  Wide(int n, bool chain) : level_(n), chain_(chain) {}
  void round() override {
    if (!chain_) return smooth();
    op2::chain together("averages");
    smooth();
    together.end();
  }
  double answer() override { return sum(level_.u, level_.box.cells()); }

 private:
  void smooth() {
    level_.smooth();
    level_.smooth();
  }
  Level level_;
  bool chain_;
};

template <class Made, auto... Given>
std::unique_ptr<Pattern> make(int n) {
  return std::make_unique<Made>(n, Given...);
}

} // namespace

const std::vector<PatternKind> &patterns() {
  static const std::vector<PatternKind> all = {
      {"pingpong", 2, false, make<PingPong, 0>},   {"pingpong_5us", 2, false, make<PingPong, 2000>},
      {"levels", 2, false, make<Levels>},          {"particles", 2, false, make<Particles>},
      {"search", 2, true, make<Search>},           {"neighbours27", 8, false, make<Neighbours27>},
      {"thin_halos", 2, false, make<Wide, false>}, {"wide_halos", 2, false, make<Wide, true>}};
  return all;
}

} // namespace bench

// SPDX-License-Identifier: MIT
