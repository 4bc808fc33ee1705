#include "jit/loop/falling.hpp"

#include <algorithm>

namespace op2::core::jit {

namespace {

// Columns. More are not worth sorting. Fewer are faster row by row: a whole vector is loaded where part of it was
// stored just before, and waits for that store. Kernels of few operations do not hide it (1.6 times as long with four
// columns, 1.1 to 1.5 with two), those of many do (aero's spMV 0.93 with its mesh in cache, 0.75 in memory): it is a
// form of its own, to be chosen by time.
constexpr std::size_t fewest_falling = 4, most_falling = 16;

// Rows of one value. Longer ones are whole vectors already.
bool may_fall(const LoopParts &parts, int i) { return parts.added(i) && parts.arg(i).dim == 1 && !parts.split(i); }

} // namespace

std::vector<FallingDat> falling_dats(const LoopParts &parts, int period) {
  std::vector<FallingDat> out;
  if (period != 1 || !parts.shape().fall) return out;
  for (int i = 0; i < parts.nargs(); ++i) {
    if (!may_fall(parts, i) || parts.same_dat(i) != i) continue;
    FallingDat dat{i, {}};
    for (int k = i; k < parts.nargs(); ++k) {
      if (!parts.is_row(k) || parts.same_dat(k) != i) continue; // all arguments of the dat add: VectorLoop::check()
      for (int j = 0; j < parts.pointers(k); ++j) dat.columns.push_back({k, j});
    }
    if (dat.columns.size() >= fewest_falling && dat.columns.size() <= most_falling) out.push_back(std::move(dat));
  }
  return out;
}

bool falls(const std::vector<FallingDat> &dats, const LoopParts &parts, int arg) {
  return parts.is_row(arg) &&
         std::ranges::any_of(dats, [&](const FallingDat &dat) { return dat.arg == parts.same_dat(arg); });
}

} // namespace op2::core::jit
