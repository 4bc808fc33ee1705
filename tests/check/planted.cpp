// Mistakes of one element: each kind planted in a kernel, found, and named well enough to be put right.
#include <cmath>
#include <limits>

#include "op2/order.h"
#include "support.hpp"

namespace check_test {

using Planted = Ring;

op_arg direct(op_dat dat, op_access access) {
  return op_arg_dat(dat, -1, OP_ID, op_dat_dim(dat), op_dat_type(dat), access);
}
op_arg through(op_map map, int column, op_dat dat, op_access access) {
  return op_arg_dat(dat, column, map, op_dat_dim(dat), op_dat_type(dat), access);
}

// ---- READ
// ------------------------------------------------------------------------------------------------------------

void writes_read(double *q, double *out) { *out = q[0], q[1] = 0.5; }
TEST_F(Planted, ReadIsWritten) {
  const op_dat q = cell_dat(2, "q"), out = cell_dat(1, "out");
  const op_status status = op_par_loop(writes_read, "w", cells, direct(q, OP_READ), direct(out, OP_WRITE));
  EXPECT_FINDING(status, __LINE__ - 1, "read", "argument 0", "dat 'q' of set 'cells', OP_READ",
                 "at element 0 of set 'cells'", "component 1 of row 0 of dat 'q' from 2 to 0.5", "Declare OP_RW");
}

void writes_read_once(double **q, double *out) {
  *out += 1;
  if (q[1][0] == 8) q[1][0] = -8;
}
TEST_F(Planted, ReadIsWrittenThroughAMapAtOneElement) {
  const op_dat q = cell_dat(1, "q"), out = cell_dat(1, "out");
  const op_status status = op_par_loop(writes_read_once, "w", edges, op_arg_dat(q, -2, ends, 1, "double", OP_READ),
                                       through(ends, 0, out, OP_INC));
  EXPECT_FINDING(status, __LINE__ - 2, "read", "argument 0", "columns 0 to 1 of map 'ends'",
                 "at element 6 of set 'edges'", "component 0 of row 7 of dat 'q' from 8 to -8");
}

// Messages count as the program does, in whatever order the library keeps the mesh.
TEST_F(Planted, OnARenumberedMesh) {
  const op_dat q = cell_dat(1, "q"), out = cell_dat(1, "out");
  ASSERT_EQ(OP_OK, op_renumber(ends)) << op_last_error();
  const op_status status = op_par_loop(writes_read_once, "w", edges, op_arg_dat(q, -2, ends, 1, "double", OP_READ),
                                       through(ends, 0, out, OP_INC));
  EXPECT_FINDING(status, __LINE__ - 2, "read", "at element 6 of set 'edges'",
                 "component 0 of row 7 of dat 'q' from 8 to -8");
}

void writes_global(double *x, double *g) { *x = *g, *g = 7; }
TEST_F(Planted, GlobalReadIsWritten) {
  const op_dat x = cell_dat(1, "x");
  double g = 3;
  const op_status status =
      op_par_loop(writes_global, "w", cells, direct(x, OP_WRITE), op_arg_gbl(&g, 1, "double", OP_READ));
  EXPECT_FINDING(status, __LINE__ - 1, "read", "argument 1", "global variable of type double, OP_READ", "from 3 to 7");
  EXPECT_EQ(3, g);
}

// ---- WRITE
// -----------------------------------------------------------------------------------------------------------

void reads_write(const double *q, double *out) { out[0] = *q, out[1] += *q; }
TEST_F(Planted, WriteIsReadFirst) {
  const op_dat q = cell_dat(1, "q"), out = cell_dat(2, "out");
  const op_status status = op_par_loop(reads_write, "w", cells, direct(q, OP_READ), direct(out, OP_WRITE));
  EXPECT_FINDING(status, __LINE__ - 1, "write", "argument 1", "dat 'out' of set 'cells', OP_WRITE",
                 "is read before it is written", "component 1 of row 0 of dat 'out'", "Declare OP_RW");
}

void write_decides(double *out, double *other) { *other = *out > 0 ? 1 : 2, *out = 5; }
TEST_F(Planted, WriteDecidesAboutAnother) {
  const op_dat out = cell_dat(1, "out"), other = cell_dat(1, "other");
  const op_status status = op_par_loop(write_decides, "w", cells, direct(out, OP_WRITE), direct(other, OP_WRITE));
  EXPECT_FINDING(status, __LINE__ - 1, "write", "argument 0", "is read before it is written", "of dat 'other'");
}

void largest_so_far(const double *q, double *out) { *out = *q > *out ? *q : *out; }
TEST_F(Planted, WriteIsUsedAsAMaximum) {
  const op_dat q = cell_dat(1, "q"), out = cell_dat(1, "out", -100);
  const op_status status = op_par_loop(largest_so_far, "w", cells, direct(q, OP_READ), direct(out, OP_WRITE));
  EXPECT_FINDING(status, __LINE__ - 1, "write", "argument 1", "is read before it is written");
}

struct Sample {
  double value;
  int kind;
};
TEST_F(Planted, WriteLeavesAUserValue) {
  std::vector<Sample> data(2 * size);
  const op_dat s = op_decl_dat_char(cells, 2, "Sample", sizeof(Sample), reinterpret_cast<char *>(data.data()), "s");
  const auto first_only = [](Sample *samples) { samples[0].value = 1, samples[0].kind = 2; };
  const op_status status = op_par_loop(first_only, "w", cells, direct(s, OP_WRITE));
  EXPECT_FINDING(status, __LINE__ - 1, "partial", "argument 0", "not written everywhere", "component 1");
}

void writes_half(const double *q, double *out) {
  out[0] = *q;
  if (*q < 5) out[1] = *q;
}
TEST_F(Planted, WriteLeavesAComponent) {
  const op_dat q = cell_dat(1, "q"), out = cell_dat(2, "out");
  const op_status status = op_par_loop(writes_half, "w", cells, direct(q, OP_READ), direct(out, OP_WRITE));
  EXPECT_FINDING(status, __LINE__ - 1, "partial", "argument 1", "not written everywhere", "at element 4 of set 'cells'",
                 "component 1 of row 4 of dat 'out'");
}

// ---- INC, MIN, MAX
// ---------------------------------------------------------------------------------------------------

void overwrites(const double *q, double *sum) { *sum = *q; }
TEST_F(Planted, IncIsOverwritten) {
  const op_dat q = cell_dat(1, "q"), sum = cell_dat(1, "sum", 0);
  const op_status status =
      op_par_loop(overwrites, "w", edges, through(ends, 1, q, OP_READ), through(ends, 0, sum, OP_INC));
  EXPECT_FINDING(status, __LINE__ - 1, "inc", "argument 1", "dat 'sum' of set 'cells', OP_INC, column 0 of map 'ends'",
                 "is overwritten instead of added to", "component 0 of row 0 of dat 'sum' goes from 0 to 2", "Use +=");
}

void doubles(float *sum) { *sum *= 2; }
TEST_F(Planted, IncIsScaled) {
  std::vector<float> data(size, 3.0f);
  const op_dat sum = op_decl_dat(cells, 1, "float", data.data(), "sum");
  const op_status status = op_par_loop(doubles, "w", edges, op_arg_dat(sum, 0, ends, 1, "float", OP_INC));
  EXPECT_FINDING(status, __LINE__ - 1, "inc", "argument 0", "is changed instead of added to", "from 3 to 6");
}

void reads_sum(int *sum, double *out) { *out += *sum, *sum += 2; }
TEST_F(Planted, IncIsRead) {
  std::vector<int> data(size, 3);
  const op_dat sum = op_decl_dat(cells, 1, "int", data.data(), "sum"), out = cell_dat(1, "out");
  const op_status status =
      op_par_loop(reads_sum, "w", edges, op_arg_dat(sum, 0, ends, 1, "int", OP_INC), through(ends, 0, out, OP_RW));
  EXPECT_FINDING(status, __LINE__ - 1, "inc", "argument 0", "is read: at element 0 of set 'edges'",
                 "component 0 of row 0 of dat 'out' (argument 1) becomes", "split the loop in two");
}

void counts_from_sum(const double *q, double *sum, int *large) { *sum += *q, *large += *sum > 20 ? 1 : 0; }
TEST_F(Planted, GlobalIncIsRead) {
  const op_dat q = cell_dat(1, "q", 30);
  double sum = 0;
  int large = 0;
  const op_status status = op_par_loop(counts_from_sum, "w", cells, direct(q, OP_READ),
                                       op_arg_gbl(&sum, 1, "double", OP_INC), op_arg_gbl(&large, 1, "int", OP_INC));
  // 30 > 20 whatever was there before; at first only the sum's own value can tell.
  EXPECT_EQ(OP_OK, status) << op_last_error();
  const op_dat small = cell_dat(1, "small", 15);
  const op_status second = op_par_loop(counts_from_sum, "w", cells, direct(small, OP_READ),
                                       op_arg_gbl(&sum, 1, "double", OP_INC), op_arg_gbl(&large, 1, "int", OP_INC));
  EXPECT_FINDING(second, __LINE__ - 2, "inc", "argument 1", "global variable of type double, OP_INC", "is read");
}

// Of a variable that is far too large to be copied for every element.
TEST_F(Planted, HugeGlobalIncIsOverwritten) {
  constexpr int bins = 20000;
  std::vector<double> histogram(bins);
  const op_dat q = cell_dat(1, "q");
  const auto assign = [](const double *x, double *h) { h[bins - 1] = *x; };
  const op_status status =
      op_par_loop(assign, "w", cells, direct(q, OP_READ), op_arg_gbl(histogram.data(), bins, "double", OP_INC));
  EXPECT_FINDING(status, __LINE__ - 1, "inc", "argument 1", "component 19999 of the variable");
}

void last_minimum(const double *q, double *least) { *least = *q; }
TEST_F(Planted, MinIsOverwritten) {
  const op_dat q = cell_dat(1, "q");
  double least = 1e30;
  const op_status status =
      op_par_loop(last_minimum, "w", cells, direct(q, OP_READ), op_arg_gbl(&least, 1, "double", OP_MIN));
  EXPECT_FINDING(status, __LINE__ - 1, "inc", "argument 1", "global variable of type double, OP_MIN", "is overwritten",
                 "if (x < *m) *m = x");
}

void marks_maximum(const double *q, double *most, double *mark) {
  *mark = *q > *most ? 1 : 0;
  if (*q > *most) *most = *q;
}
TEST_F(Planted, MaxIsUsedElsewhere) {
  const op_dat q = cell_dat(1, "q"), mark = cell_dat(1, "mark");
  double most = 0;
  const op_status status = op_par_loop(marks_maximum, "w", cells, direct(q, OP_READ),
                                       op_arg_gbl(&most, 1, "double", OP_MAX), direct(mark, OP_WRITE));
  EXPECT_FINDING(status, __LINE__ - 2, "inc", "argument 1", "OP_MAX", "more than the comparison", "of dat 'mark'");
}

// ---- memory
// ----------------------------------------------------------------------------------------------------------

void writes_behind(double *q) {
  for (int i = 0; i <= 2; ++i) q[i] = i;
}
TEST_F(Planted, WritesBehindTheRow) {
  const op_dat q = cell_dat(2, "q");
  const std::vector<double> before = values(q);
  const op_status status = op_par_loop(writes_behind, "w", cells, direct(q, OP_WRITE));
  EXPECT_FINDING(status, __LINE__ - 1, "bounds", "writes outside of argument 0", "dat 'q'",
                 "at element 0 of set 'cells'", "where index 2 would be", "indices 0 to 1");
}

void writes_before(const double *q, double *out) { out[*q == 9 ? -1 : 0] += 1; }
TEST_F(Planted, WritesBeforeTheRowAtOneElement) {
  const op_dat q = cell_dat(1, "q"), out = cell_dat(1, "out");
  const op_status status =
      op_par_loop(writes_before, "w", edges, through(ends, 1, q, OP_READ), through(ends, 0, out, OP_INC));
  EXPECT_FINDING(status, __LINE__ - 1, "bounds", "writes outside of argument 1", "at element 7 of set 'edges'",
                 "before the beginning", "where index -1 would be");
}

// Far beside a long row there is still the neighbour's row; and the argument that is named is the right one.
TEST_F(Planted, ReadsFarBehindALongRow) {
  const op_dat q = cell_dat(1, "q"), spectrum = cell_dat(100, "spectrum"), out = cell_dat(1, "out");
  const auto far = [](const double *x, const double *s, double *y) { *y = *x + s[150]; };
  const op_status status =
      op_par_loop(far, "w", cells, direct(q, OP_READ), direct(spectrum, OP_READ), direct(out, OP_WRITE));
  EXPECT_FINDING(status, __LINE__ - 1, "bounds", "reads outside of argument 1", "dat 'spectrum'");
}

TEST_F(Planted, ReadsInFrontOfTheSecondRow) {
  std::vector<float> data(size, 1.0f);
  const op_dat a = op_decl_dat(cells, 1, "float", data.data(), "a"),
               b = op_decl_dat(cells, 1, "float", data.data(), "b");
  const op_dat out = cell_dat(1, "out");
  const auto front = [](const float *x, const float *y, double *z) { *z = x[0] + y[-1]; };
  const op_status status =
      op_par_loop(front, "w", cells, direct(a, OP_READ), direct(b, OP_READ), direct(out, OP_WRITE));
  EXPECT_FINDING(status, __LINE__ - 1, "bounds", "reads outside of argument 1", "dat 'b'");
}

void stops_at_ten(int *sum) {
  if (*sum < 10) *sum += 1;
}
TEST_F(Planted, IncIsCompared) {
  std::vector<int> data(size, 0);
  const op_dat sum = op_decl_dat(cells, 1, "int", data.data(), "sum");
  const op_status status = op_par_loop(stops_at_ten, "w", edges, op_arg_dat(sum, 0, ends, 1, "int", OP_INC));
  EXPECT_FINDING(status, __LINE__ - 1, "inc", "argument 0", "instead of added to");
}

TEST_F(Planted, WritesBehindTheRowFarIntoTheSet) {
  const int many = 1000, wrong = 777;
  const op_set points = op_decl_set(many, "points");
  std::vector<double> data(many, 1.0);
  data[wrong] = 2;
  const op_dat q = op_decl_dat(points, 1, "double", data.data(), "q");
  const auto doubles = [](double *x) { x[*x == 2 ? 1 : 0] = 4; };
  const op_status status = op_par_loop(doubles, "w", points, direct(q, OP_RW));
  EXPECT_FINDING(status, __LINE__ - 1, "bounds", "at element 777 of set 'points'", "where index 1 would be");
}

void reads_behind(const double *q, double *out) { *out = q[0] + q[2]; }
TEST_F(Planted, ReadsBehindTheRow) {
  const op_dat q = cell_dat(2, "q"), out = cell_dat(1, "out");
  const op_status status = op_par_loop(reads_behind, "w", cells, direct(q, OP_READ), direct(out, OP_WRITE));
  EXPECT_FINDING(status, __LINE__ - 1, "bounds", "reads outside of argument 0", "dat 'q'", "has 2 components",
                 "of dat 'out'");
}

void reads_between(double *const *q, double *out) { *out += q[0][1]; }
TEST_F(Planted, ReadsBehindARowOfAVector) {
  const op_dat q = cell_dat(1, "q"), out = cell_dat(1, "out");
  const op_status status = op_par_loop(reads_between, "w", edges, op_arg_dat(q, -2, ends, 1, "double", OP_READ),
                                       through(ends, 0, out, OP_INC));
  EXPECT_FINDING(status, __LINE__ - 2, "bounds", "reads outside of argument 0", "columns 0 to 1 of map 'ends'");
}

// ---- state
// -----------------------------------------------------------------------------------------------------------

int calls_so_far = 0;
void numbers(double *out) { *out = ++calls_so_far; }
TEST_F(Planted, StateAcrossCalls) {
  const op_dat out = cell_dat(1, "out");
  const op_status status = op_par_loop(numbers, "w", cells, direct(out, OP_WRITE));
  EXPECT_FINDING(status, __LINE__ - 1, "state", "at element 0 of set 'cells'", "component 0 of row 0 of dat 'out'",
                 "static or global variable");
}

// Two pointers that are one: in place the value is doubled twice, on copies once.
TEST_F(Planted, OneRowChangedTwice) {
  int table[] = {5, 5};
  const op_map both = op_decl_map(op_decl_set(1, "one"), cells, 2, table, "both");
  const op_dat q = cell_dat(1, "q");
  const auto doubles_both = [](double *a, double *b) { *a *= 2, *b *= 2; };
  const op_status status =
      op_par_loop(doubles_both, "w", op_map_from(both), through(both, 0, q, OP_RW), through(both, 1, q, OP_RW));
  EXPECT_FINDING(status, __LINE__ - 1, "alias", "row 5 of dat 'q'");
}

void keeps_previous(const double *q, double *out) {
  static double previous = 0;
  *out += *q - previous;
  previous = *q;
}
TEST_F(Planted, StateFromTheElementBefore) {
  const op_dat q = cell_dat(1, "q"), out = cell_dat(1, "out");
  const op_status status =
      op_par_loop(keeps_previous, "w", edges, through(ends, 0, q, OP_READ), through(ends, 1, out, OP_INC));
  EXPECT_FINDING(status, __LINE__ - 1, "state", "argument 1");
}

double total_so_far = 0;
void adds_to_a_global(const double *q, double *out) {
  *out = 2 * *q;
  total_so_far += *q;
}
TEST_F(Planted, AVariableThatIsNoArgument) {
#if defined(__clang__) && defined(__has_feature)
#if __has_feature(address_sanitizer)
  GTEST_SKIP() << "clang's sanitizer keeps more variables in the program than the check looks at (the optimised build has this test)";
#endif
#endif
  const op_dat q = cell_dat(1, "q"), out = cell_dat(1, "out");
  const op_status status = op_par_loop(adds_to_a_global, "w", cells, direct(q, OP_READ), direct(out, OP_WRITE));
  EXPECT_FINDING(status, __LINE__ - 1, "state", "the variable 'check_test::total_so_far'", "not among its arguments",
                 "OP_INC");
}

// ---- aliases
// ---------------------------------------------------------------------------------------------------------

void shifts(const double *from, double *to) { *to = *from + 1; }
TEST_F(Planted, OneRowReadAndWritten) {
  const op_dat q = cell_dat(1, "q");
  const op_status status = op_par_loop(shifts, "w", cells, direct(q, OP_READ), direct(q, OP_RW));
  EXPECT_FINDING(status, __LINE__ - 1, "alias", "argument 0", "argument 1", "the same row",
                 "component 0 of row 0 of dat 'q'", "at element 0 of set 'cells'");
}

void swaps(double *a, double *b) { std::swap(*a, *b); }
TEST_F(Planted, OneRowWrittenTwiceAtOneElement) {
  std::vector<int> table;
  for (int e = 0; e < size / 2; ++e) table.insert(table.end(), {e, size - 1 - e});
  table[7] = 3; // the fourth pair is twice one cell
  const op_set pairs = op_decl_set(size / 2, "pairs");
  const op_map both = op_decl_map(pairs, cells, 2, table.data(), "both");
  const op_dat q = cell_dat(1, "q");
  const auto puts = [](double *a, double *b) { *a = 1, *b = 2; };
  const op_status status = op_par_loop(puts, "w", pairs, through(both, 0, q, OP_WRITE), through(both, 1, q, OP_WRITE));
  EXPECT_FINDING(status, __LINE__ - 1, "alias", "at element 3 of set 'pairs'", "row 3 of dat 'q'");
}

// ---- NaN and Inf
// -----------------------------------------------------------------------------------------------------

void root(const double *q, double *out) { *out = std::sqrt(*q - 5.5); }
TEST_F(Planted, NanIsProduced) {
  const op_dat q = cell_dat(1, "q"), out = cell_dat(1, "out");
  const auto backwards = [](const double *x, double *r) { *r = std::sqrt(5.5 - *x); };
  const op_status status = op_par_loop(backwards, "w", cells, direct(q, OP_READ), direct(out, OP_WRITE));
  EXPECT_FINDING(status, __LINE__ - 1, "nan", "argument 1", "becomes", "nan", "at element 5 of set 'cells'",
                 "argument 0 = 6");
}

void reciprocal(const double *q, double *least) {
  const double x = -1 / (*q - 4);
  if (x < *least) *least = x;
}
TEST_F(Planted, InfIsProducedInAReduction) {
  const op_dat q = cell_dat(1, "q");
  double least = 0;
  const op_status status =
      op_par_loop(reciprocal, "w", cells, direct(q, OP_READ), op_arg_gbl(&least, 1, "double", OP_MIN));
  EXPECT_FINDING(status, __LINE__ - 1, "nan", "argument 1", "becomes -inf", "at element 3 of set 'cells'");
}

// ---- range functions and declarations
// --------------------------------------------------------------------------------

TEST_F(Planted, RangeFunctionWithAWrongDim) {
  const op_dat q = cell_dat(2, "q"), sum = cell_dat(1, "sum");
  EXPECT_STREQ("OP_ERR_CHECK", op_status_name(wrong_range_dim(edges, ends, q, sum)));
  const std::string message = op_last_error();
  for (const char *word : {"range function", "[check: range]", "wrong_range.c"})
    EXPECT_NE(std::string::npos, message.find(word)) << word << " is not in: " << message;
}

TEST_F(Planted, RangeFunctionWithAWrongPlace) {
  const op_dat q = cell_dat(2, "q"), sum = cell_dat(1, "sum");
  EXPECT_STREQ("OP_ERR_CHECK", op_status_name(wrong_range_place(edges, ends, q, sum)));
  const std::string message = op_last_error();
  for (const char *word : {"range function is not the kernel", "argument 2", "dat 'sum'", "[check: range]"})
    EXPECT_NE(std::string::npos, message.find(word)) << word << " is not in: " << message;
}

TEST_F(Planted, RangeFunctionThatLeavesElementsOut) {
  const op_dat q = cell_dat(2, "q"), sum = cell_dat(1, "sum");
  EXPECT_STREQ("OP_ERR_CHECK", op_status_name(range_with_gaps(edges, ends, q, sum)));
  const std::string message = op_last_error();
  for (const char *word : {"range function is not the kernel", "for elements 0 to 11", "dat 'sum'", "[check: range]"})
    EXPECT_NE(std::string::npos, message.find(word)) << word << " is not in: " << message;
}

TEST_F(Planted, MapEntryOutOfRange) {
  int table[] = {0, 1, 2, size, 4, 5};
  EXPECT_EQ(nullptr, op_decl_map(op_decl_set(3, "three"), cells, 2, table, "wrong"));
  const std::string message = op_last_error();
  for (const char *word : {"'wrong'", "1", "12"})
    EXPECT_NE(std::string::npos, message.find(word)) << word << " is not in: " << message;
}

} // namespace check_test

// SPDX-License-Identifier: MIT
