// shuffle.hpp: a mesh with its nodes, cells and edges in random order: the worst that a mesh generator can do.
#ifndef OP2_BENCH_SHUFFLE_HPP
#define OP2_BENCH_SHUFFLE_HPP

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>
#include <vector>

#include "naca_mesh.hpp"

namespace bench {

inline std::vector<int> random_numbers(int n, std::mt19937 &random) {
  std::vector<int> numbers(static_cast<std::size_t>(n));
  std::iota(numbers.begin(), numbers.end(), 0);
  std::shuffle(numbers.begin(), numbers.end(), random);
  return numbers;
}

// Moves row n to row to[n].
template <class T>
std::vector<T> moved(const std::vector<T> &rows, const std::vector<int> &to) {
  std::vector<T> out(rows.size());
  const std::size_t dim = rows.size() / to.size();
  for (std::size_t n = 0; n < to.size(); ++n)
    for (std::size_t k = 0; k < dim; ++k) out[static_cast<std::size_t>(to[n]) * dim + k] = rows[n * dim + k];
  return out;
}

inline void renumber(std::vector<int> &map, const std::vector<int> &to) {
  for (int &entry : map) entry = to[static_cast<std::size_t>(entry)];
}

inline naca::Mesh shuffled(naca::Mesh mesh) {
  std::mt19937 random(1); // the seed is part of the benchmark
  const auto nodes = random_numbers(mesh.nnode, random), cells = random_numbers(mesh.ncell, random),
             edges = random_numbers(mesh.nedge, random);
  for (std::vector<int> *map : {&mesh.cell_nodes, &mesh.edge_nodes, &mesh.bedge_nodes}) renumber(*map, nodes);
  for (std::vector<int> *map : {&mesh.edge_cells, &mesh.bedge_cell}) renumber(*map, cells);
  mesh.x = moved(mesh.x, nodes);
  mesh.cell_nodes = moved(mesh.cell_nodes, cells);
  mesh.edge_nodes = moved(mesh.edge_nodes, edges);
  mesh.edge_cells = moved(mesh.edge_cells, edges);
  return mesh;
}

} // namespace bench

#endif

// SPDX-License-Identifier: MIT
