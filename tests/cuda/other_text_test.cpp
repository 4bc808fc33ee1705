// other_text_test.cpp: programs whose kernels were compiled with other macros than the text says that the GPU gets.
// Such loops run on the host, with a warning; their results are those of the program.
#include <gtest/gtest.h>
#include <op2/kernel.h>
#include <op2/op2.hpp>

#include <cstdlib>
#include <string>
#include <vector>

// As -D of a build may define it.
#define FACTOR 3

static inline void scale(const double *a, double *b) { b[0] = FACTOR * a[0]; }
static inline void spread(const double *a, double *left, double *right) {
  left[0] += FACTOR * a[0];
  right[0] -= a[0];
}
static inline void total(const double *a, double *sum, double *least) {
  *sum += FACTOR * a[0];
  if (a[0] < *least) *least = a[0];
}
static inline void stretch(const double *a, double *row) {
  for (int i = 0; i < 5; ++i) row[i] = (FACTOR + i) * a[0];
}
static inline void fold(const double *row, double *b) { b[0] = row[0] + row[4]; }
static inline void bend(const double *a, double *b) { b[0] = a[0] > 0 ? a[0] : 0; }

namespace {

constexpr int size = 700, nodes = 300;

class OtherText : public testing::Test {
 protected:
  OtherText() {
    for (int n = 0; n < size; ++n)
      values_.push_back(n % 17 + 1), table_.insert(table_.end(), {n % nodes, (7 * n + 5) % nodes});
  }
  // Runs all loops with these texts, on the GPU where they are right; returns the log.
  template <class Body>
  std::string run(const std::vector<std::pair<op_kernel_fn, std::string>> &texts, const Body &body) {
    for (const auto &[kernel, text] : texts)
      EXPECT_EQ(OP_OK, op_kernel_source(kernel, name_of(kernel), text.c_str())) << op_last_error();
    testing::internal::CaptureStderr();
    {
      setenv("OP2_BACKEND", "cuda", 1);
      setenv("OP2_LOG", "warn", 1);
      op2::context context;
      op2::set cells(size, "cells"), points(nodes, "points");
      op2::map map(cells, points, 2, table_.data(), "map");
      op2::dat<double, 1> a(cells, values_, "a"), b(cells, nullptr, "b"), c(points, nullptr, "c");
      body(cells, map, a, b, c);
    }
    return testing::internal::GetCapturedStderr();
  }
  static const char *name_of(op_kernel_fn kernel) {
    return kernel == reinterpret_cast<op_kernel_fn>(&scale)     ? "scale"
           : kernel == reinterpret_cast<op_kernel_fn>(&spread)  ? "spread"
           : kernel == reinterpret_cast<op_kernel_fn>(&bend)    ? "bend"
           : kernel == reinterpret_cast<op_kernel_fn>(&stretch) ? "stretch"
           : kernel == reinterpret_cast<op_kernel_fn>(&fold)    ? "fold"
                                                                : "total";
  }
  std::vector<double> values_;
  std::vector<int> table_;
};

std::vector<double> fetched(op_dat dat, int count) {
  std::vector<double> out(static_cast<std::size_t>(count));
  op_fetch_data(dat, out.data());
  return out;
}

const auto scale_fn = reinterpret_cast<op_kernel_fn>(&scale), spread_fn = reinterpret_cast<op_kernel_fn>(&spread),
           total_fn = reinterpret_cast<op_kernel_fn>(&total), bend_fn = reinterpret_cast<op_kernel_fn>(&bend),
           stretch_fn = reinterpret_cast<op_kernel_fn>(&stretch), fold_fn = reinterpret_cast<op_kernel_fn>(&fold);

TEST_F(OtherText, TheSameTextRunsOnTheDevice) {
  const std::string log = run({{scale_fn, "static inline void scale(const double *a, double *b) { b[0] = 3 * a[0]; }"}},
                              [&](auto &cells, auto &, auto &a, auto &b, auto &) {
                                op_par_loop(scale, "scale", cells, op2::read(a), op2::write(b));
                                EXPECT_EQ(fetched(b, size)[5], 18);
                              });
  EXPECT_EQ(log, "");
}

TEST_F(OtherText, AnotherFactor) {
  const std::string log = run({{scale_fn, "static inline void scale(const double *a, double *b) { b[0] = 2 * a[0]; }"}},
                              [&](auto &cells, auto &, auto &a, auto &b, auto &) {
                                op_par_loop(scale, "scale", cells, op2::read(a), op2::write(b));
                                EXPECT_EQ(fetched(b, size)[5], 18);
                              });
  EXPECT_NE(log.find("loop 'scale' runs on the host"), std::string::npos) << log;
  EXPECT_NE(log.find("argument 1, dat 'b' (2, not 3) at element 0"), std::string::npos) << log;
}

// Only elements in the middle show it, and only data that the host has not: what a loop on the device has written.
TEST_F(OtherText, DataOfTheDevice) {
  const std::string log =
      run({{scale_fn, "static inline void scale(const double *a, double *b) { b[0] = 3 * a[0]; }"},
           {bend_fn, "static inline void bend(const double *a, double *b) { b[0] = a[0] == 51 ? 0 : a[0]; }"}},
          [&](auto &cells, auto &, auto &a, auto &b, auto &) {
            op_par_loop(scale, "scale", cells, op2::read(a), op2::write(b));
            op_par_loop(bend, "bend", cells, op2::read(b), op2::write(a));
            EXPECT_EQ(fetched(a, size)[16], 51);
          });
  EXPECT_EQ(log.find("loop 'scale'"), std::string::npos) << log;
  EXPECT_NE(log.find("loop 'bend' runs on the host"), std::string::npos) << log;
  EXPECT_NE(log.find("(0, not 51) at element 16"), std::string::npos) << log;
}

// Rows of 40 bytes lie there component by component. What differs is component 4 of a row that only the device has.
TEST_F(OtherText, RowsInAnotherLayout) {
  const std::string stretched =
      "static inline void stretch(const double *a, double *row) { for (int i = 0; i < 5; ++i) row[i] = (3 + i) * a[0]; "
      "}";
  const auto folded = [](const std::string &what) {
    return "static inline void fold(const double *row, double *b) { b[0] = " + what + "; }";
  };
  const auto body = [&](auto &cells, auto &, auto &a, auto &b, auto &) {
    op2::dat<double, 5> rows(cells, nullptr, "rows");
    op_par_loop(stretch, "stretch", cells, op2::read(a), op2::write(rows));
    op_par_loop(fold, "fold", cells, op2::read(rows), op2::write(b));
    EXPECT_EQ(fetched(b, size)[20], 40);
  };
  EXPECT_EQ(run({{stretch_fn, stretched}, {fold_fn, folded("row[0] + row[4]")}}, body), "");
  const std::string log = run({{stretch_fn, stretched}, {fold_fn, folded("row[0] + row[3]")}}, body);
  EXPECT_EQ(log.find("loop 'stretch'"), std::string::npos) << log;
  EXPECT_NE(log.find("loop 'fold' runs on the host"), std::string::npos) << log;
  EXPECT_NE(log.find("dat 'b' (9, not 10) at element 0"), std::string::npos) << log;
}

TEST_F(OtherText, IncrementsThroughAMap) {
  const std::string log =
      run({{spread_fn,
            "static inline void spread(const double *a, double *left, double *right) { left[0] += 2 * a[0]; "
            "right[0] -= a[0]; }"}},
          [&](auto &cells, auto &map, auto &a, auto &, auto &c) {
            op_par_loop(spread, "spread", cells, op2::read(a), op2::inc(c, 0, map), op2::inc(c, 1, map));
          });
  EXPECT_NE(log.find("dat 'c' (2, not 3) at element 0"), std::string::npos) << log;
}

TEST_F(OtherText, Sums) {
  double sum = 0, least = 100, expected = 0;
  for (const double value : values_) expected += 3 * value;
  const auto body = [&](auto &cells, auto &, auto &a, auto &, auto &) {
    op_par_loop(total, "total", cells, op2::read(a), op2::gbl_inc(&sum), op2::gbl_min(&least));
  };
  const std::string text =
      "static inline void total(const double *a, double *sum, double *least) { *sum += 2 * a[0]; if (a[0] < "
      "*least) *least = a[0]; }";
  EXPECT_NE(run({{total_fn, text}}, body).find("argument 1, which is summed"), std::string::npos);
  EXPECT_EQ(sum, expected);
  std::string right = text;
  right[right.find("2 * a")] = '3';
  sum = 0;
  EXPECT_EQ(run({{total_fn, right}}, body), "");
  EXPECT_EQ(sum, expected);
  EXPECT_EQ(least, 1);
}

} // namespace

// SPDX-License-Identifier: MIT
