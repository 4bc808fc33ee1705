// case.hpp: what the cases of badinput.cpp, running.cpp and files.cpp share: who does the wrong thing, and a mesh to do it with.
#pragma once

#include <op2/info.h>
#include <op2/op2.hpp>

#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <vector>

using Cases = std::map<std::string, std::function<void()>>;
void add_running_cases(Cases &cases);
void add_file_cases(Cases &cases);

inline int rank = 0, processes = 1, guilty = -1;
inline bool wrong() { return guilty < 0 || guilty == rank; }

// How the arrays are meant is up to OP2_DECLARE: all of them are the whole mesh or, when it is `local`, the same number
// of rows on each process.
constexpr int ncell = 24, nedge = ncell - 1;
inline int total(int size) { return std::string(op_setting("OP2_DECLARE")) == "local" ? size * processes : size; }

inline std::vector<int> chain(int cells) {
  std::vector<int> entries;
  const int first = cells > ncell ? rank * ncell : 0; // each process its own links, so that all of them have work
  for (int e = first; e < first + nedge; ++e) {
    entries.push_back(e % cells);
    entries.push_back((e + 1) % cells);
  }
  return entries;
}

struct World {
  op_set cells = op_decl_set(ncell, "cells"), edges = op_decl_set(nedge, "edges");
  op_map edge_cells = nullptr;
  op_dat q = nullptr, part = nullptr;
  World() {
    const std::vector<int> entries = chain(total(ncell));
    edge_cells = op_decl_map(edges, cells, 2, entries.data(), "edge_cells");
    std::vector<double> values(2 * ncell, 1.5);
    q = op_decl_dat(cells, 2, "double", values.data(), "q");
    std::vector<int> parts(ncell);
    for (int n = 0; n < ncell; ++n) parts[static_cast<std::size_t>(n)] = n % processes;
    part = op_decl_dat(cells, 1, "int", parts.data(), "part");
  }
};

inline double buffer[2 * ncell * 64];
inline op_set no_set() { return nullptr; }
inline op_dat no_dat() { return nullptr; }

// SPDX-License-Identifier: MIT
