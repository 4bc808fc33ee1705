#include "loop/phases/traffic.hpp"

#include <algorithm>
#include <map>
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
    for (const LoopArg &arg : loop->what().args)
      for (int c = 0; arg.map && c < std::max(arg.count, 1); ++c)
        if (columns.insert({arg.map, arg.column + c}).second) out += 4.0 * loop->what().set.size;
  return out;
}

double moved_bytes(std::span<Loop *const> loops) {
  std::map<const Dat *, bool> changed; // and whether it is read; what is written first is not
  double out = column_bytes(loops);
  const auto bytes = [](const Dat *dat) { return static_cast<double>(dat->host.bytes()); };
  for (const Loop *loop : loops)
    for (const LoopArg &arg : loop->what().args) {
      if (!arg.dat) continue;
      const auto [at, is_new] = changed.try_emplace(arg.dat, false);
      if (is_new && arg.access != OP_WRITE) out += bytes(arg.dat);
      at->second = at->second || arg.access != OP_READ;
    }
  for (const auto &[dat, is_changed] : changed)
    if (is_changed) out += bytes(dat);
  return out;
}

} // namespace

double touched_bytes(std::span<Loop *const> loops) {
  double out = column_bytes(loops);
  std::set<const Dat *> dats;
  for (const Loop *loop : loops)
    for (const LoopArg &arg : loop->what().args)
      if (arg.dat && dats.insert(arg.dat).second) out += static_cast<double>(arg.dat->host.bytes());
  return out;
}

double traffic_of(std::span<Loop *const> loops, std::span<const ChainPhase> phases) {
  double together = 0, apart = 0;
  for (const ChainPhase &phase : phases) together += moved_bytes(loops.subspan(phase.first, phase.last - phase.first));
  for (std::size_t l = 0; l < loops.size(); ++l) apart += moved_bytes(loops.subspan(l, 1));
  return apart > 0 ? together / apart : 1;
}

} // namespace op2::core
