// cpp_api.hpp: what the tests of op2.hpp share: types of a program's own, and a small ring of cells and edges.
#pragma once

#include "op2/op2.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

struct state {
  double density, pressure;
};
OP2_TYPE_NAME(state, "state");

struct unnamed_pair {
  int first, second;
};

inline std::vector<double> counting(int n, double first) {
  std::vector<double> out(static_cast<std::size_t>(n));
  std::iota(out.begin(), out.end(), first);
  return out;
}

inline std::vector<int> ring_of(int n) {
  std::vector<int> table;
  for (int i = 0; i < n; ++i) table.insert(table.end(), {i, (i + 1) % n});
  return table;
}

class CppApi : public testing::Test {
 protected:
  static constexpr int n = 257;
  op2::context context{"seq"};
  op2::set cells{n, "cells"}, edges{n, "edges"};
  op2::map ring{edges, cells, 2, ring_of(n), "ring"};
  op2::dat<double, 2> q{cells, counting(2 * n, 1), "q"};
  op2::dat<double, 1> w{edges, counting(n, 0.5), "w"};
};

// SPDX-License-Identifier: MIT
