// shuffle_mesh I J FILE: writes the airfoil mesh with all its nodes, cells and edges numbered at random. The seed is
// fixed, the generator is standard, and std::shuffle is not used, since its result is up to the compiler's library.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numeric>
#include <random>
#include <utility>

#include "naca_mesh.hpp"

namespace {

std::vector<int> random_numbers(int n, std::mt19937_64 &random) {
  std::vector<int> numbers(static_cast<std::size_t>(n));
  std::iota(numbers.begin(), numbers.end(), 0);
  for (std::size_t i = numbers.size(); i > 1; --i) std::swap(numbers[i - 1], numbers[random() % i]);
  return numbers;
}

// Row n becomes row to[n].
template <class T>
void move_rows(std::vector<T> &rows, const std::vector<int> &to) {
  const std::vector<T> old = rows;
  const std::size_t dim = rows.size() / to.size();
  for (std::size_t n = 0; n < to.size(); ++n)
    for (std::size_t k = 0; k < dim; ++k) rows[static_cast<std::size_t>(to[n]) * dim + k] = old[n * dim + k];
}

void rename(std::vector<int> &map, const std::vector<int> &to) {
  for (int &entry : map) entry = to[static_cast<std::size_t>(entry)];
}

void shuffle(naca::Mesh &mesh) {
  std::mt19937_64 random(5);
  const std::vector<int> nodes = random_numbers(mesh.nnode, random), cells = random_numbers(mesh.ncell, random),
                         edges = random_numbers(mesh.nedge, random), bedges = random_numbers(mesh.nbedge, random);
  for (std::vector<int> *map : {&mesh.cell_nodes, &mesh.edge_nodes, &mesh.bedge_nodes}) rename(*map, nodes);
  for (std::vector<int> *map : {&mesh.edge_cells, &mesh.bedge_cell}) rename(*map, cells);
  move_rows(mesh.x, nodes);
  move_rows(mesh.cell_nodes, cells);
  for (std::vector<int> *rows : {&mesh.edge_nodes, &mesh.edge_cells}) move_rows(*rows, edges);
  for (std::vector<int> *rows : {&mesh.bedge_nodes, &mesh.bedge_cell, &mesh.bound}) move_rows(*rows, bedges);
}

} // namespace

int main(int argc, char **argv) try {
  if (argc != 4) {
    std::fputs("usage: shuffle_mesh I J FILE\n", stderr);
    return 2;
  }
  naca::Mesh mesh = naca::make_mesh(std::atoi(argv[1]), std::atoi(argv[2]));
  shuffle(mesh);
  naca::write_mesh(mesh, argv[3]);
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "shuffle_mesh: %s\n", error.what());
  return 1;
}

// SPDX-License-Identifier: MIT
