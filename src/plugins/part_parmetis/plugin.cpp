// Partitioner "parmetis": divides distributed graphs through ParMETIS' interface, that of ParMETIS itself or the one
// that PT-Scotch carries. With coordinates it is PartGeomKway, else PartKway.
#include <mpi.h>
#include <cstdint>
#include <cstdio>
// the header of PT-Scotch's interface uses them without including them
#include <parmetis.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <vector>

#include "op2/plugin/part.h"

namespace {

constexpr double usual_imbalance = 1.03;

#define TEXT_OF(x) #x
#define NUMBER(x) TEXT_OF(x)
#ifdef PARMETIS_MAJOR_VERSION
using Index = idx_t;
using Real = real_t;
constexpr auto part_kway = ParMETIS_V3_PartKway;
constexpr auto part_geom_kway = ParMETIS_V3_PartGeomKway;
constexpr const char *build =
    "ParMETIS " NUMBER(PARMETIS_MAJOR_VERSION) "." NUMBER(PARMETIS_MINOR_VERSION) "." NUMBER(PARMETIS_SUBMINOR_VERSION);
#else
using Index = SCOTCH_Num;
using Real = float;
constexpr auto part_kway = SCOTCH_ParMETIS_V3_PartKway;
constexpr auto part_geom_kway = SCOTCH_ParMETIS_V3_PartGeomKway;
constexpr const char *build = "interface of ParMETIS 3 in PT-Scotch, which does not look at coordinates";
#endif

// A communicator, freed at the end of the scope; none where a process takes no part.
struct OwnCommunicator {
  MPI_Comm communicator = MPI_COMM_NULL;
  OwnCommunicator(MPI_Comm all, bool takes_part) {
    MPI_Comm_split(all, takes_part ? 0 : MPI_UNDEFINED, 0, &communicator);
  }
  ~OwnCommunicator() {
    if (communicator != MPI_COMM_NULL) MPI_Comm_free(&communicator);
  }
  OwnCommunicator(const OwnCommunicator &) = delete;
  OwnCommunicator &operator=(const OwnCommunicator &) = delete;
};

// What the interface wants, in its own types. Processes without vertices are left out, which changes no number of a
// vertex: ParMETIS refuses them.
struct Copy {
  std::vector<Index> distribution{0}, offset, edges, weight, part;
  std::vector<Real> coordinates, share;
  Index dim;

  explicit Copy(const op_part_graph &given) : dim(std::max<Index>(2, given.dim)) {
    for (int32_t p = 0; p < given.nprocs; ++p)
      if (given.vertex_offset[p + 1] > given.vertex_offset[p])
        distribution.push_back(static_cast<Index>(given.vertex_offset[p + 1]));
    const int64_t own = given.vertex_offset[given.rank + 1] - given.vertex_offset[given.rank];
    offset.assign(given.edge_offset, given.edge_offset + own + 1);
    edges.reserve(static_cast<std::size_t>(given.edge_offset[own]) + 1); // an address also without edges
    edges.assign(given.edges, given.edges + given.edge_offset[own]);
    if (given.vertex_weight) weight.assign(given.vertex_weight, given.vertex_weight + own);
    part.assign(static_cast<std::size_t>(own), 0);
    for (int64_t v = 0; v < own && given.dim > 0; ++v)
      for (Index d = 0; d < dim; ++d)
        coordinates.push_back(d < given.dim ? static_cast<Real>(given.coordinates[v * given.dim + d]) : Real{0});
    copy_shares(given);
  }

 private:
  void copy_shares(const op_part_graph &given) {
    double sum = 0;
    for (int32_t p = 0; p < given.nparts; ++p) sum += given.part_weight ? given.part_weight[p] : 1.0;
    for (int32_t p = 0; p < given.nparts; ++p)
      share.push_back(static_cast<Real>((given.part_weight ? given.part_weight[p] : 1.0) / sum));
  }
};

std::unique_ptr<Copy> copied(const op_part_graph &given) try {
  return std::make_unique<Copy>(given);
} catch (const std::bad_alloc &) {
  return nullptr;
}

// All processes say whether they are well, so that none waits for one that has failed.
bool all_well(MPI_Comm communicator, bool well) {
  int mine = well ? 1 : 0, all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, communicator);
  return all == 1;
}

