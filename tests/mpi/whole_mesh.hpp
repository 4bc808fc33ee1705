// whole_mesh.hpp: a small mesh on two processes, loops over it, and what they have to leave, by hand.
#pragma once

#include <gtest/gtest.h>
#include <op2/op2.hpp>

#include <string>
#include <vector>

namespace whole {

//   12--13--14--15     Process 0 has nodes 0 to 7 and cells 0 to 4, process 1 the others. Cells 3 and 4 have nodes of
//    | 6 | 7 | 8 |     process 1, cell 5 has nodes of process 0: both run these three. Three sides at the right are a
//    8---9--10--11     boundary: 3-7, 7-11 and 11-15. The first two are process 0's, both run the second.
//    | 3 | 4 | 5 |
//    4---5---6---7     Copies: process 0 has cell 5 and nodes 8 to 11, process 1 cells 3 and 4, nodes 4 to 7 and the
//    | 0 | 1 | 2 |     second side. Entries of cells to copies of nodes: 12 for 8 copies; of sides: 2 for 8, a quarter.
//    0---1---2---3
constexpr int wide = 125; // values of 1000 bytes, so that counts stand in the table of megabytes

struct Mesh {
  explicit Mesh(int rank) : first(rank == 0) {
    const std::vector<int> corners = first
                                         ? std::vector<int>{0, 1, 5, 4, 1, 2, 6, 5, 2, 3, 7, 6, 4, 5, 9, 8, 5, 6, 10, 9}
                                         : std::vector<int>{6, 7, 11, 10, 8, 9, 13, 12, 9, 10, 14, 13, 10, 11, 15, 14};
    const std::vector<int> ends = first ? std::vector<int>{3, 7, 7, 11} : std::vector<int>{11, 15};
    const std::vector<int> insides = first ? std::vector<int>{2, 6} : std::vector<int>{10};
    nodes = op_decl_set(8, "nodes");
    cells = op_decl_set(first ? 5 : 4, "cells");
    sides = op_decl_set(first ? 2 : 1, "sides");
    corner = op_decl_map(cells, nodes, 4, corners.data(), "corner");
    end = op_decl_map(sides, nodes, 2, ends.data(), "end");
    inside = op_decl_map(sides, nodes, 1, insides.data(), "inside");
    const std::vector<double> numbers =
        by_hand(first ? 0 : 8, first ? 8 : 16, [](int node) { return static_cast<double>(node); });
    std::vector<double> values;
    for (int cell = first ? 0 : 5; cell < (first ? 5 : 9); ++cell)
      for (int i = 0; i < wide; ++i) values.push_back(flux_of(cell, i));
    number = op_decl_dat(nodes, 1, "double", numbers.data(), "number");
    q = op_decl_dat(nodes, wide, "double", static_cast<double *>(nullptr), "q");
    sum = op_decl_dat(nodes, 1, "double", static_cast<double *>(nullptr), "sum");
    flux = op_decl_dat(cells, wide, "double", values.data(), "flux");
    mean = op_decl_dat(cells, 1, "double", static_cast<double *>(nullptr), "mean");
    jump = op_decl_dat(sides, 1, "double", static_cast<double *>(nullptr), "jump");
  }
  bool first;
  op_set nodes, cells, sides;
  op_map corner, end, inside;
  op_dat number, q, sum, flux, mean, jump;

  // Of every component, so that none can be taken for another one; times a value that set() is given.
  static double q_of(int node, int component) { return 1000 * node + component; }
  static double flux_of(int cell, int component) { return 10000 * cell + component; }

