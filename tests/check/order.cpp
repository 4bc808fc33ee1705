// Loops whose result depends on the order of their elements.
#include "support.hpp"

namespace check_test {

using Order = Ring;

TEST_F(Order, TwoElementsWriteOneRow) {
  const op_dat q = cell_dat(1, "q"), label = cell_dat(1, "label");
  const auto last = [](const double *from, double *to) { *to = *from; };
  const op_status status = op_par_loop(last, "last", edges, op_arg_dat(q, 0, ends, 1, "double", OP_READ),
                                       op_arg_dat(label, 0, ends, 1, "double", OP_WRITE));
  EXPECT_EQ(OP_OK, status) << op_last_error(); // column 0 alone meets every cell once
  const auto both = [](const double *from, double *a, double *b) { *a = *from, *b = *from; };
  const op_status twice =
      op_par_loop(both, "both", edges, op_arg_dat(q, 0, ends, 1, "double", OP_READ),
                  op_arg_dat(label, 0, ends, 1, "double", OP_WRITE), op_arg_dat(label, 1, ends, 1, "double", OP_WRITE));
  EXPECT_FINDING(twice, __LINE__ - 2, "order", "depends on the order of the elements", "of dat 'label'",
                 "of set 'edges' both use that row", "argument 1", "OP_INC");
}

TEST_F(Order, ASweepThatUsesItsOwnResults) {
  const op_dat q = cell_dat(1, "q");
  const auto smooth = [](double *a, double *b) {
    const double mean = 0.5 * (*a + *b);
    *a = mean, *b = mean;
  };
  const op_status status = op_par_loop(smooth, "smooth", edges, op_arg_dat(q, 0, ends, 1, "double", OP_RW),
                                       op_arg_dat(q, 1, ends, 1, "double", OP_RW));
  EXPECT_FINDING(status, __LINE__ - 2, "order", "of dat 'q'", "when they run in order", "OP_RW, column");
}

TEST_F(Order, ReadingNeighboursThatAreBeingWritten) {
  const op_dat q = cell_dat(1, "q");
  std::vector<int> table;
  for (int c = 0; c < size; ++c) table.push_back((c + 1) % size);
  const op_map next = op_decl_map(cells, cells, 1, table.data(), "next");
  const auto relax = [](const double *neighbour, double *mine) { *mine += *neighbour; };
  const op_status status = op_par_loop(relax, "relax", cells, op_arg_dat(q, 0, next, 1, "double", OP_READ),
                                       op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
  EXPECT_FINDING(status, __LINE__ - 2, "order", "of dat 'q'", "both use that row", "column 0 of map 'next'");
}

// Small results of small numbers: no rounding.
TEST_F(Order, SmallSumsOfNeighboursThatAreBeingWritten) {
  std::vector<double> data;
  for (int i = 0; i < size; ++i) data.push_back(1e-9 * (i + 1));
  const op_dat weight = cell_dat(1, "weight", 1.0), q = op_decl_dat(cells, 1, "double", data.data(), "q"),
               sum = cell_dat(1, "sum", 0);
  const auto relax = [](const double *w, double *a, double *b, double *s) {
    const double mean = 0.5 * (*a + *b) * *w;
    *a = mean, *b = mean, *s += mean;
  };
  const op_status status =
      op_par_loop(relax, "relax", edges, op_arg_dat(weight, 0, ends, 1, "double", OP_READ),
                  op_arg_dat(q, 0, ends, 1, "double", OP_RW), op_arg_dat(q, 1, ends, 1, "double", OP_RW),
                  op_arg_dat(sum, 0, ends, 1, "double", OP_INC));
  EXPECT_FINDING(status, __LINE__ - 3, "order", "depends on the order of the elements");
}

// The same loop is right with the data of its first two calls, and wrong with those of the third.
TEST_F(Order, OnlyInALaterCall) {
  const op_dat q = cell_dat(1, "q"), label = cell_dat(1, "label");
  const auto flatten = [](double *x) { *x = 1; };
  const auto number = [](const int *n, double *x) { *x = *n; };
  const auto spread = [](const double *from, double *a, double *b) { *a = *from, *b = *from; };
  const auto run = [&] {
    return op_par_loop(spread, "spread", edges, op_arg_dat(q, 0, ends, 1, "double", OP_READ),
                       op_arg_dat(label, 0, ends, 1, "double", OP_WRITE),
                       op_arg_dat(label, 1, ends, 1, "double", OP_WRITE));
  };
  ASSERT_EQ(OP_OK, op_par_loop(flatten, "flatten", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_WRITE)));
  ASSERT_EQ(OP_OK, run()) << op_last_error();
  ASSERT_EQ(OP_OK, run()) << op_last_error();
  ASSERT_EQ(OP_OK, op_par_loop(number, "number", cells, op_arg_idx(-1, OP_ID),
                               op_arg_dat(q, -1, OP_ID, 1, "double", OP_WRITE)));
  EXPECT_EQ(OP_ERR_CHECK, run());
  EXPECT_NE(std::string::npos, std::string(op_last_error()).find("[check: order]")) << op_last_error();
}

// The first edge claims the cell. The mark of a free one is so large that sums with it have no digits left.
TEST_F(Order, TheFirstOneWins) {
  std::vector<double> data(size, 1e30);
  const op_dat owner = op_decl_dat(cells, 1, "double", data.data(), "owner");
  const auto claim = [](const int *edge, double *o) {
    if (*o == 1e30) *o = *edge;
  };
  std::vector<int> table(size, 3);
  const op_map same = op_decl_map(edges, cells, 1, table.data(), "same");
  const op_status status =
      op_par_loop(claim, "claim", edges, op_arg_idx(-1, OP_ID), op_arg_dat(owner, 0, same, 1, "double", OP_RW));
  EXPECT_FINDING(status, __LINE__ - 1, "order", "row 3 of dat 'owner'");
}

// Nothing is lost: after a finding the dats are what they were, and the library can be used.
TEST_F(Order, NothingWasChanged) {
  const op_dat q = cell_dat(1, "q");
  const std::vector<double> before = values(q);
  const auto first_wins = [](double *a, double *b) { *a = *b; };
  EXPECT_EQ(OP_ERR_CHECK, op_par_loop(first_wins, "first", edges, op_arg_dat(q, 0, ends, 1, "double", OP_WRITE),
                                      op_arg_dat(q, 1, ends, 1, "double", OP_READ)));
  EXPECT_EQ(before, values(q));
  EXPECT_EQ(OP_OK, op_exit());
  start({"OP2_CHECK=-order,-alias"});
  const op_dat again = cell_dat(1, "q");
  EXPECT_EQ(before, values(again));
  EXPECT_EQ(OP_OK, op_par_loop(first_wins, "first", edges, op_arg_dat(again, 0, ends, 1, "double", OP_WRITE),
                               op_arg_dat(again, 1, ends, 1, "double", OP_READ)))
      << op_last_error();
}

// The same loop, but it stops early. The pair is named, unless the loop ends before its second element.
TEST_F(Order, ALoopThatStopsReadsWhatAnEarlierElementHasWritten) {
  const op_dat q = cell_dat(1, "q");
  std::vector<int> table;
  for (int c = 0; c < size; ++c) table.push_back((c + 7) % size);
  const op_map other = op_decl_map(cells, cells, 1, table.data(), "other");
  double last = 5; // the value in cell 4
  op_gindex number = -2;
  const auto relax = [](const double *theirs, double *mine, const double *stop_at, int *stop) {
    *stop = *mine == *stop_at;
    *mine += *theirs;
  };
  const auto loop = [&] {
    return op_par_loop_until(relax, "relax", cells, op_arg_dat(q, 0, other, 1, "double", OP_READ),
                             op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW), op_arg_gbl(&last, 1, "double", OP_READ),
                             op2::stop(number));
  };
  EXPECT_EQ(OP_OK, loop()) << op_last_error();
  EXPECT_EQ(4, number);
  last = -1;
  const op_status status = loop();
  EXPECT_FINDING(status, __LINE__ - 8, "order", "element 5 of set 'cells' reads row 0 of dat 'q'",
                 "which element 0 before", "argument 1", "OP2_UNTIL=ordered");
  start({"OP2_UNTIL=ordered"}); // where it is right
  const op_dat fresh = cell_dat(1, "q");
  const op_map again = op_decl_map(cells, cells, 1, table.data(), "other");
  const op_status ordered = op_par_loop_until(relax, "relax", cells, op_arg_dat(fresh, 0, again, 1, "double", OP_READ),
                                              op_arg_dat(fresh, -1, OP_ID, 1, "double", OP_RW),
                                              op_arg_gbl(&last, 1, "double", OP_READ), op2::stop(number));
  EXPECT_EQ(OP_OK, ordered) << op_last_error();
  EXPECT_EQ(-1, number);
}

// Elements of such loops are checked as those of others.
TEST_F(Order, TheKernelOfALoopThatStopsIsChecked) {
  const op_dat q = cell_dat(1, "q");
  op_gindex number = -2;
  const auto wrong = [](const double *mine, int *stop) {
    *const_cast<double *>(mine) += 1;
    *stop = 0;
  };
  const op_status status =
      op_par_loop_until(wrong, "wrong", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ), op2::stop(number));
  EXPECT_FINDING(status, __LINE__ - 2, "read", "argument 0", "of dat 'q'");
}

} // namespace check_test

// SPDX-License-Identifier: MIT
