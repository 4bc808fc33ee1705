// Globals of the library (op2/global.h) in loops: the results of variables of the program.
#include "op2/global.h"
#include "op2/reduction.h"
#include "op2/user_types.h"
#include "suite.hpp"

namespace conformance {

using GlobalHandles = Topic;

double fetched(op_global global) {
  double out = -1;
  EXPECT_OK(op_fetch_global(global, &out));
  return out;
}

// Each kind of use, twice, beside the same loop with variables: equal bits, whatever runs them.
TEST_F(GlobalHandles, GiveTheBitsOfVariables) {
  for (const int size : every_size()) {
    SCOPED_TRACE(size);
    const Session session;
    if (!repeatable()) GTEST_SKIP() << "sums have other bits in each run";
    const std::size_t n = static_cast<std::size_t>(size);
    const op_set cells = declare_set(size, "cells");
    const op_dat x = declare_dat(cells, 2, reals(2 * n, 7), "x"), id = declare_dat(cells, 1, counted(n), "id");
    double sums[2] = {0.5, -3}, most = -1e30, factor = 0.75;
    int where = -1;
    const op_global gsums = op_decl_global(2, "double", sums, "sums"),
                    gmost = op_decl_global(1, "double", &most, "most"),
                    gwhere = op_decl_global(1, "int", &where, "where"),
                    gfactor = op_decl_global(1, "double", nullptr, "factor");
    EXPECT_OK(op_put_global(gfactor, &factor));
    for (int repeat = 0; repeat < 2; ++repeat) {
      const auto loop = [&](const op_arg &f, const op_arg &s, const op_arg &m, const op_arg &w) {
        run(
            [](const double *a, const int *i, const double *by, double *sum, double *highest, int *at) {
              sum[0] += *by * a[0], sum[1] -= a[1];
              if (*highest < a[1]) *highest = a[1], *at = *i;
            },
            "look", cells, direct(x, OP_READ), direct(id, OP_READ), f, s, m, w);
      };
      loop(global(&factor, 1, OP_READ), global(sums, 2, OP_INC), global(&most, 1, OP_MAX),
           op_arg_payload(&where, 1, "int", 4));
      loop(op_arg_global(gfactor, 1, "double", OP_READ), op_arg_global(gsums, 2, "double", OP_INC),
           op_arg_global(gmost, 1, "double", OP_MAX), op_arg_global_payload(gwhere, 1, "int", 4));
    }
    double found[2];
    int place = -2;
    EXPECT_OK(op_fetch_global(gsums, found));
    EXPECT_EQ(0, std::memcmp(found, sums, sizeof sums)) << found[0] << ' ' << sums[0];
    EXPECT_EQ(most, fetched(gmost));
    EXPECT_OK(op_fetch_global(gwhere, &place));
    EXPECT_EQ(where, place);
    EXPECT_EQ(size > 0, sums[0] != 0.5);
  }
}

// A reduction of the program's own, a type of its own, and elements that use a global one after another.
TEST_F(GlobalHandles, TakeOwnReductionsAndTypes) {
  FOR_ONE_PROCESS("the order of the elements is that of the declaration on one process only");
  const Session session;
  const op_set cells = declare_set(90, "cells");
  const op_dat x = declare_dat(cells, 1, counted(90), "x");
  const int one = 1, even = 2;
  const op_reduction product = op_decl_reduction(
      "product", "int", 0,
      [](void *into, const void *from, int dim) {
        for (int i = 0; i < dim; ++i)
          static_cast<int *>(into)[i] = static_cast<int *>(into)[i] * static_cast<const int *>(from)[i] % 1009;
      },
      &one);
  const op_global p = op_decl_global(1, "int", &even, "p"), last = op_decl_global(1, "int", nullptr, "last");
  struct Pair {
    short a, b;
  };
  const Pair pair{3, 4};
  const op_global own =
      op_decl_global_char(1, "pair", static_cast<int>(sizeof pair), reinterpret_cast<const char *>(&pair), "own");
  int expected = 2;
  for (int i = 0; i < 90; ++i) expected = expected * (i % 7 + 3 + 4) % 1009;
  run([](const int *i, const Pair *both, int *value) { *value = *value * (*i % 7 + both->a + both->b) % 1009; },
      "multiply", cells, direct(x, OP_READ), op_arg_global(own, 1, "pair", OP_READ),
      op_arg_global_reduce(p, 1, "int", product));
  run([](const int *i, int *value) { *value = 2 * *value % 997 + *i; }, "one after another", cells, direct(x, OP_READ),
      op_arg_global(last, 1, "int", OP_RW));
  int found = 0;
  EXPECT_OK(op_fetch_global(p, &found));
  EXPECT_EQ(expected, found);
  expected = 0;
  for (int i = 0; i < 90; ++i) expected = 2 * expected % 997 + i;
  EXPECT_OK(op_fetch_global(last, &found));
  EXPECT_EQ(expected, found);
}

TEST_F(GlobalHandles, MistakesAreNamed) {
  const Session session;
  const op_set cells = declare_set(10, "cells");
  const op_dat x = declare_dat(cells, 1, std::vector<double>(10, 1), "x");
  const op_global sum = op_decl_global(1, "double", nullptr, "sum");
  const auto add = [&](const op_arg &arg) {
    return try_run([](const double *a, double *s) { *s += *a; }, "add", cells, direct(x, OP_READ), arg);
  };
  EXPECT_STATUS(OP_ERR_DIM, add(op_arg_global(sum, 2, "double", OP_INC)));
  EXPECT_STATUS(OP_ERR_TYPE, add(op_arg_global(sum, 1, "float", OP_INC)));
  EXPECT_STATUS(OP_ERR_ARGUMENT, add(op_arg_global(nullptr, 1, "double", OP_INC)));
  EXPECT_STATUS(OP_ERR_HANDLE, add(op_arg_global(reinterpret_cast<op_global>(x), 1, "double", OP_INC)));
  EXPECT_OK(add(op_arg_global(sum, 1, "double", OP_INC)));
  EXPECT_EQ(10, fetched(sum));
}

} // namespace conformance

// SPDX-License-Identifier: MIT
