// Getting data out of the library and into it: whole, part by part, on every process.
#include "op2/compat.h"
#include "suite.hpp"

namespace conformance {

using Transfer = Topic;

// The rows of this process.
std::vector<double> own_rows(const std::vector<double> &all, int size, int dim) {
  const Part part = fetched_part(size);
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(part.first) * dim;
  return {first, first + static_cast<std::ptrdiff_t>(part.size) * dim};
}

void double_rows(op_set cells, op_dat x) {
  run([](double *p) { p[0] *= 2, p[1] *= 2; }, "double", cells, direct(x, OP_RW));
}

TEST_F(Transfer, WholeDats) {
  for (const int size : every_size()) {
    SCOPED_TRACE(size);
    compare([size](Outcome &out) {
      const std::size_t n = 2 * static_cast<std::size_t>(size);
      const op_set cells = declare_set(size, "cells");
      std::vector<double> x = reals(n, 160);
      const op_dat dx = declare_dat(cells, 2, x, "x");
      double_rows(cells, dx);
      for (double &value : x) value *= 2;
      std::vector<double> mine = own_rows(x, size, 2), got(mine.size() + 1, 7);
      EXPECT_OK(op_fetch_data(dx, got.data()));
      EXPECT_EQ(7, got.back()) << "written past the end";
      got.pop_back();
      out.same("fetched", got, mine);
      got.assign(mine.size() + 1, 0);
      EXPECT_OK(op_fetch_data_char(dx, reinterpret_cast<char *>(got.data())));
      got.pop_back();
      out.same("fetched as bytes", got, mine);
      const std::vector<double> y = reals(n, 161), z = reals(n, 162);
      std::vector<double> put = own_rows(y, size, 2);
      put.push_back(0); // never an empty array
      EXPECT_OK(op_put_data(dx, put.data()));
      put.assign(put.size(), -1); // the library has its copy
      double_rows(cells, dx);
      std::vector<double> doubled = y;
      for (double &value : doubled) value *= 2;
      out.same("put", fetch<double>(dx), doubled);
      put = z, put.push_back(0);
      EXPECT_OK(op_put_data_all(dx, put.data()));
      out.same("put all", fetch<double>(dx), z);
    });
  }
}

// Ranges include both ends.
TEST_F(Transfer, Ranges) {
  compare([](Outcome &out) {
    const int size = 40000;
    const op_set cells = declare_set(size, "cells");
    std::vector<double> x = reals(2 * size, 163);
    const op_dat dx = declare_dat(cells, 2, x, "x");
    const std::vector<std::array<int, 2>> ranges = {{0, 0},        {size - 1, size - 1}, {17, 17},    {5, 9},
                                                    {0, size - 1}, {1, size - 2},        {999, 30000}};
    double fill = 100;
    for (const auto &[low, high] : ranges) {
      const std::size_t count = 2 * static_cast<std::size_t>(high - low + 1);
      std::vector<double> got(count + 2, 7);
      EXPECT_OK(op_fetch_data_idx(dx, got.data(), low, high));
      EXPECT_TRUE(got[count] == 7 && got[count + 1] == 7) << "written past the end";
      got.resize(count);
      out.same("fetched", got, std::vector<double>(x.begin() + 2 * low, x.begin() + 2 * (high + 1)));
      std::vector<double> put(count);
      for (double &value : put) value = fill++;
      EXPECT_OK(op_put_data_idx(dx, put.data(), low, high));
      std::copy(put.begin(), put.end(), x.begin() + 2 * low);
      out.same("put", fetch<double>(dx), x);
      double_rows(cells, dx);
      for (double &value : x) value *= 2;
    }
    out.same("at last", fetch<double>(dx), x);
  });
}

TEST_F(Transfer, RangesAreChecked) {
  const Session session;
  const op_set cells = declare_set(10, "cells"), none = declare_set(0, "none");
  const std::vector<double> x = reals(10, 164);
  const op_dat dx = declare_dat(cells, 1, x, "x"), dnone = op_decl_dat(none, 1, "double", nullptr, "none");
  std::vector<double> buffer(20, 5);
  const std::vector<std::array<op_gindex, 2>> wrong = {{-1, 3}, {3, 10}, {4, 3}, {10, 10}, {0, op_gindex{1} << 33}};
  for (const auto &[low, high] : wrong) {
    SCOPED_TRACE(testing::Message() << low << " to " << high);
    EXPECT_STATUS(OP_ERR_RANGE, op_fetch_data_idx(dx, buffer.data(), low, high));
    EXPECT_STATUS(OP_ERR_RANGE, op_put_data_idx(dx, buffer.data(), low, high));
  }
  EXPECT_STATUS(OP_ERR_RANGE, op_fetch_data_idx(dnone, buffer.data(), 0, 0));
  EXPECT_EQ(std::vector<double>(20, 5), buffer);
  EXPECT_EQ(x, fetch<double>(dx));
}

// The user's arrays may go as soon as a declaration returns; NULL declares zeros.
TEST_F(Transfer, DeclarationsCopy) {
  compare([](Outcome &out) {
    const int size = 30000;
    const op_set cells = declare_set(size, "cells");
    const std::vector<double> kept = reals(size, 165);
    std::vector<double> passed = kept;
    const op_dat dx = declare_dat(cells, 1, passed, "x"), dzero = op_decl_dat(cells, 1, "double", nullptr, "zero");
    passed.assign(passed.size(), -1);
    run([](const double *a, double *z) { *z += 2 * *a; }, "copy", cells, direct(dx, OP_READ), direct(dzero, OP_INC));
    std::vector<double> twice = kept;
    for (double &value : twice) value *= 2;
    out.same("x", fetch<double>(dx), kept);
    out.same("zero", fetch<double>(dzero), twice);
  });
}

// Puts between loops, seen directly and through a map, and sums fetched in between.
TEST_F(Transfer, BetweenLoops) {
  compare([](Outcome &out) {
    const Topology mesh = shuffled(quads(80, 70), 166);
    const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
    const op_map map = declare_map(cells, nodes, mesh);
    const op_dat dw = declare_dat(cells, 1, std::vector<int>(mesh.elements()), "w"),
                 dsum = declare_dat(nodes, 1, std::vector<int>(mesh.targets()), "sum");
    std::vector<int> sum(mesh.targets());
    for (int step = 0; step < 4; ++step) {
      const std::vector<int> w = whole<int>(mesh.elements(), 167 + static_cast<std::uint64_t>(step), -9, 9);
      EXPECT_OK(op_put_data_all(dw, w.data()));
      run(
          [](const int *a, int **p) {
            for (int c = 0; c < 4; ++c) *p[c] += *a * (c + 1);
          },
          "scatter", cells, direct(dw, OP_READ), rows(map, 4, dsum, OP_INC));
      for (std::size_t n = 0; n < w.size(); ++n)
        for (std::size_t c = 0; c < 4; ++c) sum[mesh.target(n, c)] += w[n] * static_cast<int>(c + 1);
      out.same("sum", fetch<int>(dsum), sum);
      sum[3] = 1000 * step; // one row from outside
      EXPECT_OK(op_put_data_idx(dsum, &sum[3], 3, 3));
    }
  });
}

} // namespace conformance

// SPDX-License-Identifier: MIT
