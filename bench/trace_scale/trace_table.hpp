// trace_table.hpp: what was simulated, as tables for people and as lines for run.sh.
#ifndef OP2_BENCH_TRACE_TABLE_HPP
#define OP2_BENCH_TRACE_TABLE_HPP

#include <string>
#include <vector>

#include "trace_scale/trace_simulate.hpp"

namespace trace_scale {

struct Row {
  int processes = 1;
  double handed_over = 0, came_back = 0; // for each particle
  double cells = 1;                      // the most that a process knows, to the mean of what it owns
  Outcome tree, broadcast, reduction;
};

// seconds_alone: of all steps on one core. blocks: of each process.
void print_scaling(const std::vector<Row> &rows, int blocks, double seconds_alone);
void report_scaling(const std::vector<Row> &rows, int blocks, double seconds_alone);

// One parameter with several values, everything else as it was.
struct Variant {
  std::string name;
  Row row; // with a tree alone
};
void print_variants(const std::string &title, const std::vector<Variant> &variants, double seconds_alone);

} // namespace trace_scale

#endif

// SPDX-License-Identifier: MIT
