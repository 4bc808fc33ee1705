#include "distributed/partition/gathered.hpp"

#include "base/error.hpp"

namespace op2::core {

namespace {

constexpr std::int64_t most_entries = std::int64_t{1} << 31; // of 8 bytes: more than one process should have

// The values of all processes, one after the other, on process 0.
template <class T>
SparseMessages to_first(Communicator &communicator, std::span<const T> own) {
  const int first = 0;
  const std::size_t messages = own.empty() ? 0 : 1, offset[] = {0, own.size_bytes()};
  return communicator.sparse_exchange(std::span(&first, messages), std::span(offset, messages + 1), own.data());
}

// The whole graph; its arrays.
struct WholeGraph {
  SparseMessages edges, weight, coordinates;
  std::vector<std::int64_t> vertex_offset, edge_offset;
  PartGraph view(int dim) const {
    return {vertex_offset, edge_offset, edges.all<std::int64_t>(), weight.all<int>(), coordinates.all<double>(), dim};
  }
};

WholeGraph gather_graph(Communicator &communicator, const PartGraph &own) {
  WholeGraph whole;
  std::vector<std::int64_t> degree;
  for (std::size_t v = 0; v + 1 < own.edge_offset.size(); ++v)
    degree.push_back(own.edge_offset[v + 1] - own.edge_offset[v]);
  const SparseMessages degrees = to_first<std::int64_t>(communicator, degree);
  whole.edges = to_first(communicator, own.edges);
  whole.weight = to_first(communicator, own.weight);
  whole.coordinates = to_first(communicator, own.coordinates);
  whole.edge_offset = {0};
  for (const std::int64_t edges : degrees.all<std::int64_t>())
    whole.edge_offset.push_back(whole.edge_offset.back() + edges);
  whole.vertex_offset = {0, static_cast<std::int64_t>(whole.edge_offset.size()) - 1};
  return whole;
}

// From process 0 to each its own.
std::vector<int> scatter_parts(Communicator &communicator, std::span<const std::int64_t> vertex_offset,
                               std::span<const int> whole) {
  std::vector<int> ranks;
  std::vector<std::size_t> offset = {0};
  for (int p = 0; p < communicator.size() && !whole.empty(); ++p) {
    const std::size_t at = static_cast<std::size_t>(p);
    if (vertex_offset[at + 1] == vertex_offset[at]) continue;
    ranks.push_back(p);
    offset.push_back(static_cast<std::size_t>(vertex_offset[at + 1]) * sizeof(int));
  }
  const SparseMessages received = communicator.sparse_exchange(ranks, offset, whole.data());
  const std::span<const int> own = received.all<int>();
  return {own.begin(), own.end()};
}

} // namespace

std::vector<int> divide_gathered(Communicator &communicator, const Partitioner &partitioner, const PartGraph &graph,
                                 const PartShares &shares) {
  const std::int64_t vertices = graph.vertex_offset.back();
  const std::int64_t entries = vertices + communicator.sum(static_cast<std::int64_t>(graph.edges.size()));
  if (entries > most_entries)
    fail(OP_ERR_UNSUPPORTED, "the graph has ", entries, " vertices and ends of edges, and one process divides at most ",
         most_entries);
  const WholeGraph whole = gather_graph(communicator, graph);
  std::vector<int> part;
  op_status status = OP_OK;
  std::string message;
  if (communicator.rank() == 0) try {
      part = partitioner.divide_here(whole.view(graph.dim), shares);
    } catch (const Error &error) {
      status = error.code;
      message = error.what();
    } catch (const std::bad_alloc &) {
      status = OP_ERR_MEMORY;
      message = "no memory to divide the whole graph";
    }
  const op_status agreed = static_cast<op_status>(communicator.max(status));
  if (agreed != OP_OK) fail(agreed, communicator.allgather(message).front());
  return scatter_parts(communicator, graph.vertex_offset, part);
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
