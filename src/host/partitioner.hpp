// A partitioner: the entry table of part.h, with failures as exceptions; and its input: shares and a graph.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "host/communicator.hpp"
#include "host/plugins/registry.hpp"
#include "op2/plugin/part.h"

namespace op2::core {

// How much of the whole each part shall receive: equal parts, or by shares.
class PartShares {
 public:
  explicit PartShares(int parts);
  // Shares in any unit, 0 or more. Throws OP_ERR_ARGUMENT if one is negative or not finite, or all are 0.
  explicit PartShares(std::vector<double> shares);

  int parts() const { return static_cast<int>(before_.size()) - 1; }
  // The fraction of the whole that the parts [first, last) shall receive.
  double of(int first, int last) const { return (before_[at(last)] - before_[at(first)]) / before_.back(); }
  double of(int part) const { return of(part, part + 1); }
  const std::vector<double> &requested() const { return shares_; } // empty = equal parts

 private:
  static std::size_t at(int part) { return static_cast<std::size_t>(part); }
  std::vector<double> shares_, before_; // before_[p]: sum of the shares of the parts below p
};

// A graph whose vertices are distributed in blocks of consecutive global numbers. Each edge is listed at both of its
// ends.
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

  // An order of the vertices of a graph in which neighbours are near: result[i] is the vertex at place i. The
  // neighbours of vertex v are neighbour[offset[v] ... offset[v+1]-1]. Throws OP_ERR_UNSUPPORTED if the plugin has no
  // such entry, the plugin's status, or OP_ERR_PLUGIN if its result is not a permutation.
  std::vector<int> order(std::span<const std::int64_t> offset, std::span<const int> neighbour) const;

  bool divides() const { return ops_.part_graph != nullptr; }
  // The part of each own vertex. No part shall be heavier than `imbalance` times its share; 0 = the
  // plugin's default. Collective. A failure on one process throws on all.
  std::vector<int> divide(Communicator &communicator, const PartGraph &graph, const PartShares &shares,
                          double imbalance = 0, int seed = 0) const;
  // As divide(), for a whole graph on this process. Not collective.
  std::vector<int> divide_here(const PartGraph &graph, const PartShares &shares, double imbalance = 0,
                               int seed = 0) const;
  // Whether divide_here() works with this plugin, which may need MPI.
  bool divides_here() const;

 private:
  std::string answer(op_status status, std::span<const int> part, int parts) const;

  std::string name_;
  const Services *services_;
  op_part_ops_v1 ops_;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
