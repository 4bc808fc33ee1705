// A small mesh, and what a finding of the executor check must say.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "op2/op2.hpp"

namespace check_test {

// Cells in a ring, and between cell e and cell e + 1 the edge e. The library runs on the executor check; errors return.
class Ring : public testing::Test {
 protected:
  static constexpr int size = 12;
  void SetUp() override { start({}); }
  void TearDown() override { EXPECT_EQ(OP_OK, op_exit()) << op_last_error(); }
  // Starts again with settings, e.g. {"OP2_CHECK=warn"}.
  void start(const std::vector<std::string> &settings);
  op_dat cell_dat(int dim, const char *name, double first = 1.0) const; // values first, first + 1, ...
  std::vector<double> values(op_dat dat) const;

  op_set cells = nullptr, edges = nullptr;
  op_map ends = nullptr; // edge -> its two cells
};

// The last loop was refused by the executor check: with this kind, the place of a call that begins in this line of the
// program, and these words.
void expect_finding(op_status status, const char *file, int line, const std::string &kind,
                    const std::vector<std::string> &words);
#define EXPECT_FINDING(status, line, kind, ...) expect_finding(status, __FILE__, line, kind, {__VA_ARGS__})

} // namespace check_test

// C: range functions that are not what their kernel is (wrong_range.c). Each returns the status of the loop.
extern "C" {
op_status wrong_range_dim(op_set edges, op_map ends, op_dat q, op_dat sum);
op_status wrong_range_place(op_set edges, op_map ends, op_dat q, op_dat sum);
op_status range_with_gaps(op_set edges, op_map ends, op_dat q, op_dat sum);
op_status right_range(op_set edges, op_map ends, op_dat q, op_dat sum);
}

// SPDX-License-Identifier: MIT
