// How chains of programs run, as OP2_LOG=info tells it: which ways are measured.
#include <gtest/gtest.h>
#include <op2/kernel.h>

#include <cstdlib>
#include <op2/op2.hpp>
#include <string>
#include <utility>
#include <vector>

static inline void grow(const double *a, double *b) { b[0] += 0.5 * a[0]; }
static inline void settle(const double *b, double *c) { c[0] = 0.25 * c[0] + b[0]; }

namespace {

constexpr int cache_kib = 4096; // the last-level cache as OP2_CHAIN_TILE tells it

// What is said about a chain whose rows these caches do not hold, as soon as its way is chosen: on a busy machine ways
// take turns more often.
std::string told(const char *executor, int threads) {
  setenv("OP2_CHAIN_TILE", "256,4096", 1);
  setenv("OP2_LOG", "info", 1);
  setenv("OP2_JIT", "off", 1);
  std::string all;
  std::size_t at = std::string::npos;
  testing::internal::CaptureStderr();
  {
    const op2::context context(executor, threads);
    const op2::set cells(1024 * cache_kib / 16, "cells"); // 1.5 times as much
    const op2::dat<double, 1> a(cells, nullptr, "a"), b(cells, nullptr, "b"), c(cells, nullptr, "c");
    for (int run = 1; run <= 1000 && at == std::string::npos; ++run) {
      {
        const op2::chain together("together");
        op_par_loop(grow, "grow", cells, op2::read(a), op2::rw(b));
        op_par_loop(settle, "settle", cells, op2::read(b), op2::rw(c));
      }
      if (run % 10 != 0) continue;
      all += testing::internal::GetCapturedStderr();
      testing::internal::CaptureStderr();
      at = all.find("op2: chain 'together' of 2 loops");
    }
  }
  testing::internal::GetCapturedStderr();
  unsetenv("OP2_CHAIN_TILE");
  unsetenv("OP2_LOG");
  unsetenv("OP2_JIT");
  return at == std::string::npos ? "nothing: " + all : all.substr(at, all.find('\n', at) - at);
}

TEST(CppChains, TheLogTellsTheTimesOfWaysInTiles) {
#ifdef OP2_TEST_THREADS
  const std::pair<const char *, int> executors[] = {{"seq", 1}, {"openmp", 2}};
#else
  const std::pair<const char *, int> executors[] = {{"seq", 1}};
#endif
  for (const auto &[executor, threads] : executors) {
    const std::string line = told(executor, threads);
    EXPECT_NE(std::string::npos, line.find(" ms in ")) << executor << ": " << line;
  }
}

} // namespace

// SPDX-License-Identifier: MIT
