// A mesh for the loops of these tests. Values are whole numbers, so sums are exact in any order.
#pragma once

#include <memory>
#include <random>

#include "loop_support.hpp"

namespace loop_test {

constexpr op_type_id d = OP_TYPE_DOUBLE;

// Edges between cells, anywhere.
struct Mesh {
  int edges, cells;
  std::vector<int> table; // [edges][2]
  std::mt19937 random{7};

  Mesh(int nedges, int ncells) : edges(nedges), cells(ncells) {
    for (int e = 0; e < 2 * edges; ++e) table.push_back(static_cast<int>(random() % static_cast<unsigned>(cells)));
  }
  int at(int e, int column) const { return table[static_cast<size_t>(2 * e + column)]; }
  template <class T>
  std::vector<T> values(int count) {
    std::vector<T> out;
    for (int i = 0; i < count; ++i) out.push_back(static_cast<T>(static_cast<int>(random() % 1000) - 300));
    return out;
  }
  Plan colours(int begin, int end, int32_t kind = OP_PLAN_GLOBAL_COLOURS, int block = 1, bool compact = false) const {
    return Plan(
        kind, begin, end, block,
        [this](int e) {
          return std::vector<int>{at(e, 0), at(e, 1)};
        },
        compact);
  }
};

template <class T>
T &of(std::vector<T> &values, int i) {
  return values[static_cast<size_t>(i)];
}

inline std::string message(Executor &executor) { return executor.host.failure; }

// Edges add to one cell, take from the other, and are summed; `r` and `sum` are what must come out.
struct AddAndSum {
  Executor executor;
  Mesh mesh;
  samples::Loop loop;
  std::vector<double> x, r;
  double sum = 0;
  Array<double> dx, dr;
  Array<int> map;
  std::unique_ptr<Kernel> kernel;

  AddAndSum(const std::string &race, int edges, int cells)
      : executor(race),
        mesh(edges, cells),
        loop("both",
             samples::program("(const double *x, double *a, double *b, double *s) { *a += *x; *b -= *x; *s += *x; }"),
             edges),
        x(mesh.values<double>(edges)),
        r(static_cast<size_t>(cells)),
        dx(executor, x),
        dr(executor, r),
        map(executor, mesh.table) {
    loop.direct(0, OP_READ, d, 1).through(1, 0, 0, OP_INC, d, 1).through(1, 0, 1, OP_INC, d, 1).reduced(OP_INC, d, 1);
    loop.done();
    kernel = std::make_unique<Kernel>(executor, loop);
    kernel->dat(0, dx).dat(1, dr).map(1, map, 2).dat(2, dr).map(2, map, 2);
    for (int e = 0; e < edges; ++e) {
      of(r, mesh.at(e, 0)) += of(x, e);
      of(r, mesh.at(e, 1)) -= of(x, e);
      sum += of(x, e);
    }
  }
};

} // namespace loop_test

// SPDX-License-Identifier: MIT
