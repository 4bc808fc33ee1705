#include "tracer/block/divide.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "base/error.hpp"
#include "distributed/groups.hpp"
#include "distributed/partition/geometric.hpp"

namespace op2::core::tracer {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// act(number) for each node of each cell.
template <class Act>
void each_node(std::span<const CellRecord> cells, const Act &act) {
  for (const CellRecord &cell : cells)
    for (int i = 0; i < shape(static_cast<CellType>(cell.type)).nodes; ++i) act(cell.node[static_cast<std::size_t>(i)]);
}

// Numbers from `first` on lie so close to each other that a table with a place for each is worth its memory.
bool are_close(std::int64_t first, std::int64_t last, std::size_t count) {
  return last - first < 8 * static_cast<std::int64_t>(count);
}

} // namespace

std::vector<std::int64_t> nodes_of(std::span<const CellRecord> cells) {
  std::int64_t first = std::numeric_limits<std::int64_t>::max(), last = -1;
  std::size_t count = 0;
  each_node(cells, [&](std::int64_t node) {
    first = std::min(first, node);
    last = std::max(last, node);
    ++count;
  });
  std::vector<std::int64_t> out;
  if (count == 0) return out;
  if (are_close(first, last, count)) {
    std::vector<char> is_there(static_cast<std::size_t>(last - first) + 1, 0);
    each_node(cells, [&](std::int64_t node) { is_there[static_cast<std::size_t>(node - first)] = 1; });
    for (std::int64_t node = first; node <= last; ++node)
      if (is_there[static_cast<std::size_t>(node - first)] != 0) out.push_back(node);
    return out;
  }
  out.reserve(count);
  each_node(cells, [&](std::int64_t node) { out.push_back(node); });
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

Cells cells_of(int dim, std::span<const CellRecord> cells, std::span<const std::int64_t> nodes,
               std::span<const double> x) {
  Cells out(dim, x);
  std::array<int, streamline::most_nodes> local{};
  std::vector<int> place; // of each number, where they are close
  if (!nodes.empty() && are_close(nodes.front(), nodes.back(), 4 * nodes.size())) {
    place.resize(static_cast<std::size_t>(nodes.back() - nodes.front()) + 1);
    for (std::size_t i = 0; i < nodes.size(); ++i)
      place[static_cast<std::size_t>(nodes[i] - nodes.front())] = static_cast<int>(i);
  }
  const auto place_of = [&](std::int64_t node) {
    if (!place.empty()) return place[static_cast<std::size_t>(node - nodes.front())];
    return static_cast<int>(std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin());
  };
  for (const CellRecord &cell : cells) {
    const auto type = static_cast<CellType>(cell.type);
    const auto count = static_cast<std::size_t>(shape(type).nodes);
    for (std::size_t i = 0; i < count; ++i) local[i] = place_of(cell.node[i]);
    out.add(type, std::span(local).first(count));
  }
  return out;
}

Known look_at(Communicator &communicator, const Source &source) {
  const std::vector<std::int64_t> nodes = nodes_of(source.cells);
  const std::vector<double> x = source.coordinates(nodes);
  const auto dim = static_cast<std::size_t>(source.dim);
  Known out;
  out.whole.low.fill(infinity);
  out.whole.high.fill(-infinity);
  const Cells cells = cells_of(source.dim, source.cells, nodes, x);
  for (int cell = 0; cell < cells.size(); ++cell) {
    const Box box = box_of(cells, cell);
    out.box.push_back(box);
    out.size.push_back(streamline::cell_size(cells, cell));
    if (!finite(box.low) || !finite(box.high)) continue;
    for (std::size_t k = 0; k < dim; ++k) {
      out.whole.low[k] = std::min(out.whole.low[k], box.low[k]);
      out.whole.high[k] = std::max(out.whole.high[k], box.high[k]);
    }
  }
  std::vector<std::int64_t> numbers = nodes;
  if (source.on == Field::On::cells) {
    numbers.clear();
    for (const CellRecord &cell : source.cells) numbers.push_back(cell.number);
  }
  for (const Rows *rows : {&source.velocity, &source.later})
    if (*rows) out.fastest = std::max(out.fastest, streamline::fastest_of((*rows)(numbers), source.dim));
  communicator.allreduce(out.whole.low.data(), 3, OP_TYPE_DOUBLE, OP_COMM_MIN);
  communicator.allreduce(out.whole.high.data(), 3, OP_TYPE_DOUBLE, OP_COMM_MAX);
  communicator.allreduce(&out.fastest, 1, OP_TYPE_DOUBLE, OP_COMM_MAX);
  for (std::size_t k = 0; k < 3; ++k)
    if (k >= dim || !(out.whole.low[k] <= out.whole.high[k])) out.whole.low[k] = out.whole.high[k] = 0;
  return out;
}

std::vector<int> owners_of_blocks(const Division &division, int processes) {
  const int each = division.dealing == Dealing::together ? 1 : division.blocks;
  std::vector<int> dealt(static_cast<std::size_t>(each * processes));
  std::iota(dealt.begin(), dealt.end(), 0);
  if (division.dealing == Dealing::shuffled) {
    std::mt19937_64 random(division.shuffle);
    for (std::size_t i = dealt.size() - 1; i > 0; --i) std::swap(dealt[i], dealt[random() % (i + 1)]);
  }
  for (int &owner : dealt) owner %= processes;
  return dealt;
}

void divide(Communicator &communicator, const Known &known, const Division &division, int dim,
            std::vector<CellRecord> &cells) {
  if (division.given) return;
  std::vector<double> centre;
  for (const Box &box : known.box)
    for (std::size_t k = 0; k < static_cast<std::size_t>(dim); ++k) {
      const double middle = 0.5 * (box.low[k] + box.high[k]);
      centre.push_back(std::isfinite(middle) ? middle : 0); // nothing is ever in such a cell
    }
  const std::vector<int> owner = owners_of_blocks(division, communicator.size());
  const std::vector<int> part = part_rcb(communicator, centre, dim, PartShares(static_cast<int>(owner.size())));
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i].owner = owner[static_cast<std::size_t>(part[i])];
    cells[i].block = part[i];
  }
}

