// standard_library_test.cpp: kernels with the standard library on a device, where the executor's own headers stand for
// it (src/plugins/exec_cuda/code/headers_cxx.cpp). What they compute there is held against the real one.
#include <gtest/gtest.h>
#include <op2/op2.hpp>

#include <cstdlib>
#include <string>
#include <vector>

#include "standard_kernels.h"

namespace {

constexpr int size = 700;

class StandardLibrary : public testing::Test {
 protected:
  StandardLibrary() : values_(size * standard::values) {
    unsigned state = 1;
    for (double &value : values_) value = double((state = state * 1664525u + 1013904223u) >> 8) / double(1u << 24);
  }
  // Runs the loop on the device; it may not fall back to the host.
  template <class Loop, class Kernel>
  void compare(const Loop &loop, const Kernel &kernel) {
    std::vector<double> got(size * standard::results);
    {
      setenv("OP2_BACKEND", "cuda", 1);
      setenv("OP2_FALLBACK", "error", 1);
      op2::context context;
      op2::set cells(size, "cells");
      op2::dat<double, standard::values> x(cells, values_, "x");
      op2::dat<double, standard::results> y(cells, nullptr, "y");
      loop(cells, op2::read(x), op2::rw(y));
      ASSERT_EQ(OP_OK, op_last_status()) << op_last_error();
      op_fetch_data(y, got.data());
    }
    for (std::size_t n = 0; n < size; ++n) {
      double right[standard::results] = {};
      kernel(&values_[n * standard::values], right);
      for (std::size_t i = 0; i < standard::results; ++i)
        ASSERT_NEAR(right[i], got[n * standard::results + i], 1e-14) << "result " << i << " of element " << n;
    }
  }
  std::vector<double> values_;
};

TEST_F(StandardLibrary, Algorithms) {
  compare([](auto &cells, auto x, auto y) { op_par_loop(sort_and_search, "sort_and_search", cells, x, y); },
          [](const double *x, double *y) { sort_and_search(x, y); });
}

TEST_F(StandardLibrary, PairsTuplesAndLimits) {
  compare([](auto &cells, auto x, auto y) { op_par_loop(pairs_and_limits, "pairs_and_limits", cells, x, y); },
          [](const double *x, double *y) { pairs_and_limits(x, y); });
}

} // namespace

// SPDX-License-Identifier: MIT
