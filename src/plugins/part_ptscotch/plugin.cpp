// Partitioner "ptscotch": divides distributed graphs by PT-Scotch's multilevel recursive bisection.
//
// PT-Scotch counts in integers of its own width, so everything is copied. It answers with the same parts again when a
// context forbids it random choices and has one thread; more than one has been seen to hang. Its messages go to stderr.
#include <mpi.h>
#include <cstdint>
#include <cstdio>
// ptscotch.h uses the three without including them
#include <ptscotch.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <vector>

#include "op2/plugin/part.h"
#include "plugins/part_common/scotch.hpp"

namespace {

using Graph = scotch::Owned<SCOTCH_Dgraph, SCOTCH_dgraphInit, SCOTCH_dgraphExit>;

// The graph in PT-Scotch's numbers. It wants an address of every array, also of an empty one.
struct Copy {
  SCOTCH_Num vertices, arcs;
  std::vector<SCOTCH_Num> offset, edges, weight, part;

  explicit Copy(const op_part_graph &given) {
    const int64_t own = given.vertex_offset[given.rank + 1] - given.vertex_offset[given.rank];
    const int64_t own_arcs = given.edge_offset[own];
    vertices = static_cast<SCOTCH_Num>(own);
    arcs = static_cast<SCOTCH_Num>(own_arcs);
    offset.assign(given.edge_offset, given.edge_offset + own + 1);
    edges.reserve(static_cast<std::size_t>(own_arcs) + 1);
    edges.assign(given.edges, given.edges + own_arcs);
    weight.reserve(static_cast<std::size_t>(own) + 1);
    if (given.vertex_weight) weight.assign(given.vertex_weight, given.vertex_weight + own);
    part.assign(static_cast<std::size_t>(own) + 1, 0);
  }
};

// All processes say whether they are well, so that none waits for one that has failed.
bool all_well(MPI_Comm communicator, bool well) {
  int mine = well ? 1 : 0, all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, communicator);
  return all == 1;
}

// Sums over all processes, of weights and of edges, must fit PT-Scotch's integers.
bool can_be_counted(MPI_Comm communicator, const op_part_graph &given) {
  const int64_t own = given.vertex_offset[given.rank + 1] - given.vertex_offset[given.rank];
  int64_t sums[2] = {given.edge_offset[own], 0}, all[2];
  for (int64_t v = 0; v < own; ++v) sums[1] += given.vertex_weight ? given.vertex_weight[v] : 1;
  MPI_Allreduce(sums, all, 2, MPI_INT64_T, MPI_SUM, communicator);
  return std::max(all[0], all[1]) <= scotch::most;
}

// nullptr, or what PT-Scotch could not do.
const char *divide(MPI_Comm communicator, const op_part_graph &given, Copy &copy) {
  Graph own(communicator), bound(communicator);
  scotch::Context context;
  scotch::Strategy strategy;
  scotch::Target target;
  SCOTCH_Num *weight = given.vertex_weight ? copy.weight.data() : nullptr;
  if (SCOTCH_dgraphBuild(&own.it, 0, copy.vertices, copy.vertices, copy.offset.data(), nullptr, weight, nullptr,
                         copy.arcs, copy.arcs, copy.edges.data(), nullptr, nullptr) != 0)
    return "PT-Scotch cannot build the graph";
  if (!scotch::make_deterministic(context, given.seed))
    return "PT-Scotch knows no deterministic context; version 7 or later is needed";
  if (SCOTCH_contextBindDgraph(&context.it, &own.it, &bound.it) != 0)
    return "PT-Scotch cannot bind the graph to its context";
  if (SCOTCH_stratDgraphMapBuild(&strategy.it, SCOTCH_STRATQUALITY | SCOTCH_STRATBALANCE, given.nprocs, given.nparts,
                                 scotch::slack(given)) != 0)
    return "PT-Scotch cannot make a strategy";
  int status = 0;
  if (given.part_weight) {
    const std::vector<SCOTCH_Num> shares = scotch::whole_shares(given);
    status = SCOTCH_archCmpltw(&target.it, given.nparts, shares.data()) != 0 ||
             SCOTCH_dgraphMap(&bound.it, &target.it, &strategy.it, copy.part.data()) != 0;
  } else {
    status = SCOTCH_dgraphPart(&bound.it, given.nparts, &strategy.it, copy.part.data());
  }
  return status == 0 ? nullptr : "PT-Scotch cannot divide the graph";
}

