// scale_table.hpp: the figures of the scale study for each number of parts, as a table for people, lines for run.sh and
// CSV for programs.
#ifndef OP2_BENCH_SCALE_TABLE_HPP
#define OP2_BENCH_SCALE_TABLE_HPP

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "scale/scale_cost.hpp"

namespace scale {

struct Spread { // over the parts
  double most = 0, mean = 0;
};
template <class Number>
Spread spread(const std::vector<Number> &values) {
  Spread out;
  for (const Number value : values) {
    out.most = values.empty() ? 0 : std::max(out.most, static_cast<double>(value));
    out.mean += static_cast<double>(value) / static_cast<double>(values.size());
  }
  return out;
}

struct Row {
  int parts = 1;
  std::vector<Spread> owned, core, exec, nonexec; // by set
  Spread copies;                                  // of all sets together, relative to what is owned
  Spread neighbours, messages, bytes;             // messages and bytes sent in one iteration
  std::int64_t all_messages = 0, all_bytes = 0;
  Spread memory;
  Prediction time;
  double seconds = 0; // that it took to divide the mesh and to find the halos
};
Row row_of(const Problem &problem, const std::vector<SetHalo> &halos, const Schedule &schedule,
           const std::vector<LoopTime> &times, const Wire &wire, int parts);

// "before res_calc: q and adt (executed and read copies)", a line each.
std::string summary(const Problem &problem, const std::vector<Exchange> &exchanges);

// seconds_alone: one process by the same times of loops.
void print_header();
void print_row(const Row &row, double seconds_alone);
void report_row(const Row &row, double seconds_alone);
void write_csv(std::FILE *out, const Problem &problem, const std::vector<Row> &rows, double seconds_alone);

} // namespace scale

#endif

// SPDX-License-Identifier: MIT
