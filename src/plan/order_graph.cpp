// The graph of a map's targets, and its bandwidth.
#include <algorithm>
#include <cstdlib>

#include "plan/order.hpp"

namespace op2::core {

Graph adjacency(const OrderMap &map) {
  const std::size_t vertices = static_cast<std::size_t>(map.to);
  std::vector<std::int64_t> begin(vertices + 1, 0);
  const auto each_pair = [&map](const auto &pair) {
    for (int n = 0; n < map.from; ++n)
      for (int j = 0; j < map.dim; ++j)
        for (int k = 0; k < map.dim; ++k)
          if (map.row(n)[j] != map.row(n)[k]) pair(static_cast<std::size_t>(map.row(n)[j]), map.row(n)[k]);
  };
  each_pair([&](std::size_t a, int) { ++begin[a + 1]; });
  for (std::size_t v = 0; v < vertices; ++v) begin[v + 1] += begin[v];
  std::vector<int> all(static_cast<std::size_t>(begin[vertices]));
  std::vector<std::int64_t> next(begin.begin(), begin.end() - 1);
  each_pair([&](std::size_t a, int b) { all[static_cast<std::size_t>(next[a]++)] = b; });

  Graph graph;
  graph.offset.assign(1, 0);
  graph.offset.reserve(vertices + 1);
  auto kept = all.begin(); // the merged lists take the place of the raw ones, which are never shorter
  for (std::size_t v = 0; v < vertices; ++v) {
    const auto first = all.begin() + begin[v], last = all.begin() + begin[v + 1];
    std::sort(first, last);
    kept = std::copy(first, std::unique(first, last), kept);
    graph.offset.push_back(kept - all.begin());
  }
  all.erase(kept, all.end());
  graph.neighbour = std::move(all);
  return graph;
}

int bandwidth(const Graph &graph, std::span<const int> place) {
  const auto at = [place](int v) { return place.empty() ? v : place[static_cast<std::size_t>(v)]; };
  int widest = 0;
  for (int v = 0; v < graph.vertices(); ++v)
    for (std::int64_t k = graph.offset[static_cast<std::size_t>(v)]; k < graph.offset[static_cast<std::size_t>(v) + 1];
         ++k)
      widest = std::max(widest, std::abs(at(v) - at(graph.neighbour[static_cast<std::size_t>(k)])));
  return widest;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
