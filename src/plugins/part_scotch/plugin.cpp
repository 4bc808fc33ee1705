// Partitioner "scotch": orders graphs by Scotch's method g, that of Gibbs, Poole and Stockmeyer. One process.
//
// Scotch counts in integers of its own width, so everything is copied. Its messages go to stderr; what it returns is a
// yes or a no.
#include <cstdint>
#include <cstdio>
// scotch.h uses both without including them
#include <scotch.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <vector>

#include "op2/plugin/part.h"

namespace {

// Scotch's objects, freed at the end of the scope.
struct OwnGraph {
  SCOTCH_Graph graph;
  OwnGraph() { SCOTCH_graphInit(&graph); }
  ~OwnGraph() { SCOTCH_graphExit(&graph); }
  OwnGraph(const OwnGraph &) = delete;
  OwnGraph &operator=(const OwnGraph &) = delete;
};
struct OwnStrategy {
  SCOTCH_Strat strategy;
  OwnStrategy() { SCOTCH_stratInit(&strategy); }
  ~OwnStrategy() { SCOTCH_stratExit(&strategy); }
  OwnStrategy(const OwnStrategy &) = delete;
  OwnStrategy &operator=(const OwnStrategy &) = delete;
};

std::vector<SCOTCH_Num> copied(const int64_t *from, int64_t count) { return {from, from + count}; }

op_status order_graph(const op_host_v1 *host, const op_part_graph *given, int32_t *order) {
  const int64_t vertices = given->vertex_offset[1], arcs = given->edge_offset[vertices];
  if (arcs > std::numeric_limits<SCOTCH_Num>::max())
    return host->fail(host, OP_ERR_UNSUPPORTED, "the graph has more edges than this build of Scotch can count");
  if (vertices == 0) return OP_OK;
  const std::vector<SCOTCH_Num> offset = copied(given->edge_offset, vertices + 1), edges = copied(given->edges, arcs);
  OwnGraph own;
  OwnStrategy by;
  if (SCOTCH_graphBuild(&own.graph, 0, static_cast<SCOTCH_Num>(vertices), offset.data(), nullptr, nullptr, nullptr,
                        static_cast<SCOTCH_Num>(arcs), edges.data(), nullptr) != 0)
    return host->fail(host, OP_ERR_PLUGIN, "Scotch cannot build the graph");
  if (SCOTCH_stratGraphOrder(&by.strategy, "g") != 0)
    return host->fail(host, OP_ERR_PLUGIN, "Scotch does not know the strategy g");
  std::vector<SCOTCH_Num> vertex_at(static_cast<std::size_t>(vertices));
  if (SCOTCH_graphOrder(&own.graph, &by.strategy, nullptr, vertex_at.data(), nullptr, nullptr, nullptr) != 0)
    return host->fail(host, OP_ERR_PLUGIN, "Scotch cannot order the graph");
  std::transform(vertex_at.begin(), vertex_at.end(), order, [](SCOTCH_Num v) { return static_cast<int32_t>(v); });
  return OP_OK;
}

op_status order(const op_host_v1 *host, const op_part_graph *graph, int32_t *out) try {
  if (graph->nprocs != 1) return host->fail(host, OP_ERR_UNSUPPORTED, "Scotch orders graphs of one process");
  return order_graph(host, graph, out);
} catch (const std::exception &thrown) { // no memory
  return host->fail(host, OP_ERR_MEMORY, thrown.what());
}

int score(const op_host_v1 *) { return 10; }

constexpr op_part_ops_v1 ops = {sizeof(op_part_ops_v1), nullptr, nullptr, order};

#define TEXT_OF(x) #x
#define NUMBER(x) TEXT_OF(x)
constexpr op_plugin_v1 plugin = {
    sizeof(op_plugin_v1),
    OP2_PLUGIN_ABI,
    OP2_PLUGIN_API,
    OP_PLUGIN_PART,
    0,
    "scotch",
    "orders graphs by the method of Gibbs, Poole and Stockmeyer",
    "Scotch " NUMBER(SCOTCH_VERSION) "." NUMBER(SCOTCH_RELEASE) "." NUMBER(SCOTCH_PATCHLEVEL),
    nullptr,
    score,
    &ops};

} // namespace

extern "C" OP_API const op_plugin_v1 *OP2_PLUGIN_ENTRY(void) { return &plugin; }
