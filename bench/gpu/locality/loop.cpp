#include "gpu/locality/loop.hpp"

#include <array>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "box_mesh.hpp"
#include "common/shuffle.hpp"

namespace bench::locality {

namespace {

constexpr double value_bytes = 8, entry_bytes = 4;

// x, q, adt and res of airfoil: dats 0 to 3; map 0 leads to nodes, map 1 to cells.
Loop flow_through(int elements, int nodes, int cells, LoopMap to_nodes, LoopMap to_cells, int axes) {
  Loop loop;
  loop.elements = elements;
  loop.set_rows = {nodes, cells};
  const int corners = to_nodes.dim;
  loop.maps = {std::move(to_nodes), std::move(to_cells)};
  loop.dats = {{0, axes}, {1, 4}, {1, 1}, {1, 4}};
  for (int k = 0; k < corners; ++k) loop.args.push_back({0, 0, k, 1, false});
  for (const int dat : {1, 2, 3})
    for (const int side : {0, 1}) loop.args.push_back({dat, 1, side, 1, dat == 3});
  return loop;
}

Loop edges_of(const naca::Mesh &mesh) {
  return flow_through(mesh.nedge, mesh.nnode, mesh.ncell, {mesh.edge_nodes, 2, 0}, {mesh.edge_cells, 2, 1}, 2);
}

// Faces inside, in the order in which cells meet them.
Loop faces_of(const box::Mesh &mesh) {
  std::map<std::array<int, 3>, int> first_cell;
  LoopMap nodes{{}, 3, 0}, cells{{}, 2, 1};
  for (int cell = 0; cell < mesh.ncell; ++cell)
    for (std::size_t left_out = 0; left_out < 4; ++left_out) {
      std::array<int, 3> corners{};
      for (std::size_t k = 0, at = 0; k < 4; ++k)
        if (k != left_out) corners[at++] = mesh.cell_nodes[4 * static_cast<std::size_t>(cell) + k];
      const auto [found, fresh] = first_cell.try_emplace(corners, cell);
      if (fresh) continue;
      nodes.table.insert(nodes.table.end(), corners.begin(), corners.end());
      cells.table.insert(cells.table.end(), {found->second, cell});
    }
  const int faces = static_cast<int>(cells.table.size() / 2);
  return flow_through(faces, mesh.nnode, mesh.ncell, std::move(nodes), std::move(cells), 3);
}

Loop corners_of(const box::Mesh &mesh) {
  Loop loop;
  loop.elements = mesh.ncell;
  loop.set_rows = {mesh.nnode};
  loop.maps = {{mesh.cell_nodes, 4, 0}};
  loop.dats = {{0, 3}, {0, 1}, {0, 1}};
  loop.args = {{0, 0, 0, 4, false}, {1, 0, 0, 4, false}, {2, 0, 0, 4, true}};
  return loop;
}

} // namespace

double Loop::compulsory_bytes() const {
  double bytes = 0;
  for (const LoopMap &map : maps) bytes += entry_bytes * static_cast<double>(map.table.size());
  std::map<std::pair<int, bool>, std::set<int>> rows_of; // by dat and use
  for (const LoopArg &arg : args) {
    std::set<int> &rows = rows_of[{arg.dat, arg.adds}];
    for (int j = 0; j < arg.count; ++j)
      for (int n = 0; n < elements; ++n) rows.insert(target(arg, j, n));
  }
  for (const auto &[of, rows] : rows_of)
    bytes += value_bytes * (of.second ? 2 : 1) * dats[static_cast<std::size_t>(of.first)].dim *
             static_cast<double>(rows.size());
  return bytes;
}

Loop make_loop(const std::string &name, int size) {
  if (name == "rows") return edges_of(naca::make_mesh(size, 2 * size / 3));
  if (name == "shuffled") return edges_of(shuffled(naca::make_mesh(size, 2 * size / 3)));
  const box::Shape shape{.n = size / 6};
  if (name == "faces") return faces_of(box::make_mesh(shape));
  if (name == "corners") return corners_of(box::make_mesh(shape));
  throw std::invalid_argument("there is no loop " + name);
}

Loop in_order(Loop loop, const std::vector<int> &element) {
  for (LoopMap &map : loop.maps) {
    std::vector<int> table;
    table.reserve(map.table.size());
    for (const int n : element) {
      const auto row = map.table.begin() + static_cast<std::ptrdiff_t>(n) * map.dim;
      table.insert(table.end(), row, row + map.dim);
    }
    map.table = std::move(table);
  }
  loop.elements = static_cast<int>(element.size());
  return loop;
}

Loop with_places(Loop loop, int set, const std::vector<int> &place) {
  for (LoopMap &map : loop.maps)
    if (map.set == set)
      for (int &row : map.table) row = place[static_cast<std::size_t>(row)];
  return loop;
}

} // namespace bench::locality

// SPDX-License-Identifier: MIT
