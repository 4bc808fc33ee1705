#include "jit/loop/deferred.hpp"

#include <algorithm>

namespace op2::core::jit {

namespace {

// The sample: so many pieces of the set, of so many elements each.
constexpr int most_pieces = 64, piece = 16;
constexpr double steady_share = 0.5;

constexpr int most_deferred = 8; // values of an element. With 16, tetrahedra took a fifth longer

} // namespace

int steadiest_column(std::span<const MapColumn> columns, int size) {
  const int places = size - piece + 1, pieces = std::min(most_pieces, places);
  int best = -1;
  double most = steady_share * pieces * (piece - 1);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    int equal = 0;
    for (int b = 0; b < pieces; ++b) {
      const std::ptrdiff_t from = static_cast<std::ptrdiff_t>(places - 1) * b / std::max(pieces - 1, 1);
      for (std::ptrdiff_t n = from + 1; n < from + piece; ++n)
        equal += columns[c].entries[n * columns[c].step] == columns[c].entries[(n - 1) * columns[c].step];
    }
    if (equal < most || pieces <= 0) continue;
    most = equal + 1;
    best = static_cast<int>(c);
  }
  return best;
}

bool defers_increments(const LoopParts &parts, int period) {
  int values = 0;
  for (int i = 0; i < parts.nargs(); ++i)
    if (parts.added(i)) values += parts.arg(i).dim * parts.pointers(i);
  return parts.shape().deferred && period == 0 && values > 0 && values <= most_deferred;
}

// One row of each dat.
std::vector<RegisterColumn> register_columns(const LoopParts &parts, int period) {
  std::vector<RegisterColumn> out;
  const SteadyColumn &steady = parts.shape().steady;
  if (!defers_increments(parts, period) || steady.map < 0 || parts.any_split()) return out;
  for (int i = 0; i < parts.nargs(); ++i) {
    const ArgShape &arg = parts.arg(i);
    const int column = steady.column - arg.column;
    if (!parts.added(i) || arg.map != steady.map || column < 0 || column >= parts.pointers(i)) continue;
    const bool first = std::ranges::none_of(
        out, [&](const RegisterColumn &kept) { return parts.same_dat(kept.arg) == parts.same_dat(i); });
    if (first) out.push_back({i, column});
  }
  return out;
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
