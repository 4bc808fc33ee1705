#include "jit/loop/runs.hpp"

#include <algorithm>
#include <vector>

namespace op2::core::jit {

namespace {

constexpr int most_blocks = 64; // of the sample
// Of the blocks, to be worth the test. Measured with a flux kernel: all runs save a fifth to a quarter of the time,
// none cost a tenth. With runs scattered at random, both ways were even at a quarter (data in caches) to a half (data
// in memory).
constexpr double least_share = 0.5;

constexpr int most_columns = 32; // bits of the mask in the test
// Shorter vectors are hardly longer than rows; then only loops gain that add to rows or read single values.
constexpr int many_lanes = 8, least_lanes = 4;

// The columns of one map that the loop follows.
struct Columns {
  int map, columns; // of the map
  int first;        // an argument with the lowest column
  int lowest;
  std::vector<int> used;
};

std::vector<Columns> columns_of(const LoopParts &parts) {
  std::vector<Columns> out;
  for (int i = 0; i < parts.nargs(); ++i) {
    const ArgShape &arg = parts.arg(i);
    if (!parts.through_map(i)) continue;
    auto at = std::find_if(out.begin(), out.end(), [&](const Columns &c) { return c.map == arg.map; });
    if (at == out.end()) at = out.insert(out.end(), {arg.map, arg.columns, i, arg.column, {}});
    if (arg.column < at->lowest) {
      at->lowest = arg.column;
      at->first = i;
    }
    for (int j = 0; j < parts.pointers(i); ++j) at->used.push_back(arg.column + j);
  }
  return out;
}

} // namespace

bool counts_up(const MapColumn &column, std::ptrdiff_t from, int period) {
  for (int k = period; k < period * block_lanes; ++k) {
    const std::ptrdiff_t n = from + k;
    if (column.entries[n * column.step] != column.entries[(n - period) * column.step] + 1) return false;
  }
  return true;
}

std::vector<std::ptrdiff_t> sampled_blocks(int size, int period) {
  std::vector<std::ptrdiff_t> out;
  const int places = size - period * block_lanes + 1, blocks = std::min(most_blocks, places);
  for (int b = 0; b < blocks; ++b) out.push_back(static_cast<std::ptrdiff_t>(places - 1) * b / std::max(blocks - 1, 1));
  return out;
}

int period_of_runs(std::span<const MapColumn> columns, int size) {
  if (columns.empty()) return 0;
  for (const int period : {1, 2}) {
    const std::vector<std::ptrdiff_t> blocks = sampled_blocks(size, period);
    int runs = 0;
    for (const std::ptrdiff_t from : blocks)
      runs += std::all_of(columns.begin(), columns.end(),
                          [&](const MapColumn &column) { return counts_up(column, from, period); });
    if (!blocks.empty() && runs >= least_share * static_cast<double>(blocks.size())) return period;
  }
  return 0;
}

int usable_period(const LoopParts &parts, int lanes) {
  const int period = parts.shape().runs;
  const std::vector<Columns> maps = columns_of(parts);
  if (period == 0 || lanes < least_lanes || maps.empty() || parts.any_split()) return 0;
  bool gains = lanes >= many_lanes;
  for (int i = 0; i < parts.nargs(); ++i)
    gains = gains || parts.added(i) || (parts.through_map(i) && parts.arg(i).dim == 1);
  if (!gains) return 0;
  if (std::any_of(maps.begin(), maps.end(), [](const Columns &c) { return c.columns > most_columns; })) return 0;
  // Lanes would reduce other elements than they do elsewhere.
  for (int i = 0; period > 1 && i < parts.nargs(); ++i)
    if (parts.arg(i).kind == OP_RANGE_GLOBAL && parts.arg(i).access != OP_READ) return 0;
  return period;
}

std::string columns_are_adjacent(const LoopParts &parts) {
  std::string out;
  for (const Columns &map : columns_of(parts))
    for (int i = 0; i < parts.nargs(); ++i) {
      if (!parts.through_map(i) || parts.arg(i).map != map.map || parts.same_column(i) != i || i == map.first) continue;
      out += text(out.empty() ? "" : " && ", parts.column(i), " == ", parts.column(map.first), " + ",
                  parts.arg(i).column - map.lowest);
    }
  return out.empty() ? "true" : out;
}

std::string elements_are_runs(const LoopParts &parts, int lanes, int period, const char *first) {
  std::string out;
  for (const Columns &map : columns_of(parts)) {
    unsigned used = 0;
    for (const int column : map.used) used |= 1u << (column - map.lowest);
    out += text(out.empty() ? "" : " && ", "counts_up<", map.columns, ", ", period, ", ", lanes, ", ", used, "u>(",
                parts.column(map.first), " + ", first, " * ", map.columns, ")");
  }
  return out;
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
