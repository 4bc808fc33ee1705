#include "host/partitioner.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "host/plugins/tables.hpp"

namespace op2::core {

Partitioner::Partitioner(Registry &registry, const Services &services, const std::string &name)
    : name_(name), services_(&services), ops_(part_table(registry, registry.get(OP_PLUGIN_PART, name))) {
  std::string why;
  if (registry.score(OP_PLUGIN_PART, name, &why) <= 0) fail(OP_ERR_BACKEND, "partitioner ", name, ": ", why);
}

std::vector<int> Partitioner::order(std::span<const std::int64_t> offset, std::span<const int> neighbour) const {
  if (!ops_.order) fail(OP_ERR_UNSUPPORTED, "partitioner ", name_, " divides graphs but does not order them");
  const std::size_t vertices = offset.size() - 1;
  const std::int64_t vertex_offset[] = {0, static_cast<std::int64_t>(vertices)};
  const std::vector<std::int64_t> edges(neighbour.begin(), neighbour.end());
  op_part_graph graph{};
  graph.size = sizeof graph;
  graph.nprocs = 1;
  graph.nparts = 1;
  graph.vertex_offset = vertex_offset;
  graph.edge_offset = offset.data();
  graph.edges = edges.data();
  std::vector<int> out(vertices);
  const op_status status = ops_.order(services_->table(), &graph, out.data());
  if (status != OP_OK) {
    const std::string message = services_->take_failure();
    fail(status, "partitioner ", name_, ", order: ", message.empty() ? status_name(status) : message);
  }
  std::vector<char> seen(vertices, 0);
  for (const int v : out) {
    if (v < 0 || static_cast<std::size_t>(v) >= vertices || seen[static_cast<std::size_t>(v)])
      fail(OP_ERR_PLUGIN, "partitioner ", name_, ", order: its answer does not hold each of the ", vertices,
           " vertices once");
    seen[static_cast<std::size_t>(v)] = 1;
  }
  return out;
}

std::vector<int> Partitioner::divide(Communicator &communicator, const PartGraph &given, const PartShares &shares,
                                     double imbalance, int seed) const {
  if (!ops_.part_graph) fail(OP_ERR_UNSUPPORTED, "partitioner ", name_, " does not divide graphs");
  op_part_graph graph{};
  graph.size = sizeof graph;
  graph.nprocs = communicator.size();
  graph.rank = communicator.rank();
  graph.nparts = shares.parts();
  graph.seed = seed;
  graph.vertex_offset = given.vertex_offset.data();
  graph.edge_offset = given.edge_offset.data();
  graph.edges = given.edges.data();
  const std::size_t own = given.edge_offset.size() - 1;
  // A process without vertices has no weights and no coordinates, but the plugin shall see the same case everywhere.
  std::vector<int> weight(given.weight.begin(), given.weight.end());
  weight.resize(std::max<std::size_t>(own, 1), 1);
  if (communicator.max(given.weight.empty() ? 0 : 1) == 1) graph.vertex_weight = weight.data();
  graph.part_weight = shares.requested().empty() ? nullptr : shares.requested().data();
  if (communicator.native(0, graph.native_communicator)) graph.native_kind = OP_PART_NATIVE_MPI_FORTRAN;
  graph.imbalance = imbalance;
  const double nowhere[3] = {};
  graph.dim = given.dim;
  if (given.dim > 0) graph.coordinates = given.coordinates.empty() ? nowhere : given.coordinates.data();
  std::vector<int> part(std::max<std::size_t>(own, 1)); // an address also where there are no vertices
  const op_status status = ops_.part_graph(services_->table(), &graph, part.data());
  part.resize(own);
  const std::string why = answer(status, part, shares.parts());
  const op_status code = status == OP_OK && !why.empty() ? OP_ERR_PLUGIN : status;
  const op_status agreed = static_cast<op_status>(communicator.max(code));
  if (agreed == OP_OK) return part;
  fail(agreed, "partitioner ", name_, ": ", why.empty() ? "it has failed on another process" : why);
}

std::vector<int> Partitioner::divide_here(const PartGraph &given, const PartShares &shares, double imbalance,
                                          int seed) const {
  if (!ops_.part_graph) fail(OP_ERR_UNSUPPORTED, "partitioner ", name_, " does not divide graphs");
  op_part_graph graph{};
  graph.size = sizeof graph;
  graph.nprocs = 1;
  graph.nparts = shares.parts();
  graph.seed = seed;
  graph.vertex_offset = given.vertex_offset.data();
  graph.edge_offset = given.edge_offset.data();
  graph.edges = given.edges.data();
  graph.vertex_weight = given.weight.empty() ? nullptr : given.weight.data();
  graph.part_weight = shares.requested().empty() ? nullptr : shares.requested().data();
  graph.imbalance = imbalance;
  graph.dim = given.coordinates.empty() ? 0 : given.dim;
  graph.coordinates = graph.dim > 0 ? given.coordinates.data() : nullptr;
  const std::size_t vertices = given.edge_offset.size() - 1;
  std::vector<int> part(std::max<std::size_t>(vertices, 1));
  const op_status status = ops_.part_graph(services_->table(), &graph, part.data());
  part.resize(vertices);
  const std::string why = answer(status, part, shares.parts());
  if (!why.empty()) fail(status == OP_OK ? OP_ERR_PLUGIN : status, "partitioner ", name_, ": ", why);
  return part;
}

bool Partitioner::divides_here() const {
  const std::int64_t none[] = {0, 0};
  try {
    divide_here({none, std::span(none, 1), {}, {}, {}}, PartShares(1));
    return true;
  } catch (const Error &) {
    return false;
  }
}

// What is wrong with an answer, "" = nothing.
std::string Partitioner::answer(op_status status, std::span<const int> part, int parts) const {
  if (status != OP_OK) {
    const std::string message = services_->take_failure();
    return message.empty() ? status_name(status) : message;
  }
  for (std::size_t v = 0; v < part.size(); ++v)
    if (part[v] < 0 || part[v] >= parts)
      return text("it gives part ", part[v], " to vertex ", v, " of this process; there are 0 to ", parts - 1);
  return "";
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
