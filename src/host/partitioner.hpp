// A partitioner: the entry table of part.h with failures as exceptions, and what every division starts from.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "host/communicator.hpp"
#include "host/plugins/registry.hpp"
#include "op2/plugin/part.h"

namespace op2::core {

// How much each part shall get: all the same, or as much as its share says.
class PartShares {
 public:
  explicit PartShares(int parts);
  // Any scale; zero is allowed. Throws OP_ERR_ARGUMENT when one is negative or not finite, or all are zero.
  explicit PartShares(std::vector<double> shares);

  int parts() const { return static_cast<int>(before_.size()) - 1; }
  // What the parts [first, last) get of the whole.
  double of(int first, int last) const { return (before_[at(last)] - before_[at(first)]) / before_.back(); }
  double of(int part) const { return of(part, part + 1); }
  const std::vector<double> &requested() const { return shares_; } // empty = all the same

 private:
  static std::size_t at(int part) { return static_cast<std::size_t>(part); }
  std::vector<double> shares_, before_; // before_[p]: sum of the shares of the parts below p
};

// A graph whose vertices are distributed in blocks of consecutive global numbers. Every edge is there from both ends.
struct PartGraph {
  std::span<const std::int64_t> vertex_offset; // [processes + 1]
  std::span<const std::int64_t> edge_offset;   // [own vertices + 1]
  std::span<const std::int64_t> edges;         // neighbours, global numbers
  std::span<const int> weight;                 // of the own vertices; empty = 1
  std::span<const double> coordinates;         // [own vertices][dim], may be empty
  int dim = 0;
};

class Partitioner {
 public:
  // Loads the plugin. Throws OP_ERR_BACKEND (not installed, cannot run here) or OP_ERR_PLUGIN (refused).
  Partitioner(Registry &registry, const Services &services, const std::string &name);

  // An order of the vertices of a graph in which neighbours are near: element i of the result comes i-th. The
  // neighbours of vertex v are neighbour[offset[v] ... offset[v+1]-1]. Throws OP_ERR_UNSUPPORTED when the plugin orders
  // nothing, what it reports, or OP_ERR_PLUGIN when its answer is no order.
  std::vector<int> order(std::span<const std::int64_t> offset, std::span<const int> neighbour) const;

  bool divides() const { return ops_.part_graph != nullptr; }
  // The part of each own vertex. No part shall be heavier than `imbalance` times its share; 0 leaves that to the
  // plugin. Collective. Throws what any process reports, on all of them.
  std::vector<int> divide(Communicator &communicator, const PartGraph &graph, const PartShares &shares,
                          double imbalance = 0, int seed = 0) const;
  // The same for a graph that lies on this process whole, whatever other processes there are. Not collective.
  std::vector<int> divide_here(const PartGraph &graph, const PartShares &shares, double imbalance = 0,
                               int seed = 0) const;
  // Whether the plugin can do that, without messages of MPI.
  bool divides_here() const;

 private:
  std::string answer(op_status status, std::span<const int> part, int parts) const;

  std::string name_;
  const Services *services_;
  op_part_ops_v1 ops_;
};

} // namespace op2::core
