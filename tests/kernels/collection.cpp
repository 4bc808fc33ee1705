// collection.cpp: see collection.hpp.
#include "collection.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <string_view>

namespace collection {

namespace {

// Sets and maps as arrays.
struct Tables {
  int nodes = 0;
  std::vector<int> cell_nodes, hex_nodes, edge_nodes, face_cells, border_nodes;
};

std::size_t place(int n) { return static_cast<std::size_t>(n); }

// Quadrilaterals; corners in the order (0,0), (1,0), (0,1), (1,1).
Tables quadrilaterals(int across) {
  Tables out;
  const int line = across + 1;
  out.nodes = line * line;
  for (int j = 0; j < across; ++j)
    for (int i = 0; i < across; ++i) {
      const int corner = j * line + i;
      out.cell_nodes.insert(out.cell_nodes.end(), {corner, corner + 1, corner + line, corner + line + 1});
    }
  for (int cell = 0; cell < across * across; ++cell) // with the next one, the last one with the first
    for (const int of : {cell, (cell + 1) % (across * across)})
      for (int c = 0; c < 4; ++c) out.hex_nodes.push_back(out.cell_nodes[place(4 * of + c)]);
  return out;
}

// Six tetrahedra for each of the small cubes.
Tables tetrahedra(int across) {
  constexpr int walks[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  Tables out;
  const int line = across + 1;
  out.nodes = line * line * line;
  const int step[3] = {1, line, line * line};
  for (int k = 0; k < across; ++k)
    for (int j = 0; j < across; ++j)
      for (int i = 0; i < across; ++i)
        for (const auto &walk : walks) {
          int node = i * step[0] + j * step[1] + k * step[2];
          out.cell_nodes.push_back(node);
          for (const int level : {node, node + step[2]}) // around the bottom, around the top
            out.hex_nodes.insert(out.hex_nodes.end(),
                                 {level, level + step[0], level + step[0] + step[1], level + step[1]});
          for (const int axis : walk) out.cell_nodes.push_back(node += step[axis]);
        }
  return out;
}

// The sides of a cell as corners: of a quadrilateral its edges, of a tetrahedron its triangles.
const std::vector<std::vector<int>> &sides(bool flat) {
  static const std::vector<std::vector<int>> of_quadrilateral = {{0, 1}, {0, 2}, {1, 3}, {2, 3}},
                                             of_tetrahedron = {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}};
  return flat ? of_quadrilateral : of_tetrahedron;
}

// Edges and faces in the order in which cells come to them.
void add_sides(Tables &mesh, bool flat) {
  std::map<std::array<int, 3>, int> waiting; // sides with one cell so far
  std::map<std::array<int, 2>, bool> known;
  const int cells = static_cast<int>(mesh.cell_nodes.size() / 4);
  for (int cell = 0; cell < cells; ++cell) {
    const int *const corners = &mesh.cell_nodes[place(4 * cell)];
    for (const std::vector<int> &side : sides(flat)) {
      std::array<int, 3> key = {-1, -1, -1};
      for (std::size_t c = 0; c < side.size(); ++c) key[c] = corners[side[c]];
      std::sort(key.begin(), key.end());
      if (const auto found = waiting.find(key); found != waiting.end()) {
        mesh.face_cells.insert(mesh.face_cells.end(), {found->second, cell});
        waiting.erase(found);
      } else {
        waiting[key] = cell;
      }
      for (std::size_t a = 0; a < side.size(); ++a)
        for (std::size_t b = a + 1; b < side.size(); ++b) {
          const std::array<int, 2> ends = {std::min(corners[side[a]], corners[side[b]]),
                                           std::max(corners[side[a]], corners[side[b]])};
          if (std::exchange(known[ends], true)) continue;
          mesh.edge_nodes.insert(mesh.edge_nodes.end(), ends.begin(), ends.end());
        }
    }
  }
  for (const auto &[key, cell] : waiting)
    for (const int node : key)
      if (node >= 0) mesh.border_nodes.push_back(node);
  std::sort(mesh.border_nodes.begin(), mesh.border_nodes.end());
  mesh.border_nodes.erase(std::unique(mesh.border_nodes.begin(), mesh.border_nodes.end()), mesh.border_nodes.end());
}

unsigned long long next(unsigned long long &state) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state >> 33;
}

std::vector<int> permutation(int size, unsigned long long seed) {
  std::vector<int> out(place(size));
  std::iota(out.begin(), out.end(), 0);
  for (int n = size - 1; n > 0; --n)
    std::swap(out[place(n)], out[place(static_cast<int>(next(seed) % static_cast<unsigned>(n + 1)))]);
  return out;
}

// Rows of a table in another order, with other numbers of their targets.
void shuffle(std::vector<int> &entries, int columns, const std::vector<int> &numbers, unsigned seed) {
  const std::vector<int> order = permutation(static_cast<int>(entries.size()) / columns, seed);
  std::vector<int> out(entries.size());
  for (std::size_t n = 0; n < order.size(); ++n)
    for (int c = 0; c < columns; ++c)
      out[n * place(columns) + place(c)] = numbers[place(entries[place(order[n] * columns + c)])];
  entries.swap(out);
}

Tables tables_of(Kind kind, int about_cells) {
  const bool flat = kind == Kind::rows;
  Tables out = flat ? quadrilaterals(std::max(3, static_cast<int>(std::sqrt(about_cells))))
                    : tetrahedra(std::max(3, static_cast<int>(std::cbrt(about_cells / 6))));
  if (kind == Kind::shuffled) {
    shuffle(out.cell_nodes, 4, permutation(out.nodes, 1), 2);
    shuffle(out.hex_nodes, 8, permutation(out.nodes, 1), 2);
  }
  add_sides(out, flat);
  if (kind == Kind::shuffled) {
    std::vector<int> same(place(std::max(out.nodes, static_cast<int>(out.cell_nodes.size() / 4))));
    std::iota(same.begin(), same.end(), 0);
    shuffle(out.edge_nodes, 2, same, 3);
    shuffle(out.face_cells, 2, same, 4);
    shuffle(out.border_nodes, 1, same, 5);
  }
  return out;
}

} // namespace

