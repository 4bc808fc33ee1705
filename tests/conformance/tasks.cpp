// What executor tasks does beside giving results: loops that do not need each other run at the same time.
#include <atomic>
#include <chrono>

#include "op2/chain.h"
#include "op2/info.h"
#include "suite.hpp"

namespace conformance {

namespace {

std::atomic<bool> b_began, c_began, met;

// Waits until the other loop has begun, for at most a second.
void await(std::atomic<bool> &other) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  while (!other.load() && std::chrono::steady_clock::now() < end) {
  }
  if (other.load()) met = true;
}

} // namespace

using Tasks = Topic;

// B needs A, C does not; D needs both. B and C are under way at the same time: the first element of each waits for that
// of the other.
TEST_F(Tasks, LoopsThatDoNotNeedEachOtherOverlap) {
  const Session session;
  const bool graph = std::string(op_backend()) == "self+tasks" && std::string(op_setting("OP2_CHAIN_TILE")) == "1";
  if (!graph) GTEST_SKIP() << "not the executor tasks with small parts";
  const int size = 4096;
  const op_set cells = declare_set(size, "cells");
  const op_dat first = declare_dat(cells, 1, reals(size, 1), "first"), a = declare_dat(cells, 1, reals(size, 2), "a"),
               b = declare_dat(cells, 1, reals(size, 3), "b"), c = declare_dat(cells, 1, reals(size, 4), "c"),
               d = declare_dat(cells, 1, reals(size, 5), "d");
  std::vector<double> number(size);
  for (int n = 0; n < size; ++n) number[static_cast<std::size_t>(n)] = n;
  const op_dat index = declare_dat(cells, 1, number, "number");
  met = false;
  for (int round = 0; round < 4; ++round) {
    b_began = c_began = false;
    op_chain_begin("document");
    run([](const double *x, double *y) { *y = *x + 1; }, "A", cells, direct(first, OP_READ), direct(a, OP_WRITE));
    run(
        [](const double *n, const double *x, double *y) {
          if (*n == 0) b_began = true, await(c_began);
          *y = *x + 2;
        },
        "B", cells, direct(index, OP_READ), direct(a, OP_READ), direct(b, OP_WRITE));
    run(
        [](const double *n, const double *x, double *y) {
          if (*n == 0) c_began = true, await(b_began);
          *y = *x + 3;
        },
        "C", cells, direct(index, OP_READ), direct(first, OP_READ), direct(c, OP_WRITE));
    run([](const double *x, const double *y, double *z) { *z = *x + *y; }, "D", cells, direct(b, OP_READ),
        direct(c, OP_READ), direct(d, OP_WRITE));
    ASSERT_EQ(op_chain_end(), OP_OK);
  }
  EXPECT_TRUE(met);
  const std::vector<double> wanted = reals(size, 1);
  const auto found = fetch<double>(d);
  for (std::size_t n = 0; n < found.size(); ++n) ASSERT_EQ(found[n], (wanted[n] + 1 + 2) + (wanted[n] + 3)) << n;
}

} // namespace conformance
// SPDX-License-Identifier: MIT