  void set(double value) const {
    const auto kernel = [](const double *v, const double *n, double *row) {
      for (int i = 0; i < wide; ++i) row[i] = *v * (1000 * *n + i);
    };
    EXPECT_EQ(op_par_loop(kernel, "set", nodes, op_arg_gbl(&value, 1, "double", OP_READ),
                          op_arg_dat(number, -1, OP_ID, 1, "double", OP_READ),
                          op_arg_dat(q, -1, OP_ID, wide, "double", OP_WRITE)),
              OP_OK)
        << op_last_error();
  }
  void average() const { // by all that cells reach
    EXPECT_EQ(op_par_loop([](const double *a, const double *b, double *out) { *out = *a + b[wide - 1]; }, "average",
                          cells, op_arg_dat(q, 0, corner, wide, "double", OP_READ),
                          op_arg_dat(q, 2, corner, wide, "double", OP_READ),
                          op_arg_dat(mean, -1, OP_ID, 1, "double", OP_WRITE)),
              OP_OK)
        << op_last_error();
  }
  void along() const { // by one map of few entries
    EXPECT_EQ(
        op_par_loop([](const double *a, const double *b, double *out) { *out = b[wide - 1] - *a; }, "along", sides,
                    op_arg_dat(q, 0, end, wide, "double", OP_READ), op_arg_dat(q, 1, end, wide, "double", OP_READ),
                    op_arg_dat(jump, -1, OP_ID, 1, "double", OP_WRITE)),
        OP_OK)
        << op_last_error();
  }
  void across() const { // by two maps
    EXPECT_EQ(
        op_par_loop([](const double *a, const double *b, double *out) { *out = *b + *a; }, "across", sides,
                    op_arg_dat(q, 1, end, wide, "double", OP_READ), op_arg_dat(q, 0, inside, wide, "double", OP_READ),
                    op_arg_dat(jump, -1, OP_ID, 1, "double", OP_WRITE)),
        OP_OK)
        << op_last_error();
  }
  void add() const { // runs others' cells too, and reads their rows
    EXPECT_EQ(op_par_loop([](const double *f, double *s) { *s += f[wide - 1]; }, "add", cells,
                          op_arg_dat(flux, -1, OP_ID, wide, "double", OP_READ),
                          op_arg_dat(sum, 1, corner, 1, "double", OP_INC)),
              OP_OK)
        << op_last_error();
  }

  // What the loops have to leave in the rows that this process has declared, wherever they lie.
  void expect_mean(double value) const {
    const auto corner_of = [](int cell) { return 4 * (cell / 3) + cell % 3; };
    expect(mean, by_hand(first ? 0 : 5, first ? 5 : 9, [&](int cell) {
             return value * (q_of(corner_of(cell), 0) + q_of(corner_of(cell) + 5, wide - 1));
           }));
  }
  void expect_along(double value) const {
    expect(jump, by_hand(first ? 0 : 2, first ? 2 : 3,
                         [&](int side) { return value * (q_of(4 * side + 7, wide - 1) - q_of(4 * side + 3, 0)); }));
  }
  void expect_across(double value) const {
    expect(jump, by_hand(first ? 0 : 2, first ? 2 : 3,
                         [&](int side) { return value * (q_of(4 * side + 7, 0) + q_of(4 * side + 2, 0)); }));
  }
  void expect_sum(int calls) const { // nodes at the left and at the top are no cell's second corner
    expect(sum, by_hand(first ? 0 : 8, first ? 8 : 16, [&](int node) {
             return node % 4 == 0 || node > 12 ? 0 : calls * flux_of(3 * (node / 4) + node % 4 - 1, wide - 1);
           }));
  }

 private:
  template <class Wanted>
  static std::vector<double> by_hand(int begin, int end, const Wanted &wanted) {
    std::vector<double> out;
    for (int element = begin; element < end; ++element) out.push_back(wanted(element));
    return out;
  }
  static void expect(op_dat dat, const std::vector<double> &wanted) {
    std::vector<double> got(wanted.size(), -1);
    EXPECT_EQ(op_fetch_data(dat, got.data()), OP_OK) << op_last_error();
    EXPECT_EQ(got, wanted) << op_dat_name(dat);
  }
};

// Rows stay where they are declared, in that order; kernels are the program's own.
inline std::vector<std::string> settings(std::vector<std::string> more = {}) {
  more.insert(more.end(), {"OP2_DECLARE=local", "OP2_PARTITION=off", "OP2_RENUMBER=off", "OP2_JIT=off"});
  return more;
}

constexpr const char *not_two = "counted by hand for two processes";

} // namespace whole

// SPDX-License-Identifier: MIT
