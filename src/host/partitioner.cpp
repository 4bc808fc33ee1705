#include "host/partitioner.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "host/tables.hpp"

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
    const std::string story = services_->take_failure();
    fail(status, "partitioner ", name_, ", order: ", story.empty() ? status_name(status) : story);
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

} // namespace op2::core