bool can_be_counted(MPI_Comm communicator, const op_part_graph &given) {
  const int64_t own = given.vertex_offset[given.rank + 1] - given.vertex_offset[given.rank];
  int64_t sums[2] = {given.edge_offset[own], 0}, all[2];
  for (int64_t v = 0; v < own; ++v) sums[1] += given.vertex_weight ? given.vertex_weight[v] : 1;
  MPI_Allreduce(sums, all, 2, MPI_INT64_T, MPI_SUM, communicator);
  return std::max(all[0], all[1]) <= std::numeric_limits<Index>::max();
}

bool divide(MPI_Comm communicator, const op_part_graph &given, Copy &copy) {
  Index weights = given.vertex_weight ? 2 : 0, first = 0, constraints = 1, parts = given.nparts, cut = 0;
  Index options[3] = {1, 0, given.seed + 1};
  Real allowed = static_cast<Real>(given.imbalance > 0 ? given.imbalance : usual_imbalance);
  Index *weight = given.vertex_weight ? copy.weight.data() : nullptr;
  const int status =
      given.dim > 0 ? part_geom_kway(copy.distribution.data(), copy.offset.data(), copy.edges.data(), weight, nullptr,
                                     &weights, &first, &copy.dim, copy.coordinates.data(), &constraints, &parts,
                                     copy.share.data(), &allowed, options, &cut, copy.part.data(), &communicator)
                    : part_kway(copy.distribution.data(), copy.offset.data(), copy.edges.data(), weight, nullptr,
                                &weights, &first, &constraints, &parts, copy.share.data(), &allowed, options, &cut,
                                copy.part.data(), &communicator);
  return status == METIS_OK;
}

op_status part_graph(const op_host_v1 *host, const op_part_graph *given, int32_t *part) try {
  if (given->size < sizeof *given) return host->fail(host, OP_ERR_PLUGIN, "this plugin is newer than the library");
  int running = 0;
  MPI_Initialized(&running);
  if (given->native_kind != OP_PART_NATIVE_MPI_FORTRAN || !running)
    return host->fail(host, OP_ERR_UNSUPPORTED,
                      "ParMETIS needs processes that are connected by the MPI library it was built with");
  if (given->vertex_offset[given->nprocs] == 0) return OP_OK;
  setenv("SCOTCH_PTHREAD_NUMBER", "1", 1); // PT-Scotch with more threads has been seen to hang
  const MPI_Comm all = MPI_Comm_f2c(static_cast<MPI_Fint>(given->native_communicator));
  if (!can_be_counted(all, *given))
    return host->fail(host, OP_ERR_UNSUPPORTED, "the graph is larger than this build of ParMETIS can count");
  const std::unique_ptr<Copy> copy = copied(*given);
  if (!all_well(all, copy != nullptr))
    return host->fail(host, OP_ERR_MEMORY, "no memory for ParMETIS' copy of the graph");
  const OwnCommunicator own(all, !copy->part.empty());
  const bool divided = copy->part.empty() || given->nparts == 1 || divide(own.communicator, *given, *copy);
  if (!all_well(all, divided)) return host->fail(host, OP_ERR_PLUGIN, "ParMETIS cannot divide the graph");
  std::transform(copy->part.begin(), copy->part.end(), part, [](Index p) { return static_cast<int32_t>(p); });
  return OP_OK;
} catch (const std::exception &thrown) { // no memory
  return host->fail(host, OP_ERR_MEMORY, thrown.what());
}

int score(const op_host_v1 *) { return 20; }

constexpr op_part_ops_v1 ops = {sizeof(op_part_ops_v1), part_graph, nullptr};

constexpr op_plugin_v1 plugin = {sizeof(op_plugin_v1),
                                 OP2_PLUGIN_ABI,
                                 OP2_PLUGIN_API,
                                 OP_PLUGIN_PART,
                                 0,
                                 "parmetis",
                                 "divides graphs in parallel into k parts at once",
                                 build,
                                 nullptr,
                                 score,
                                 &ops};

} // namespace

extern "C" OP_API const op_plugin_v1 *OP2_PLUGIN_ENTRY(void) { return &plugin; }

// SPDX-License-Identifier: MIT
