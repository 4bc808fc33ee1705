// quality_test.cpp: cut, volume, imbalance and neighbours of divided graphs, against counting them in one place.
#include "distributed/partition/quality.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "ranks.hpp"
#include "support.hpp"

namespace {

using op2::core::Communicator;
using op2::core::PartGraph;
using op2::core::PartQuality;
using op2::core::PartShares;

using Graph = std::vector<std::set<int>>; // neighbours of each vertex

Graph random_graph(int vertices, int edges) {
  std::mt19937 dice(11);
  Graph graph(static_cast<std::size_t>(vertices));
  for (int e = 0; e < edges; ++e) {
    const int a = static_cast<int>(dice()) % vertices, b = static_cast<int>(dice()) % vertices;
    const int from = std::abs(a), to = std::abs(b);
    if (from == to) continue;
    graph[static_cast<std::size_t>(from)].insert(to);
    graph[static_cast<std::size_t>(to)].insert(from);
  }
  return graph;
}

PartQuality counted(const Graph &graph, const std::vector<int> &part, const std::vector<int> &weight,
                    const PartShares &shares) {
  PartQuality out;
  std::vector<double> load(static_cast<std::size_t>(shares.parts()), 0);
  std::vector<std::set<int>> touches(load.size());
  double total = 0;
  for (std::size_t v = 0; v < graph.size(); ++v) {
    std::set<int> others;
    for (const int n : graph[v])
      if (part[static_cast<std::size_t>(n)] != part[v]) {
        others.insert(part[static_cast<std::size_t>(n)]);
        out.cut += static_cast<std::size_t>(n) > v ? 1 : 0;
      }
    out.volume += static_cast<int>(others.size());
    touches[static_cast<std::size_t>(part[v])].insert(others.begin(), others.end());
    load[static_cast<std::size_t>(part[v])] += weight[v];
    total += weight[v];
  }
  out.imbalance = 0;
  for (int p = 0; p < shares.parts(); ++p) {
    const std::size_t at = static_cast<std::size_t>(p);
    out.imbalance = std::max(out.imbalance, load[at] / (shares.of(p) * total));
    out.neighbours = std::max<std::int64_t>(out.neighbours, static_cast<std::int64_t>(touches[at].size()));
    out.mean_neighbours += static_cast<double>(touches[at].size()) / shares.parts();
    out.empty += std::find(part.begin(), part.end(), p) == part.end() ? 1 : 0;
  }
  return out;
}

// The quality on so many ranks; rank 0 has no vertices when there are several.
void compare(int ranks, const Graph &graph, const std::vector<int> &part, const std::vector<int> &weight,
             const PartShares &shares) {
  const PartQuality expected = counted(graph, part, weight, shares);
  unit::run_ranks(ranks, [&](Communicator &communicator) {
    std::vector<std::int64_t> vertex_offset(static_cast<std::size_t>(ranks) + 1, 0), edge_offset{0}, edges;
    for (int r = 1; r <= ranks; ++r)
      vertex_offset[static_cast<std::size_t>(r)] =
          ranks == 1 ? static_cast<std::int64_t>(graph.size())
                     : static_cast<std::int64_t>(graph.size()) * (r - 1) / (ranks - 1);
    const std::size_t me = static_cast<std::size_t>(communicator.rank());
    const std::size_t first = static_cast<std::size_t>(vertex_offset[me]);
    const std::size_t last = static_cast<std::size_t>(vertex_offset[me + 1]);
    for (std::size_t v = first; v < last; ++v) {
      edges.insert(edges.end(), graph[v].begin(), graph[v].end());
      edge_offset.push_back(static_cast<std::int64_t>(edges.size()));
    }
    PartGraph own;
    own.vertex_offset = vertex_offset;
    own.edge_offset = edge_offset;
    own.edges = edges;
    own.weight = std::span<const int>(weight).subspan(first, last - first);
    const PartQuality got =
        part_quality(communicator, own, std::span<const int>(part).subspan(first, last - first), shares);
    EXPECT_EQ(got.cut, expected.cut);
    EXPECT_EQ(got.volume, expected.volume);
    EXPECT_NEAR(got.imbalance, expected.imbalance, 1e-12);
    EXPECT_EQ(got.neighbours, expected.neighbours);
    EXPECT_NEAR(got.mean_neighbours, expected.mean_neighbours, 1e-12);
    EXPECT_EQ(got.empty, expected.empty);
  });
}

TEST(PartQuality, is_what_counting_gives) {
  std::mt19937 dice(5);
  const Graph graph = random_graph(300, 900);
  std::vector<int> weight(300), part(300);
  for (int &w : weight) w = 1 + static_cast<int>(dice() % 5);
  for (const PartShares &shares : {PartShares(1), PartShares(5), PartShares({1, 2, 0.5, 4}), PartShares(40)}) {
    for (int &p : part) p = static_cast<int>(dice() % static_cast<unsigned>(shares.parts()));
    for (const int ranks : {1, 2, 3, 4, 7}) compare(ranks, graph, part, weight, shares);
  }
}

TEST(PartQuality, counts_parts_without_vertices) {
  const Graph graph = random_graph(20, 40);
  compare(3, graph, std::vector<int>(20, 2), std::vector<int>(20, 1), PartShares(5));
}

// A path of eight vertices in two halves: one edge, one vertex of each side is wanted by the other.
TEST(PartQuality, is_told_in_a_line) {
  Graph path(8);
  for (int v = 0; v + 1 < 8; ++v) {
    path[static_cast<std::size_t>(v)].insert(v + 1);
    path[static_cast<std::size_t>(v) + 1].insert(v);
  }
  EXPECT_EQ(counted(path, {0, 0, 0, 0, 1, 1, 1, 1}, std::vector<int>(8, 1), PartShares(2)).summary(),
            "cut 1, communication volume 2, imbalance 1.000, neighbours 1.0 on average and 1 at most");
}

} // namespace

// SPDX-License-Identifier: MIT
