// Partitioner "scotch": graphs that lie on one process. Orders them by Scotch's method g, that of Gibbs, Poole and
// Stockmeyer, and divides them by multilevel recursive bisection, with the same parts in every run.
//
// Scotch counts in integers of its own width, so everything is copied. Its messages go to stderr; what it returns is a
// yes or a no.
#include <cstdint>
#include <cstdio>
// scotch.h uses both without including them
#include <scotch.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <limits>
#include <vector>

#include "op2/plugin/part.h"
#include "plugins/part_common/scotch.hpp"

namespace {

using Graph = scotch::Owned<SCOTCH_Graph, SCOTCH_graphInit, SCOTCH_graphExit>;

std::vector<SCOTCH_Num> copied(const int64_t *from, int64_t count) { return {from, from + count}; }

op_status order_graph(const op_host_v1 *host, const op_part_graph *given, int32_t *order) {
  const int64_t vertices = given->vertex_offset[1], arcs = given->edge_offset[vertices];
  if (arcs > scotch::most)
    return host->fail(host, OP_ERR_UNSUPPORTED, "the graph has more edges than this build of Scotch can count");
  if (vertices == 0) return OP_OK;
  const std::vector<SCOTCH_Num> offset = copied(given->edge_offset, vertices + 1), edges = copied(given->edges, arcs);
  Graph own;
  scotch::Strategy by;
  if (SCOTCH_graphBuild(&own.it, 0, static_cast<SCOTCH_Num>(vertices), offset.data(), nullptr, nullptr, nullptr,
                        static_cast<SCOTCH_Num>(arcs), edges.data(), nullptr) != 0)
    return host->fail(host, OP_ERR_PLUGIN, "Scotch cannot build the graph");
  if (SCOTCH_stratGraphOrder(&by.it, "g") != 0)
    return host->fail(host, OP_ERR_PLUGIN, "Scotch does not know the strategy g");
  std::vector<SCOTCH_Num> vertex_at(static_cast<std::size_t>(vertices));
  if (SCOTCH_graphOrder(&own.it, &by.it, nullptr, vertex_at.data(), nullptr, nullptr, nullptr) != 0)
    return host->fail(host, OP_ERR_PLUGIN, "Scotch cannot order the graph");
  std::transform(vertex_at.begin(), vertex_at.end(), order, [](SCOTCH_Num v) { return static_cast<int32_t>(v); });
  return OP_OK;
}

// nullptr, or what Scotch could not do.
const char *divide(const op_part_graph &given, SCOTCH_Num *part) {
  const int64_t vertices = given.vertex_offset[1], arcs = given.edge_offset[vertices];
  const std::vector<SCOTCH_Num> offset = copied(given.edge_offset, vertices + 1), edges = copied(given.edges, arcs);
  std::vector<SCOTCH_Num> weight;
  if (given.vertex_weight) weight.assign(given.vertex_weight, given.vertex_weight + vertices);
  Graph own, bound;
  scotch::Context context;
  scotch::Strategy by;
  scotch::Target target;
  if (SCOTCH_graphBuild(&own.it, 0, static_cast<SCOTCH_Num>(vertices), offset.data(), nullptr,
                        weight.empty() ? nullptr : weight.data(), nullptr, static_cast<SCOTCH_Num>(arcs), edges.data(),
                        nullptr) != 0)
    return "Scotch cannot build the graph";
  if (!scotch::make_deterministic(context, given.seed))
    return "Scotch knows no deterministic context; version 7 or later is needed";
  if (SCOTCH_contextBindGraph(&context.it, &own.it, &bound.it) != 0)
    return "Scotch cannot bind the graph to its context";
  if (SCOTCH_stratGraphMapBuild(&by.it, SCOTCH_STRATQUALITY | SCOTCH_STRATBALANCE, given.nparts,
                                scotch::slack(given)) != 0)
    return "Scotch cannot make a strategy";
  const std::vector<SCOTCH_Num> shares = scotch::whole_shares(given);
  if (SCOTCH_archCmpltw(&target.it, given.nparts, shares.data()) != 0 ||
      SCOTCH_graphMap(&bound.it, &target.it, &by.it, part) != 0)
    return "Scotch cannot divide the graph";
  return nullptr;
}

// Sums of weights and of edges must fit Scotch's integers.
bool can_be_counted(const op_part_graph &given) {
  int64_t sum = 0;
  for (int64_t v = 0; given.vertex_weight && v < given.vertex_offset[1]; ++v) sum += given.vertex_weight[v];
  return std::max(sum, given.edge_offset[given.vertex_offset[1]]) <= scotch::most;
}

op_status part_graph(const op_host_v1 *host, const op_part_graph *given, int32_t *part) try {
  if (given->size < sizeof *given) return host->fail(host, OP_ERR_PLUGIN, "this plugin is newer than the library");
  if (given->nprocs != 1) return host->fail(host, OP_ERR_UNSUPPORTED, "Scotch divides graphs that lie on one process");
  const std::size_t vertices = static_cast<std::size_t>(given->vertex_offset[1]);
  if (vertices == 0) return OP_OK;
  setenv("SCOTCH_PTHREAD_NUMBER", "1", 1); // read once, when the first graph is made
  if (!can_be_counted(*given))
    return host->fail(host, OP_ERR_UNSUPPORTED, "the graph is larger than this build of Scotch can count");
  std::vector<SCOTCH_Num> out(vertices, 0);
  const char *const why = given->nparts > 1 ? divide(*given, out.data()) : nullptr;
  if (why) return host->fail(host, OP_ERR_PLUGIN, why);
  std::transform(out.begin(), out.end(), part, [](SCOTCH_Num p) { return static_cast<int32_t>(p); });
  return OP_OK;
} catch (const std::exception &thrown) { // no memory
  return host->fail(host, OP_ERR_MEMORY, thrown.what());
}

op_status order(const op_host_v1 *host, const op_part_graph *graph, int32_t *out) try {
  if (graph->nprocs != 1) return host->fail(host, OP_ERR_UNSUPPORTED, "Scotch orders graphs of one process");
  return order_graph(host, graph, out);
} catch (const std::exception &thrown) { // no memory
  return host->fail(host, OP_ERR_MEMORY, thrown.what());
}

int score(const op_host_v1 *) { return 10; }

constexpr op_part_ops_v1 ops = {sizeof(op_part_ops_v1), part_graph, order};

#define TEXT_OF(x) #x
#define NUMBER(x) TEXT_OF(x)
constexpr op_plugin_v1 plugin = {
    sizeof(op_plugin_v1),
    OP2_PLUGIN_ABI,
    OP2_PLUGIN_API,
    OP_PLUGIN_PART,
    0,
    "scotch",
    "orders and divides graphs on one process",
    "Scotch " NUMBER(SCOTCH_VERSION) "." NUMBER(SCOTCH_RELEASE) "." NUMBER(SCOTCH_PATCHLEVEL),
    nullptr,
    score,
    &ops};

} // namespace

extern "C" OP_API const op_plugin_v1 *OP2_PLUGIN_ENTRY(void) { return &plugin; }

// SPDX-License-Identifier: MIT
