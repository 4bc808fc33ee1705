// A partitioner: the entry table of part.h with failures as exceptions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "host/registry.hpp"
#include "op2/plugin/part.h"

namespace op2::core {

class Partitioner {
 public:
  // Loads the plugin. Throws OP_ERR_BACKEND (not installed, cannot run here) or OP_ERR_PLUGIN (refused).
  Partitioner(Registry &registry, const Services &services, const std::string &name);

  // An order of the vertices of a graph in which neighbours are near: element i of the result comes i-th. The
  // neighbours of vertex v are neighbour[offset[v] ... offset[v+1]-1]. Throws OP_ERR_UNSUPPORTED when the plugin orders
  // nothing, what it reports, or OP_ERR_PLUGIN when its answer is no order.
  std::vector<int> order(std::span<const std::int64_t> offset, std::span<const int> neighbour) const;

 private:
  std::string name_;
  const Services *services_;
  op_part_ops_v1 ops_;
};

} // namespace op2::core
