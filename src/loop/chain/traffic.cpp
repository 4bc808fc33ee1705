#include "loop/chain/traffic.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "loop/loop.hpp"

namespace op2::core {

namespace {

// Of each column of a map that the loops use.
double column_bytes(std::span<Loop *const> loops) {
  double out = 0;
  std::set<std::pair<const Map *, int>> columns;
  for (const Loop *loop : loops)
    for (const LoopArg &arg : loop->signature().args)
      for (int c = 0; arg.map && c < std::max(arg.count, 1); ++c)
        if (columns.insert({arg.map, arg.column + c}).second) out += 4.0 * loop->signature().set.size;
  return out;
}

} // namespace

double touched_bytes(std::span<Loop *const> loops) {
  double out = column_bytes(loops);
  std::set<const Dat *> dats;
  for (const Loop *loop : loops)
    for (const LoopArg &arg : loop->signature().args)
      if (arg.dat && dats.insert(arg.dat).second) out += static_cast<double>(arg.dat->host.bytes());
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
