// Which process gets which elements: as op_partition() requests, or automatically.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "base/settings.hpp"
#include "distributed/partition/repartition.hpp"
#include "distributed/redistribute/distribute.hpp"
#include "host/partitioner.hpp"
#include "host/plugins/registry.hpp"
#include "host/plugins/services.hpp"
#include "mesh/mesh.hpp"
#include "op2/decl.h"
#include "op2/partition.h"

namespace op2::core {

// The arguments of op_partition(); NULL = not given.
struct PartitionRequest {
  std::string library, routine; // OP2's names, in any case; library "" = BLOCK, "AUTO" = best available
  const Set *set = nullptr;
  const Map *map = nullptr;
  Dat *coordinates = nullptr;
  Dat *weights = nullptr;     // of the elements
  std::vector<double> shares; // of the processes; empty = OP2_PARTITION_WEIGHTS
  bool asked = false;         // by a call of the program
};

// The speed of this process, in a unit common to all processes. Collective.
using SpeedOfProcess = std::function<double()>;

class Partitioning {
 public:
  Partitioning(Registry &registry, const Services &services, const Settings &settings, const Log &log)
      : registry_(registry), services_(services), settings_(settings), log_(log) {}
  // For OP2_PARTITION_WEIGHTS=measured and auto; without it, all speeds are equal.
  void measure_by(SpeedOfProcess speed) { speed_ = std::move(speed); }

  // Throws OP_ERR_ARGUMENT when OP2_PARTITION_WEIGHTS does not fit this number of processes.
  void check_shares(int processes) const;
  // Throws when the request lacks an argument that its method needs, also with one process.
  void check(const PartitionRequest &request) const;
  // The request of `call`; all processes pass the same params. Throws OP_ERR_ARGUMENT, OP_ERR_STATE. Collective.
  PartitionRequest request(const char *call, Mesh &mesh, const op_partition_params &params) const;
  // The argument of distribute(); empty when sets stay in blocks. Logs the method and the quality.
  // Collective.
  Division division(Mesh &mesh, const PartitionRequest &request);
  // The request of setting OP2_PARTITION, for programs without op_partition().
  PartitionRequest automatic() const;

  // To divide the mesh again as division() has divided it before: the set, NULL = there is none; its coordinates, NULL
  // = they did not matter; the shares that the program or the setting wants.
  const Set *set_to_divide(const Mesh &mesh) const;
  Dat *coordinates_to_divide_by() const;
  PartShares shares_to_divide_by(Mesh &mesh) { return shares(mesh, last_, method_of(last_) != Method::block); }
  // The new part of each own element of the set, by points or else by the graph of its neighbours; sets in blocks get
  // other borders. If all shares are equal, many elements stay where they are. Collective.
  std::vector<int> parts_by_work(Mesh &mesh, const Set &set, const ElementPoints &points, const PartShares &shares,
                                 const std::vector<int> &weight) const;

 private:
  enum class Method { block, random, external, rcb, hilbert, inertial, graph };
  struct Choice {
    Method method = Method::block;
    std::string plugin; // for graphs
    bool with_coordinates = false;
    const Set *set = nullptr; // to divide; NULL: all, in blocks
    const Map *map = nullptr; // its graph
    bool searched = true;     // false: blocks on purpose, or given parts
  };
  static Method method_of(const PartitionRequest &request);
  Choice choose(const PartitionRequest &request, bool connected_by_mpi) const;
  Choice choose(const Mesh &mesh, const PartitionRequest &request) const;
  PartShares shares(Mesh &mesh, const PartitionRequest &request, bool may_measure);
  std::vector<double> measured(Mesh &mesh);
  std::string graph_plugin(const std::string &wanted, bool connected_by_mpi) const; // "" = there is none
  bool usable(const std::string &plugin) const;
  void instead(const std::string &wanted, const std::string &used) const;
  std::vector<int> divide(Mesh &mesh, const Choice &choice, const PartitionRequest &request,
                          const PartShares &shares) const;
  std::vector<int> divide_graph(Mesh &mesh, const Choice &choice, const PartitionRequest &request,
                                const PartShares &shares, const std::vector<int> &weight) const;
  std::vector<int> divide_anywhere(Communicator &communicator, const Choice &choice, const PartGraph &graph,
                                   const PartShares &shares) const;
  void tell_balance(Communicator &communicator, const std::vector<int> &part, const std::vector<int> &weight,
                    const PartShares &shares) const;

  Registry &registry_;
  const Services &services_;
  const Settings &settings_;
  const Log &log_;
  SpeedOfProcess speed_;
  std::vector<double> shares_measured_; // empty = not yet
  PartitionRequest last_;               // of division()
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