void Traffic::row(const void *dat, std::size_t number, std::size_t bytes, op_access access) {
  Rows &rows = rows_[dat];
  rows.bytes = bytes;
  rows.read = rows.read || access != OP_WRITE;
  rows.written = rows.written || access != OP_READ;
  if (rows.reached.size() <= number) rows.reached.resize(number + 1);
  rows.reached[number] = true;
}

double Traffic::bytes() const {
  double out = 0;
  for (const auto &[dat, rows] : rows_)
    out += static_cast<double>(rows.bytes) * (rows.read + rows.written) *
           static_cast<double>(std::count(rows.reached.begin(), rows.reached.end(), true));
  return out;
}

const char *name_of(Kind kind) {
  return kind == Kind::rows ? "rows" : kind == Kind::tetrahedra ? "tetrahedra" : "shuffled";
}

Mesh::Mesh(Kind kind, int about_cells, bool by_hand, int runs) : by_hand_(by_hand), runs_(runs) {
  static std::map<std::pair<Kind, int>, Tables> known; // a benchmark makes hundreds
  const auto [at, added] = known.try_emplace({kind, about_cells});
  if (added) at->second = tables_of(kind, about_cells);
  const Tables &made = at->second;
  const auto rows = [](const std::vector<int> &entries, std::size_t columns) {
    return static_cast<int>(entries.size() / columns);
  };
  nodes = op_decl_set(made.nodes, "nodes");
  edges = op_decl_set(rows(made.edge_nodes, 2), "edges");
  cells = op_decl_set(rows(made.cell_nodes, 4), "cells");
  faces = op_decl_set(rows(made.face_cells, 2), "faces");
  border = op_decl_set(rows(made.border_nodes, 1), "border");
  edge_nodes = table<2>(edges, nodes, made.edge_nodes);
  face_cells = table<2>(faces, cells, made.face_cells);
  cell_nodes = table<4>(cells, nodes, made.cell_nodes);
  hex_nodes = table<8>(cells, nodes, made.hex_nodes);
  border_nodes = table<1>(border, nodes, made.border_nodes);
}

std::size_t Mesh::size(op_set set) { return static_cast<std::size_t>(op_get_size(set)); }

void Mesh::fetch(op_dat dat, void *values) { check(op_fetch_data_all(dat, values)); }

void Mesh::check(op_status status) {
  if (status == OP_OK) return;
  std::fprintf(stderr, "%s\n", op_last_error());
  std::exit(1);
}

double Mesh::clock() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double Mesh::between(double low, double high) {
  return low + (high - low) * static_cast<double>(next(random_) >> 1) / 1073741824.0;
}

void Mesh::note(double seconds) {
  outcome_.seconds = outcome_.seconds == 0 ? seconds : std::min(outcome_.seconds, seconds);
}

std::vector<Registered> &all_cases() {
  static std::vector<Registered> cases;
  return cases;
}

int add_case(const char *name, void (*body)(Mesh &)) {
  std::vector<Registered> &cases = all_cases();
  const auto behind = std::find_if(cases.begin(), cases.end(),
                                   [&](const Registered &one) { return std::string_view(name) < one.name; });
  cases.insert(behind, {name, body});
  return static_cast<int>(cases.size());
}

} // namespace collection

// SPDX-License-Identifier: MIT
