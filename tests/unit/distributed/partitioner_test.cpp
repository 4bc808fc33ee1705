// partitioner_test.cpp: what partitioners get from the library, and what becomes of their failures on many processes.
#include "host/partitioner.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "ranks.hpp"
#include "support.hpp"

namespace {

using op2::core::Communicator;
using op2::core::PartGraph;
using op2::core::Partitioner;
using op2::core::PartShares;
using unit::contains;
using unit::Host;
using unit::run_ranks;
using unit::thrown_by;

// A path of 12 vertices on three ranks: 5, 0 and 7 of them.
struct Path {
  std::vector<std::int64_t> vertex_offset{0, 5, 5, 12}, edge_offset{0}, edges;
  std::vector<int> weight;
  explicit Path(int rank) {
    const std::size_t me = static_cast<std::size_t>(rank);
    for (std::int64_t v = vertex_offset[me]; v < vertex_offset[me + 1]; ++v) {
      for (const std::int64_t to : {v - 1, v + 1})
        if (to >= 0 && to < 12) edges.push_back(to);
      edge_offset.push_back(static_cast<std::int64_t>(edges.size()));
      weight.push_back(static_cast<int>(v));
    }
  }
  PartGraph graph() const { return {vertex_offset, edge_offset, edges, {}, {}, 0}; }
};

// A partitioner that looks at what it gets; `seed` tells it what to do.
enum Mood { check_plain, check_everything, fail_on_rank_2, answer_nonsense };

op_status look(const op_host_v1 *host, const op_part_graph *graph, int32_t *part) {
  const int64_t first = graph->vertex_offset[graph->rank], own = graph->vertex_offset[graph->rank + 1] - first;
  const bool plain = graph->seed != check_everything;
  EXPECT_EQ(graph->size, sizeof *graph);
  EXPECT_EQ(graph->nprocs, 3);
  EXPECT_EQ(graph->nparts, 4);
  EXPECT_EQ(graph->native_kind, OP_PART_NATIVE_NONE);
  EXPECT_EQ(graph->imbalance, plain ? 0 : 1.01);
  EXPECT_EQ(graph->vertex_weight == nullptr, plain); // the same on processes without vertices
  EXPECT_EQ(graph->coordinates == nullptr, plain);
  EXPECT_EQ(graph->dim, plain ? 0 : 2);
  EXPECT_EQ(graph->part_weight == nullptr, plain);
  for (int64_t v = 0; v < own && !plain; ++v) EXPECT_EQ(graph->vertex_weight[v], first + v);
  for (int64_t v = 0; v < own; ++v) part[v] = static_cast<int32_t>((first + v) % 4);
  if (graph->seed == fail_on_rank_2 && graph->rank == 2) return host->fail(host, OP_ERR_MEMORY, "no room left");
  if (graph->seed == answer_nonsense && graph->rank == 0) part[3] = 4;
  return OP_OK;
}

constexpr op_part_ops_v1 ops = {sizeof(op_part_ops_v1), look, nullptr};
constexpr op_plugin_v1 plugin = {sizeof(op_plugin_v1),
                                 OP2_PLUGIN_ABI,
                                 OP2_PLUGIN_API,
                                 OP_PLUGIN_PART,
                                 0,
                                 "look",
                                 "looks",
                                 "",
                                 nullptr,
                                 [](const op_host_v1 *) { return 1; },
                                 &ops};

std::vector<int> divided(Communicator &ranks, Host &host, const PartGraph &graph, const PartShares &shares,
                         double imbalance, Mood mood) {
  host.registry->add_builtin(&plugin);
  const Partitioner partitioner(*host.registry, host.services, "look");
  EXPECT_TRUE(partitioner.divides());
  return partitioner.divide(ranks, graph, shares, imbalance, mood);
}

TEST(Partitioners, see_the_graph_and_answer_for_their_own_vertices) {
  run_ranks(3, [](Communicator &ranks, Host &host) {
    const Path path(ranks.rank());
    const std::vector<int> part = divided(ranks, host, path.graph(), PartShares(4), 0, check_plain);
    if (ranks.rank() == 0) {
      EXPECT_EQ(part, std::vector<int>({0, 1, 2, 3, 0}));
    }
    EXPECT_EQ(part.size(), path.edge_offset.size() - 1);
  });
}

TEST(Partitioners, see_the_same_case_on_processes_without_vertices) {
  run_ranks(3, [](Communicator &ranks, Host &host) {
    const Path path(ranks.rank());
    const std::vector<double> coordinates(2 * path.weight.size(), 1.0);
    PartGraph graph = path.graph();
    graph.weight = path.weight; // empty on rank 1
    graph.coordinates = coordinates;
    graph.dim = 2;
    divided(ranks, host, graph, PartShares({1, 2, 3, 4}), 1.01, check_everything);
  });
}

TEST(Partitioners, fail_on_all_processes_together) {
  run_ranks(3, [](Communicator &ranks, Host &host) {
    const Path path(ranks.rank());
    const op2::core::Error error =
        thrown_by([&] { divided(ranks, host, path.graph(), PartShares(4), 0, fail_on_rank_2); });
    EXPECT_EQ(error.code, OP_ERR_MEMORY);
    EXPECT_STREQ(error.what(), ranks.rank() == 2 ? "partitioner look: no room left"
                                                 : "partitioner look: it has failed on another process");
  });
}

TEST(Partitioners, may_name_parts_that_exist_only) {
  run_ranks(3, [](Communicator &ranks, Host &host) {
    const Path path(ranks.rank());
    const op2::core::Error error =
        thrown_by([&] { divided(ranks, host, path.graph(), PartShares(4), 0, answer_nonsense); });
    EXPECT_EQ(error.code, OP_ERR_PLUGIN);
    if (ranks.rank() == 0) {
      EXPECT_TRUE(contains(error.what(), "part 4 to vertex 3 of this process; there are 0 to 3"));
    }
  });
}

TEST(Partitioners, block_gives_consecutive_vertices) {
  std::vector<int> all(12, -1);
  run_ranks(3, [&](Communicator &ranks, Host &host) {
    const Path path(ranks.rank());
    const std::vector<int> part =
        Partitioner(*host.registry, host.services, "block").divide(ranks, path.graph(), PartShares({1, 1, 2}));
    std::copy(part.begin(), part.end(), all.begin() + path.vertex_offset[static_cast<std::size_t>(ranks.rank())]);
  });
  EXPECT_EQ(all, std::vector<int>({0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2, 2}));
}

} // namespace

// SPDX-License-Identifier: MIT
