#include "jit/loop/falling.hpp"

#include <algorithm>

namespace op2::core::jit {

namespace {

// Columns. More are not worth sorting. Fewer are faster row by row: a whole vector is loaded where part of it was
// stored just before, which waits for that store; with two columns, which a kernel of few operations does not hide,
// loops took 1.25 times as long, and as long again in runs of period 2.
constexpr std::size_t fewest_falling = 4, most_falling = 16;

// Rows of one value. Longer ones are whole vectors already.
bool may_fall(const LoopParts &parts, int i) { return parts.added(i) && parts.arg(i).dim == 1 && !parts.split(i); }

} // namespace

std::vector<FallingDat> falling_dats(const LoopParts &parts, int period) {
  std::vector<FallingDat> out;
  if (period != 1) return out;
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
