#include "meshio/divide.hpp"

#include <array>
#include <numeric>

#include "base/error.hpp"
#include "base/log.hpp"
#include "distributed/partition/geometric.hpp"

namespace op2::core {

namespace {

// Cells are neighbours when they share a face.
struct CellGraph {
  explicit CellGraph(const MeshModel &model) : begin(static_cast<std::size_t>(model.file().cells) + 1) {
    const std::vector<int> &pairs = model.faces().face_cells;
    const auto each = [&](auto &&what) {
      for (std::size_t i = 0; i + 1 < pairs.size(); i += 2)
        if (pairs[i] != pairs[i + 1]) {
          what(static_cast<std::size_t>(pairs[i]), pairs[i + 1]);
          what(static_cast<std::size_t>(pairs[i + 1]), pairs[i]);
        }
    };
    each([&](std::size_t cell, int) { ++begin[cell + 1]; });
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    neighbours.resize(static_cast<std::size_t>(begin.back()));
    std::vector<std::int64_t> next(begin.begin(), begin.end() - 1);
    each([&](std::size_t cell, int other) { neighbours[static_cast<std::size_t>(next[cell]++)] = other; });
  }

  std::vector<std::int64_t> begin, neighbours;
};

} // namespace

std::vector<int> divide_mesh(const MeshModel &model, int parts, Registry &registry, const Services &services,
                             Communicator &communicator, const Log &log) {
  const int cells = model.file().cells;
  if (parts < 1 || parts > cells) fail(OP_ERR_ARGUMENT, "a mesh of ", cells, " cells cannot be in ", parts, " parts");
  try {
    const Partitioner scotch(registry, services, "scotch");
    const CellGraph graph(model);
    const std::array<std::int64_t, 2> all = {0, cells};
    return scotch.divide_here({all, graph.begin, graph.neighbours, {}, {}, 0}, PartShares(parts));
  } catch (const Error &error) {
    if (error.code != OP_ERR_BACKEND || communicator.size() > 1) throw;
    log.write(OP_LOG_WARN, text(error.what(), "; the mesh is divided by coordinates"));
  }
  return part_rcb(communicator, model.cell_centres(), model.file().dim, PartShares(parts));
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