op_status refused(const op_host_v1 *host, const op_part_graph &given) {
  if (given.size < sizeof given) return host->fail(host, OP_ERR_PLUGIN, "this plugin is newer than the library");
  int running = 0;
  MPI_Initialized(&running);
  if (given.native_kind != OP_PART_NATIVE_MPI_FORTRAN || !running)
    return host->fail(host, OP_ERR_UNSUPPORTED,
                      "PT-Scotch needs processes that are connected by the MPI library it was built with");
  return OP_OK;
}

// A communicator of its own: whatever PT-Scotch sends meets nothing else.
struct OwnCommunicator {
  MPI_Comm communicator = MPI_COMM_NULL;
  explicit OwnCommunicator(int64_t handle) { MPI_Comm_dup(MPI_Comm_f2c(static_cast<MPI_Fint>(handle)), &communicator); }
  ~OwnCommunicator() { MPI_Comm_free(&communicator); }
  OwnCommunicator(const OwnCommunicator &) = delete;
  OwnCommunicator &operator=(const OwnCommunicator &) = delete;
};

// nullptr when there is no memory.
std::unique_ptr<Copy> copied(const op_part_graph &given) try {
  return std::make_unique<Copy>(given);
} catch (const std::bad_alloc &) {
  return nullptr;
}

op_status part_graph(const op_host_v1 *host, const op_part_graph *given, int32_t *part) try {
  const op_status status = refused(host, *given);
  if (status != OP_OK) return status;
  if (given->vertex_offset[given->nprocs] == 0) return OP_OK;
  setenv("SCOTCH_PTHREAD_NUMBER", "1", 1); // read once, when the first graph is made
  const OwnCommunicator own(given->native_communicator);
  if (!can_be_counted(own.communicator, *given))
    return host->fail(host, OP_ERR_UNSUPPORTED, "the graph is larger than this build of PT-Scotch can count");
  const std::unique_ptr<Copy> copy = copied(*given);
  if (!all_well(own.communicator, copy != nullptr))
    return host->fail(host, OP_ERR_MEMORY, "no memory for PT-Scotch's copy of the graph");
  const char *why = given->nparts > 1 ? divide(own.communicator, *given, *copy) : nullptr;
  if (!all_well(own.communicator, why == nullptr))
    return host->fail(host, OP_ERR_PLUGIN, why ? why : "PT-Scotch has failed on another process");
  std::transform(copy->part.begin(), copy->part.end() - 1, part, [](SCOTCH_Num p) { return static_cast<int32_t>(p); });
  return OP_OK;
} catch (const std::exception &thrown) { // no memory
  return host->fail(host, OP_ERR_MEMORY, thrown.what());
}

int score(const op_host_v1 *) { return 30; }

constexpr op_part_ops_v1 ops = {sizeof(op_part_ops_v1), part_graph, nullptr};

#define TEXT_OF(x) #x
#define NUMBER(x) TEXT_OF(x)
constexpr op_plugin_v1 plugin = {
    sizeof(op_plugin_v1),
    OP2_PLUGIN_ABI,
    OP2_PLUGIN_API,
    OP_PLUGIN_PART,
    0,
    "ptscotch",
    "divides graphs in parallel by multilevel recursive bisection",
    "PT-Scotch " NUMBER(SCOTCH_VERSION) "." NUMBER(SCOTCH_RELEASE) "." NUMBER(SCOTCH_PATCHLEVEL),
    nullptr,
    score,
    &ops};

} // namespace

extern "C" OP_API const op_plugin_v1 *OP2_PLUGIN_ENTRY(void) { return &plugin; }

// SPDX-License-Identifier: MIT
