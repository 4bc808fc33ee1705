// gpu_launch.cpp: what a call of a loop costs on a GPU when the loop itself is nothing: a sequence of five loops over a
// thousand elements, again and again, with CUDA graphs and without; and with one of them reducing, which waits.
//
// Judged on an H200, as the project promises.
#include <op2/compat.h>
#include <op2/op2.hpp>
#include <string>
#include <vector>

#include "common/measure.hpp"
#include "common/report.hpp"
#include "common/settings.hpp"
#include "gpu/gpu_driver.hpp"

namespace {

constexpr double most_plain = 6, most_in_graph = 2.5; // us for each loop
constexpr int elements = 1000, loops = 5;

void copy(const double *from, double *to) { *to = *from; }
void grow(double *value) { *value *= 1.0000001; }
void spread(const double *value, double *left, double *right) {
  *left += 0.25 * *value;
  *right += 0.25 * *value;
}
void mean(const double *a, const double *b, double *out) { *out = 0.5 * (*a + *b); }
void total(const double *value, double *sum) { *sum += *value; }

class Sequence {
 public:
  Sequence() {
    std::vector<int> table;
    for (int i = 0; i < elements; ++i) table.insert(table.end(), {i, (i + 1) % elements});
    edge_cells_ = op2::map(edges_, cells_, 2, table, "edge_cells");
  }
  void run() {
    op_par_loop(copy, "copy", cells_, op2::read(a_), op2::write(b_));
    op_par_loop(grow, "grow", cells_, op2::rw(b_));
    op_par_loop(spread, "spread", edges_, op2::read(e_), op2::inc(a_, 0, edge_cells_), op2::inc(a_, 1, edge_cells_));
    op_par_loop(mean, "mean", edges_, op2::read(b_, 0, edge_cells_), op2::read(b_, 1, edge_cells_), op2::write(e_));
    op_par_loop(grow, "grow_edges", edges_, op2::rw(e_));
  }
  double reduce() {
    double sum = 0;
    op_par_loop(total, "total", cells_, op2::read(a_), op2::gbl_inc(&sum));
    return sum;
  }

 private:
  op2::context context_{"cuda", 1};
  op2::set cells_{elements, "cells"}, edges_{elements, "edges"};
  op2::map edge_cells_;
  op2::dat<double, 1> a_{cells_, nullptr, "a"}, b_{cells_, nullptr, "b"}, e_{edges_, nullptr, "e"};
};

// Microseconds for each loop of the sequence, and for a loop that reduces.
struct Cost {
  double sequence, reduction;
};

Cost measure(int repetitions) {
  Sequence sequence;
  double wall = 0;
  std::vector<double> sequences, reductions;
  for (int round = -2; round < bench::fewest_pairs; ++round) {
    const double a = bench::seconds([&] {
      for (int i = 0; i < repetitions; ++i) sequence.run();
      op_timers(nullptr, &wall);
    });
    const double b = bench::seconds([&] {
      for (int i = 0; i < repetitions; ++i) sequence.reduce();
    });
    if (round < 0) continue;
    sequences.push_back(1e6 * a / repetitions / loops);
    reductions.push_back(1e6 * b / repetitions);
  }
  return {bench::median(sequences), bench::median(reductions)};
}

} // namespace

int main(int argc, char **argv) {
  const int repetitions = bench::quick(argc, argv) ? 5 : 1000;
  std::string why;
  const auto gpu = bench::GpuDriver::open(why);
  if (!gpu) {
    bench::skip("gpu_launch", why);
    return 0;
  }
  const bool judged = gpu->device().find("H200") != std::string::npos;
  const bench::Setting fallback("OP2_FALLBACK", "error");
  for (const char *graphs : {"off", "auto"}) {
    const bench::Setting setting("OP2_CUDA_GRAPHS", graphs);
    const Cost cost = measure(repetitions);
    const bool plain = std::string(graphs) == "off";
    const std::string row = std::string("gpu_launch.") + (plain ? "plain" : "graphs") + ".";
    bench::result(row + "loop", cost.sequence, "us");
    bench::result(row + "reduction", cost.reduction, "us");
    if (judged)
      bench::check(row + "loop", cost.sequence, plain ? most_plain : most_in_graph, bench::Better::below, "us");
  }
  return 0;
}

// SPDX-License-Identifier: MIT
