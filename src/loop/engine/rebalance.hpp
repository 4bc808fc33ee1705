// Balance of work while the program runs: when rows move to other processes, and which.
#pragma once

#include <vector>

#include "base/log.hpp"
#include "distributed/halo/transport.hpp"
#include "distributed/partition/partition.hpp"
#include "loop/engine/engine.hpp"
#include "mesh/mesh.hpp"

namespace op2::core {

struct RepartitionRequest {
  Dat *weights = nullptr;     // NULL: the measured time of loops
  Dat *coordinates = nullptr; // NULL: those of the division before, or the graph
  bool always = false;        // also if it does not pay
};

struct Repartition {
  bool moved = false;
  double rows = 0;              // that another process owns now
  double before = 1, after = 1; // imbalance: the work of the slowest process over its share
  double seconds = 0;           // of the call
};

class Rebalance {
 public:
  // partitioning: has divided the mesh. All arguments must outlive the object.
  Rebalance(Mesh &mesh, Engine &engine, Partitioning &partitioning, const Transport &transport, const Log &log)
      : mesh_(mesh), engine_(engine), partitioning_(partitioning), transport_(transport), log_(log) {}

  // Throws what is wrong with the arguments, also with one process.
  void check(const RepartitionRequest &request) const;
  // With several processes. Rows move if that is expected to take less time than the imbalance has cost since the last
  // move, and always where no times are measured. Collective.
  Repartition run(const RepartitionRequest &request);
  // OP2_REBALANCE=auto, before a loop: now and then all processes compare the times of their elements. Collective.
  void look();

 private:
  struct Times { // of elements, since the processes have compared them
    double slowest = 0, mean = 0;
  };
  Times compare_times();
  double cost_of_a_move(); // seconds, the same on all processes
  const Set &set_of(const RepartitionRequest &request) const;
  std::vector<double> work_of(const Set &set, const RepartitionRequest &request) const;
  std::vector<double> measured_work(const Set &set) const;
  void balance(const RepartitionRequest &request, const std::vector<double> &work, Repartition &out);
  void move(const Set &set, const std::vector<int> &part, const PartShares &shares, Repartition &out);
  void note(const Repartition &done);
  bool particles_rest();

  Mesh &mesh_;
  Engine &engine_;
  Partitioning &partitioning_;
  const Transport transport_;
  const Log &log_;
  double lost_ = 0; // seconds that the slowest process took longer than the mean, since the last move
  double cost_ = 0; // of a move, as it was known last
  std::int64_t loops_ = 0, next_look_ = 64;     // of look()
  double imbalance_at_move_ = 1, patience_ = 1; // of look(): after a move that has not helped, it waits longer
};

} // namespace op2::core
// SPDX-License-Identifier: MIT
