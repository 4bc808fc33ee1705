#include "distributed/partition/graph.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "distributed/directory.hpp"
#include "distributed/groups.hpp"
#include "distributed/redistribute/migrate.hpp"

namespace op2::core {

namespace {

struct Arc {
  std::int64_t from, to;
};

// First numbers of the processes' blocks.
std::vector<std::int64_t> block_offsets(Communicator &communicator, std::int64_t own) {
  const std::size_t processes = static_cast<std::size_t>(communicator.size());
  std::vector<std::size_t> places;
  for (std::size_t p = 0; p <= processes; ++p) places.push_back(p * sizeof own);
  std::vector<std::int64_t> offset(processes + 1, 0);
  communicator.allgatherv(&own, sizeof own, offset.data() + 1, places.data());
  for (std::size_t p = 0; p < processes; ++p) offset[p + 1] += offset[p];
  return offset;
}

// The vertex of each element, by its number. Rows in their declared distribution are in the order of their numbers.
class Vertices {
 public:
  Vertices(Communicator &communicator, const Set &set, std::vector<std::int64_t> offset)
      : communicator_(communicator), set_(set), offset_(std::move(offset)) {
    const std::int64_t first = offset_[static_cast<std::size_t>(communicator.rank())];
    bool other = false;
    for (int row = 0; row < set.size; ++row) other = other || set.global[static_cast<std::size_t>(row)] != first + row;
    in_order_ = communicator.max(other ? 1 : 0) == 0;
  }
  // Replaces numbers by vertices. Collective.
  void find(std::vector<op_gindex> &numbers) const {
    if (in_order_) return;
    const std::span<const op_gindex> own(set_.global.data(), static_cast<std::size_t>(set_.size));
    std::vector<int> rows(own.size());
    std::iota(rows.begin(), rows.end(), 0);
    Directory process(communicator_, set_.global_size), row(communicator_, set_.global_size);
    process.enter(own, std::vector<int>(own.size(), communicator_.rank()));
    row.enter(own, rows);
    std::vector<op_gindex> wanted = numbers;
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    const std::vector<int> processes = process.ask(wanted), places = row.ask(wanted);
    for (op_gindex &number : numbers) {
      const auto at = static_cast<std::size_t>(std::lower_bound(wanted.begin(), wanted.end(), number) - wanted.begin());
      number = offset_[static_cast<std::size_t>(processes[at])] + places[at];
    }
  }

 private:
  Communicator &communicator_;
  const Set &set_;
  const std::vector<std::int64_t> offset_;
  bool in_order_ = true;
};

// All pairs of targets of each element.
std::vector<Arc> arcs_of(const Map &map, const std::vector<op_gindex> &targets, std::int64_t first) {
  const std::size_t dim = static_cast<std::size_t>(map.dim);
  std::vector<Arc> arcs;
  std::vector<std::int64_t> near;
  for (std::size_t row = 0; row < static_cast<std::size_t>(map.from->size); ++row) {
    near.assign(targets.begin() + static_cast<std::ptrdiff_t>(row * dim),
                targets.begin() + static_cast<std::ptrdiff_t>((row + 1) * dim));
    if (map.from == map.to) near.push_back(first + static_cast<std::int64_t>(row));
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());
    for (const std::int64_t a : near)
      for (const std::int64_t b : near)
        if (a != b) arcs.push_back({a, b});
  }
  return arcs;
}

} // namespace

DistributedGraph graph_of_targets(Mesh &mesh, const Map &map) {
  Communicator &communicator = mesh.communicator();
  const Set &set = *static_cast<const Set *>(map.to);
  DistributedGraph graph;
  graph.vertex_offset = block_offsets(communicator, set.size);
  const std::int64_t first = graph.vertex_offset[static_cast<std::size_t>(communicator.rank())];
  std::vector<op_gindex> targets = own_targets(map);
  Vertices(communicator, set, graph.vertex_offset).find(targets);
  const std::vector<Arc> arcs = arcs_of(map, targets, first);
  std::vector<int> owner;
  for (const Arc &arc : arcs)
    owner.push_back(
        static_cast<int>(std::upper_bound(graph.vertex_offset.begin(), graph.vertex_offset.end(), arc.from) -
                         graph.vertex_offset.begin() - 1));
  const SparseMessages received = post<Arc>(communicator, group_by_rank(owner), arcs);
  const std::span<const Arc> mine = received.all<Arc>();
  const std::size_t vertices = static_cast<std::size_t>(set.size);
  std::vector<std::int64_t> begin(vertices + 1, 0);
  for (const Arc &arc : mine) ++begin[static_cast<std::size_t>(arc.from - first) + 1];
  for (std::size_t v = 0; v < vertices; ++v) begin[v + 1] += begin[v];
  std::vector<std::int64_t> found(mine.size()), next(begin.begin(), begin.end() - 1);
  for (const Arc &arc : mine)
    found[static_cast<std::size_t>(next[static_cast<std::size_t>(arc.from - first)]++)] = arc.to;
  graph.edge_offset = {0};
  for (std::size_t v = 0; v < vertices; ++v) {
    const auto low = found.begin() + begin[v], high = found.begin() + begin[v + 1];
    std::sort(low, high);
    graph.edges.insert(graph.edges.end(), low, std::unique(low, high));
    graph.edge_offset.push_back(static_cast<std::int64_t>(graph.edges.size()));
  }
  return graph;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
