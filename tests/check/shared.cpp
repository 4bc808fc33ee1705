// Variables of the program that elements use one after another (OP_WRITE, OP_RW and OP_WORK of a global argument), and
// extrema of truth values: mistakes planted in kernels are found, and right kernels pass.
#include <cmath>

#include "support.hpp"

namespace check_test {

using Shared = Ring;
using Truth = Ring;

#define EXPECT_SOUND(call) EXPECT_STREQ("OP_OK", op_status_name(call)) << op_last_error()

namespace {
op_arg row(op_dat dat, op_access access) {
  return op_arg_dat(dat, -1, OP_ID, op_dat_dim(dat), op_dat_type(dat), access);
}
op_arg real(double *value, int dim, op_access access) { return op_arg_gbl(value, dim, "double", access); }
} // namespace

TEST_F(Shared, WriteIsReadFirst) {
  const op_dat q = cell_dat(1, "q");
  double sum = 0;
  const auto adds = [](const double *x, double *s) { *s += *x; };
  const op_status status = op_par_loop(adds, "w", cells, row(q, OP_READ), real(&sum, 1, OP_WRITE));
  EXPECT_FINDING(status, __LINE__ - 1, "write", "argument 1", "global variable of type double, OP_WRITE",
                 "is read before it is written: at element 0", "what stood in the variable before. Declare OP_RW");
  EXPECT_EQ(0, sum);
}

TEST_F(Shared, WriteIsNotWrittenEverywhere) {
  const op_dat q = cell_dat(1, "q");
  double large[2] = {0, 0};
  const auto marks = [](const double *x, double *l) {
    l[0] = *x;
    if (*x < 4) l[1] = *x;
  };
  const op_status status = op_par_loop(marks, "w", cells, row(q, OP_READ), real(large, 2, OP_WRITE));
  EXPECT_FINDING(status, __LINE__ - 1, "partial", "argument 1", "is not written everywhere: at element 3",
                 "leaves component 1 of the variable as it was", "set it always, or declare OP_RW");
}

TEST_F(Shared, ScratchIsReadFirst) {
  const op_dat q = cell_dat(1, "q"), out = cell_dat(1, "out");
  double scratch[2] = {0, 0};
  const auto collects = [](const double *x, double *w, double *y) { w[0] = *x, w[1] += *x, *y = w[0] + w[1]; };
  const op_status status =
      op_par_loop(collects, "w", cells, row(q, OP_READ), real(scratch, 2, OP_WORK), row(out, OP_WRITE));
  EXPECT_FINDING(status, __LINE__ - 1, "write", "argument 1", "global variable of type double, OP_WORK",
                 "is read before it is written", "dat 'out' (argument 2) becomes");
}

TEST_F(Shared, WritesBesideTheVariable) {
  const op_dat q = cell_dat(1, "q");
  double sums[3] = {0, 0, 5};
  const auto adds = [](const double *x, double *s) { s[0] += *x, s[2] += 1; };
  const op_status status = op_par_loop(adds, "w", cells, row(q, OP_READ), real(sums, 2, OP_RW));
  EXPECT_FINDING(status, __LINE__ - 1, "bounds", "argument 1", "OP_RW", "where index 2 would be");
  EXPECT_EQ(5, sums[2]);
}

// Each element finds what those before it left: the fourth divides by zero.
TEST_F(Shared, AFollowingElementDividesByZero) {
  const op_dat q = cell_dat(1, "q"), out = cell_dat(1, "out");
  double left = 4;
  const auto counts = [](const double *x, double *n, double *y) { *n -= 1, *y = *x / *n; };
  const op_status status = op_par_loop(counts, "w", cells, row(q, OP_READ), real(&left, 1, OP_RW), row(out, OP_WRITE));
  EXPECT_FINDING(status, __LINE__ - 1, "nan", "argument 2", "at element 3 of set 'cells'", "argument 1 = 1");
  EXPECT_EQ(4, left);
}

TEST_F(Shared, AStaticVariableBeside) {
  const op_dat out = cell_dat(1, "out");
  double last = 0;
  const auto counts = [](double *l, double *y) {
    static int calls = 0;
    *l = *y = ++calls;
  };
  const op_status status = op_par_loop(counts, "w", cells, real(&last, 1, OP_RW), row(out, OP_WRITE));
  EXPECT_FINDING(status, __LINE__ - 1, "state", "other results when it runs again");
}

// They run in order, so results may depend on it: chains, a value that the first element sets for all others, rows that
// elements take from those before them.
TEST_F(Shared, TheOrderIsPartOfTheResult) {
  const op_dat q = cell_dat(1, "q"), sum = cell_dat(1, "sum", 0);
  double chain = 1, last[2] = {0, 0}, scratch[3] = {NAN, NAN, NAN}, scale = 0;
  int calls = 0;
  const auto turn = [](const double *x, double *a, double *b, double *c, double *l, double *w, double *s, int *n) {
    if (*n == 0) *s = *x;
    *n += 1;
    *c = std::fmod(*c * 31 + *x / *s, 1000);
    l[0] = *x, l[1] = -*x;
    w[0] = *x, w[1] = 2 * w[0];
    *a = *b / 2 + w[1];
  };
  for (int repeat = 0; repeat < 2; ++repeat)
    EXPECT_SOUND(op_par_loop(
        turn, "turn", edges, op_arg_dat(q, 0, ends, 1, "double", OP_READ), op_arg_dat(sum, 1, ends, 1, "double", OP_RW),
        op_arg_dat(sum, 0, ends, 1, "double", OP_READ), real(&chain, 1, OP_RW), real(last, 2, OP_WRITE),
        real(scratch, 3, OP_WORK), real(&scale, 1, OP_RW), op_arg_gbl(&calls, 1, "int", OP_RW)));
  EXPECT_EQ(2 * size, calls);
  EXPECT_EQ(size, last[0]);
  double wanted = 1;
  for (int n = 0; n < 2 * size; ++n) wanted = std::fmod(wanted * 31 + n % size + 1, 1000);
  EXPECT_EQ(wanted, chain);
}

// ---- extrema of truth values: whole numbers that are 0 or 1, or 0 or -1 where that is .true.

struct Flags {
  int any = 0, all = 1, minus = 0;
  bool some = false, every = true;
};
constexpr int loop_line = __LINE__ + 6;
template <class Kernel>
op_status loop_over_flags(op_set cells, const char *name, Kernel kernel, Flags &f) {
  std::vector<int> data(static_cast<std::size_t>(op_get_size(cells)));
  data[7] = 1;
  const op_dat flag = op_decl_dat(cells, 1, "int", data.data(), "flag");
  return op_par_loop(kernel, name, cells, op_arg_dat(flag, -1, OP_ID, 1, "int", OP_READ),
                     op_arg_gbl(&f.any, 1, "int", OP_MAX), op_arg_gbl(&f.all, 1, "int", OP_MIN),
                     op_arg_gbl(&f.minus, 1, "int", OP_MIN), op_arg_gbl(&f.some, 1, "bool", OP_MAX),
                     op_arg_gbl(&f.every, 1, "bool", OP_MIN));
}

TEST_F(Truth, ValuesThatALogicalHas) {
  Flags f;
  const auto right = [](const int *x, int *any, int *all, int *minus, bool *some, bool *every) {
    const int table[2][2] = {{0, 1}, {1, 1}};
    *any = table[*any][*x]; // reads outside of it for any other value
    *all = *all && *x;
    *minus = *minus == -1 || *x ? -1 : 0;
    *some = *some || *x;
    if (!*x) *every = false;
  };
  EXPECT_SOUND(loop_over_flags(cells, "right", right, f));
  EXPECT_EQ(1, f.any);
  EXPECT_EQ(0, f.all);
  EXPECT_EQ(-1, f.minus);
  EXPECT_TRUE(f.some);
  EXPECT_FALSE(f.every);
}

TEST_F(Truth, AnExtremumIsOverwritten) {
  Flags f;
  const auto any = [](const int *x, int *a, int *, int *, bool *, bool *) { *a = *x; };
  EXPECT_FINDING(loop_over_flags(cells, "any", any, f), loop_line, "inc", "argument 1", "OP_MAX",
                 "is overwritten", "component 0 goes from 1 to 0");
}

TEST_F(Truth, ABoolIsOverwritten) {
  Flags f;
  const auto every = [](const int *x, int *, int *, int *, bool *, bool *e) { *e = *x != 0; };
  EXPECT_FINDING(loop_over_flags(cells, "every", every, f), loop_line, "inc", "argument 5",
                 "global variable of type bool, OP_MIN", "is overwritten", "component 0 goes from 0 to 1");
}

} // namespace check_test

// SPDX-License-Identifier: MIT
