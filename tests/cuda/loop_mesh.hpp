// A mesh for the loops of these tests. Values are whole numbers, so sums are exact in any order.
#pragma once

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
  Plan colours(int begin, int end, int32_t kind = OP_PLAN_GLOBAL_COLOURS, int block = 1) const {
    return Plan(kind, begin, end, block, [this](int e) { return std::vector<int>{at(e, 0), at(e, 1)}; });
  }
};

template <class T>
T &of(std::vector<T> &values, int i) {
  return values[static_cast<size_t>(i)];
}

inline std::string message(Executor &executor) { return executor.host.failure; }

} // namespace loop_test
