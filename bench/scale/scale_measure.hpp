// scale_measure.hpp: what the scale study measures: times of loops and messages, and real runs on several ranks. All of
// it in programs of their own, whose lines are read here.
#ifndef OP2_BENCH_SCALE_MEASURE_HPP
#define OP2_BENCH_SCALE_MEASURE_HPP

#include <cstdint>
#include <string>
#include <vector>

#include "scale/scale_cost.hpp"

namespace scale {

struct Grid { // of naca::make_mesh
  int I, J;
};
// About so many cells, three times as long as wide like the others.
Grid grid_of(int cells);

// What others do on the machine makes times longer, never shorter: the fastest ones are the machine's, the median is
// what runs beside them got.
struct MeasuredLoops {
  std::vector<LoopTime> fastest, median; // by the loops' numbers
  double fastest_iteration = 0;          // seconds on the last of the grids
};
// On one process, executor seq; with `at_once` processes beside each other, which share the memory but nothing else,
// the slowest of them. Throws std::runtime_error when the program fails, like the others here.
MeasuredLoops measure_loops(const std::vector<Grid> &grids, int at_once = 1);

// Were programs for several ranks built?
bool has_ranks();

// Between pairs of ranks of a job of this size, the fastest of so many samples.
Wire measure_wire(int ranks, int samples);

struct RealRun {
  double iteration = 0, fastest = 0;                        // seconds: median and smallest
  std::vector<std::int64_t> messages, bytes;                // that each rank sends in an iteration
  std::vector<std::vector<int>> owned, core, exec, nonexec; // [set][rank]
};
// `part`: the rank of each cell. chain: 0, or so many iterations in a chain with one exchange, which count as one.
RealRun run_on_ranks(int ranks, const Grid &grid, const std::vector<int> &part, int iterations, int chain = 0);

} // namespace scale

#endif

// SPDX-License-Identifier: MIT
