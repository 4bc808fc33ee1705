#include "tracer/block/neighbours.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "distributed/groups.hpp"

namespace op2::core::tracer {

namespace {

struct Side {
  std::array<std::int64_t, 4> node; // ascending; -1 behind the last one
  std::int64_t cell;
};

Side side_of(const CellRecord &cell, const CellSide &side) {
  Side out{{-1, -1, -1, -1}, cell.number};
  for (std::size_t i = 0; i < static_cast<std::size_t>(side.nodes); ++i) { // each to its place among those before
    const std::int64_t node = cell.node[static_cast<std::size_t>(side.node[i])];
    std::size_t at = i;
    for (; at > 0 && out.node[at - 1] > node; --at) out.node[at] = out.node[at - 1];
    out.node[at] = node;
  }
  return out;
}

// The other cell of each of these sides. defect: what is wrong with them.
std::vector<std::int64_t> match(std::span<const Side> sides, std::string &defect) {
  std::vector<std::size_t> order(sides.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return sides[a].node < sides[b].node; });
  std::vector<std::int64_t> out(sides.size(), -1);
  for (std::size_t i = 0, end = 0; i < order.size(); i = end) {
    for (end = i; end < order.size() && sides[order[end]].node == sides[order[i]].node;) ++end;
    if (end - i > 2)
      defect = text("more than two cells have the side of nodes ", sides[order[i]].node[0], ", ",
                    sides[order[i]].node[1], ", ...: ", sides[order[i]].cell, ", ", sides[order[i + 1]].cell, " and ",
                    sides[order[i + 2]].cell, " among them");
    if (end - i != 2) continue;
    out[order[i]] = sides[order[i + 1]].cell;
    out[order[i + 1]] = sides[order[i]].cell;
  }
  return out;
}

} // namespace

std::vector<std::int64_t> neighbours(Communicator &communicator, std::span<const CellRecord> cells) {
  std::vector<Side> sides;
  std::vector<int> keeper; // of each side: it gets all cells with this side
  for (const CellRecord &cell : cells)
    for (const CellSide &side : shape(static_cast<CellType>(cell.type)).sides) {
      sides.push_back(side_of(cell, side));
      keeper.push_back(static_cast<int>(sides.back().node[0] % communicator.size()));
    }
  const Groups groups = group_by_rank(keeper);
  const SparseMessages received = post(communicator, groups, std::span<const Side>(sides));
  std::string defect;
  const std::vector<std::int64_t> matched = match(received.all<Side>(), defect);
  if (communicator.max(defect.empty() ? 0 : 1) != 0)
    fail(OP_ERR_ARGUMENT, defect.empty() ? "another process has found cells that do not fit together" : defect);
  const SparseMessages answers =
      answer(communicator, received, matched, [&](int m) { return received.values<Side>(m).size(); });
  std::vector<std::int64_t> out(sides.size(), -1);
  const std::span<const std::int64_t> all = answers.all<std::int64_t>();
  for (std::size_t i = 0; i < all.size(); ++i) out[static_cast<std::size_t>(groups.order[i])] = all[i];
  return out;
}

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