Box seen_from(const Box &box, double reach) {
  Box out = box;
  for (std::size_t k = 0; k < 3; ++k) out.low[k] -= reach, out.high[k] += reach;
  return out;
}

namespace {

// What a counted cell takes here: nodes, neighbours, positions, velocities, its places in bins, in arrays that grow and
// may be half empty; and a part of one that reaches into new bins from others, where it is counted.
// tests/unit/tracer/overlap_test.cpp measures what copies take.
constexpr std::size_t bytes_of_cell = 800;

} // namespace

Region grown_to(const Bins &bins, std::span<const long long> cells, std::size_t budget, Region region) {
  for (bool more = true; more;) {
    Region next = region.grown(bins);
    std::size_t extra = 0;
    more = false;
    for (std::size_t bin = 0; bin < bins.count(); ++bin)
      if (next.has(bin) && !region.has(bin)) {
        more = true;
        extra += static_cast<std::size_t>(cells[bin]) * bytes_of_cell;
      }
    if (extra > budget) break;
    budget -= extra;
    region = std::move(next);
  }
  return region;
}

Region region_of(Communicator &communicator, const Bins &bins, const Known &known, const Division &division,
                 const streamline::Options &options, const std::vector<CellRecord> &cells) {
  // One owner's cells after another's: its bins are gathered once.
  std::vector<std::size_t> order(cells.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return cells[i].owner < cells[j].owner; });
  std::vector<int> ranks;
  std::vector<std::int64_t> numbers, its;
  for (std::size_t i = 0; i < order.size();) {
    const int owner = cells[order[i]].owner;
    for (its.clear(); i < order.size() && cells[order[i]].owner == owner; ++i)
      bins.each(seen_from(known.box[order[i]], streamline::reach(known.fastest, options, known.size[order[i]])),
                [&its](std::size_t bin) { its.push_back(static_cast<std::int64_t>(bin)); });
    std::sort(its.begin(), its.end());
    its.erase(std::unique(its.begin(), its.end()), its.end());
    numbers.insert(numbers.end(), its.begin(), its.end());
    ranks.insert(ranks.end(), its.size(), owner);
  }
  const SparseMessages received = post(communicator, group_by_rank(ranks), std::span<const std::int64_t>(numbers));
  Region out(bins.count());
  for (const std::int64_t bin : received.all<std::int64_t>()) out.add(static_cast<std::size_t>(bin));
  if (communicator.max(division.overlap > 0 ? 1 : 0) == 0) return out;
  std::vector<long long> begin(bins.count(), 0);
  for (const Box &box : known.box)
    if (finite(box.low)) ++begin[bins.of(box.low)];
  communicator.allreduce(begin.data(), begin.size(), OP_TYPE_LL, OP_COMM_SUM);
  return grown_to(bins, begin, division.overlap, std::move(out));
}

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
