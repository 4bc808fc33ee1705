// whole_test.cpp: what a program sees of several processes, through the public interface: when its mesh is divided,
// which declarations are refused because they could mean two things, and values that only some processes give.
#include <gtest/gtest.h>
#include <op2/kernel.h>
#include <op2/partition.h>
#include <op2/op2.hpp>

#include <string>
#include <vector>

#include "whole_session.hpp"

namespace {

using whole::Session;

bool says(const char *words) { return std::string(op_last_error()).find(words) != std::string::npos; }

constexpr int width = 40, ncell = width * width, nnode = (width + 1) * (width + 1);

// The cells of a square and their corners, which are counted from `base`.
std::vector<int> corners(int base = 0) {
  std::vector<int> out;
  for (int row = 0; row < width; ++row)
    for (int column = 0; column < width; ++column) {
      const int first = base + row * (width + 1) + column;
      out.insert(out.end(), {first, first + 1, first + width + 2, first + width + 1});
    }
  return out;
}

void add_to_corner(double *node) { *node += 1; }
void add_one(double *value) { *value += 1; }

void loop_over_corners(op_set cells, op_map map, op_dat dat) {
  EXPECT_EQ(op_par_loop(add_to_corner, "corners", cells, op_arg_dat(dat, 2, map, 1, "double", OP_INC)), OP_OK)
      << op_last_error();
}

struct Square {
  op_set cells = op_decl_set(ncell, "cells"), nodes = op_decl_set(nnode, "nodes");
  op_map map = op_decl_map(cells, nodes, 4, corners().data(), "corners");
  op_dat count = op_decl_dat(nodes, 1, "double", nullptr, "count");

  double core_share() const { return static_cast<double>(op_get_size_local_core(cells)) / op_get_size_local(cells); }
};

// --- a program that says nothing about its division ---

TEST(Division, happens_before_the_first_loop) {
  for (const char *setting : {"OP2_PARTITION=random", "OP2_PARTITION=off"}) {
    const Session session({"OP2_DECLARE=replicated", setting});
    if (session.processes == 1) GTEST_SKIP() << "one process divides nothing";
    const Square square;
    loop_over_corners(square.cells, square.map, square.count);
    if (std::string(setting) == "OP2_PARTITION=off")
      EXPECT_GT(square.core_share(), 0.5); // blocks of rows
    else
      EXPECT_LT(square.core_share(), 0.4); // every cell has its corners anywhere
  }
}

TEST(Division, waits_until_there_is_a_mesh) {
  const Session session({"OP2_DECLARE=replicated", "OP2_PARTITION=random"});
  if (session.processes == 1) GTEST_SKIP() << "one process divides nothing";
  const op_set nodes = op_decl_set(nnode, "nodes"), cells = op_decl_set(ncell, "cells");
  const op_dat count = op_decl_dat(nodes, 1, "double", nullptr, "count");
  const op_set alone = op_decl_set(3, "alone");
  const op_dat other = op_decl_dat(alone, 1, "double", nullptr, "other");
  EXPECT_EQ(op_par_loop(add_one, "alone", alone, op_arg_dat(other, -1, OP_ID, 1, "double", OP_RW)), OP_OK);
  const op_map map = op_decl_map(cells, nodes, 4, corners().data(), "corners");
  loop_over_corners(cells, map, count);
  EXPECT_LT(static_cast<double>(op_get_size_local_core(cells)) / op_get_size_local(cells), 0.4);
  std::vector<double> values(nnode);
  EXPECT_EQ(op_fetch_data_all(count, values.data()), OP_OK);
  double sum = 0;
  for (const double value : values) sum += value;
  EXPECT_EQ(sum, ncell);
}

// --- declarations that could mean two things ---

TEST(Meaning, of_a_mesh_that_counts_from_one_is_asked) {
  const Session session({"OP2_DECLARE=auto"});
  if (session.processes == 1) GTEST_SKIP() << "one process needs no such choice";
  const op_set cells = op_decl_set(ncell, "cells"), nodes = op_decl_set(nnode, "nodes");
  op_decl_map(cells, nodes, 4, corners(1).data(), "corners");
  EXPECT_EQ(op_get_size(cells), -1);
  EXPECT_EQ(op_last_status(), OP_ERR_STATE);
  EXPECT_TRUE(says("OP2_DECLARE=local") && says("OP2_MAPS_BASE_INDEX=1")) << op_last_error();
}

TEST(Meaning, of_a_set_that_one_process_fills_is_asked) {
  const Session session({"OP2_DECLARE=auto"});
  if (session.processes == 1) GTEST_SKIP() << "one process needs no such choice";
  const Square square;
  op_decl_set(session.rank == 0 ? 7 : 0, "probes");
  EXPECT_EQ(op_get_size(square.cells), -1);
  EXPECT_TRUE(says("OP2_DECLARE=local") && says("probes")) << op_last_error();
}

// --- arrays that only some processes pass ---

TEST(Arrays, of_a_late_dat_may_be_missing_and_are_zeros_then) {
  const Session session({"OP2_DECLARE=local", "OP2_PARTITION=random"});
  const op_set cells = op_decl_set(ncell, "cells"), nodes = op_decl_set(nnode, "nodes");
  std::vector<int> entries = corners();
  for (int &entry : entries) entry += session.rank * nnode;
  const op_map map = op_decl_map(cells, nodes, 4, entries.data(), "corners");
  loop_over_corners(cells, map, op_decl_dat(nodes, 1, "double", nullptr, "count"));
  const std::vector<double> ones(nnode, 1);
  const op_dat late = op_decl_dat(nodes, 1, "double", session.rank == 0 ? ones.data() : nullptr, "late");
  ASSERT_NE(late, nullptr) << op_last_error();
  std::vector<double> mine(nnode, -1);
  EXPECT_EQ(op_fetch_data(late, mine.data()), OP_OK);
  EXPECT_EQ(mine, std::vector<double>(nnode, session.rank == 0 ? 1 : 0));
}

TEST(Arrays, for_all_rows_are_needed_on_every_process) {
  for (const char *declare : {"OP2_DECLARE=root", "OP2_DECLARE=local"}) {
    const Session session({declare});
    const int last = session.processes - 1;
    const op_set cells = op_decl_set(session.rank == 0 ? ncell : 0, "cells");
    const op_dat dat = op_decl_dat(cells, 1, "double", nullptr, "d");
    std::vector<double> values(ncell);
    double *const array = session.rank == last ? nullptr : values.data();
    EXPECT_EQ(op_fetch_data_all(dat, array), OP_ERR_ARGUMENT);
    EXPECT_EQ(op_put_data_all(dat, array), OP_ERR_ARGUMENT);
    EXPECT_EQ(op_fetch_data_idx(dat, array, 3, 4), OP_ERR_ARGUMENT);
    EXPECT_EQ(op_put_data_idx(dat, array, 3, 4), OP_ERR_ARGUMENT);
    EXPECT_EQ(op_fetch_data_all(dat, values.data()), OP_OK) << op_last_error();
  }
}

// --- others ---

TEST(Partition, by_map_and_coordinates_needs_both_of_one_set) {
  const Session session({"OP2_DECLARE=replicated"});
  const Square square;
  const std::vector<double> middle(2 * ncell, 0.5);
  const op_dat centres = op_decl_dat(square.cells, 2, "double", middle.data(), "centres");
  EXPECT_EQ(op_partition("PARMETIS", "GEOMKWAY", square.nodes, square.map, centres), OP_ERR_SET);
  EXPECT_TRUE(says("corners") && says("centres")) << op_last_error();
  EXPECT_EQ(op_partition("PTSCOTCH", "KWAY", square.nodes, square.map, centres), OP_OK) << op_last_error();
}

// A division that is refused leaves data and loops as they should be.
TEST(Partition, that_fails_costs_the_division_and_nothing_else) {
  const Session session({"OP2_DECLARE=replicated", "OP2_PARTITION=random"});
  const Square square;
  loop_over_corners(square.cells, square.map, square.count);
  std::vector<double> work(ncell, 1);
  work[17] = -1;
  op_partition_params params = OP_PARTITION_PARAMS;
  params.library = "RANDOM";
  params.set = square.cells;
  params.weights = op_decl_dat(square.cells, 1, "double", work.data(), "work");
  if (session.processes > 1) {
    EXPECT_EQ(op_partition_with(&params), OP_ERR_ARGUMENT);
    EXPECT_TRUE(says("element 17")) << op_last_error();
  }
  loop_over_corners(square.cells, square.map, square.count);
  std::vector<double> values(nnode);
  EXPECT_EQ(op_fetch_data_all(square.count, values.data()), OP_OK) << op_last_error();
  double sum = 0;
  for (const double value : values) sum += value;
  EXPECT_EQ(sum, 2 * ncell);
}

// As OP2's programs call it: set and coordinates do not matter to KWAY, the map's target set is divided.
TEST(Partition, weights_belong_to_the_set_that_the_map_leads_to) {
  const Session session({"OP2_DECLARE=replicated"});
  const Square square;
  const std::vector<double> ones(nnode, 1), middle(2 * ncell, 0.5);
  op_partition_params params = OP_PARTITION_PARAMS;
  params.library = "PTSCOTCH";
  params.routine = "KWAY";
  params.set = square.cells;
  params.map = square.map;
  params.coordinates = op_decl_dat(square.cells, 2, "double", middle.data(), "centres");
  params.weights = op_decl_dat(square.cells, 1, "double", ones.data(), "of_cells");
  EXPECT_EQ(op_partition_with(&params), OP_ERR_SET);
  EXPECT_TRUE(says("of_cells") && says("set 'nodes' is divided")) << op_last_error();
  params.weights = op_decl_dat(square.nodes, 1, "double", ones.data(), "of_nodes");
  EXPECT_EQ(op_partition_with(&params), OP_OK) << op_last_error();
  params.library = "RANDOM";
  EXPECT_EQ(op_partition_with(&params), OP_ERR_SET); // divides the set
}

TEST(Division, by_shares_waits_until_there_is_a_mesh) {
  const Session one({"OP2_DECLARE=replicated"});
  const int processes = one.processes;
  op_exit();
  if (processes == 1) GTEST_SKIP() << "one process divides nothing";
  std::string shares = "OP2_PARTITION_WEIGHTS=1";
  for (int p = 1; p < processes; ++p) shares += ",2";
  const Session session({"OP2_DECLARE=replicated", "OP2_PARTITION=random", shares});
  const op_set nodes = op_decl_set(nnode, "nodes"), cells = op_decl_set(ncell, "cells");
  const op_dat count = op_decl_dat(nodes, 1, "double", nullptr, "count");
  EXPECT_EQ(op_par_loop(add_one, "alone", nodes, op_arg_dat(count, -1, OP_ID, 1, "double", OP_RW)), OP_OK);
  const op_map map = op_decl_map(cells, nodes, 4, corners().data(), "corners");
  loop_over_corners(cells, map, count);
  EXPECT_LT(static_cast<double>(op_get_size_local_core(cells)) / op_get_size_local(cells), 0.4);
}

// --- loops that processes mean differently ---

TEST(Loop, with_a_wrong_argument_on_one_process_fails_on_all) {
  for (const char *reproducible : {"OP2_REPRODUCIBLE=0", "OP2_REPRODUCIBLE=1"}) {
    const Session session({"OP2_DECLARE=replicated", reproducible});
    const Square square;
    const int column = session.rank == session.processes - 1 ? 7 : 1;
    EXPECT_EQ(op_par_loop(add_to_corner, "read", square.cells,
                          op_arg_dat(square.count, column, square.map, 1, "double", OP_READ)),
              OP_ERR_RANGE);
    loop_over_corners(square.cells, square.map, square.count);
  }
}

TEST(Loop, over_another_dat_on_one_process_is_refused) {
  const Session session({"OP2_DECLARE=replicated"});
  if (session.processes == 1) GTEST_SKIP() << "one process agrees with itself";
  const Square square;
  const op_dat other = op_decl_dat(square.nodes, 1, "double", nullptr, "other");
  const op_dat dat = session.rank == 0 ? other : square.count;
  EXPECT_EQ(op_par_loop(add_to_corner, "mixed", square.cells, op_arg_dat(dat, 0, square.map, 1, "double", OP_INC)),
            OP_ERR_STATE);
  EXPECT_TRUE(says("'other'") && says("'count'")) << op_last_error();
}

void fill(const double *left, double *scratch) { scratch[0] = *left, scratch[1] = 1, scratch[2] = 2; }
void add_all(const double *scratch, double *sum) { *sum += scratch[0] + scratch[1] + scratch[2]; }

TEST(Temporary, dats_in_other_layouts_survive_a_new_division) {
  const Session session({"OP2_DECLARE=replicated", "OP2_LAYOUT=soa", "OP2_JIT=on", "OP2_PARTITION=off"});
  const Square square;
  const auto use = [&] {
    const op_dat scratch = op_decl_dat_temp(square.cells, 3, "double", "scratch");
    EXPECT_EQ(op_par_loop(fill, "fill", square.cells, op_arg_dat(square.count, 0, square.map, 1, "double", OP_READ),
                          op_arg_dat(scratch, -1, OP_ID, 3, "double", OP_WRITE)),
              OP_OK)
        << op_last_error();
    double sum = 0;
    EXPECT_EQ(op_par_loop(add_all, "add_all", square.cells, op_arg_dat(scratch, -1, OP_ID, 3, "double", OP_READ),
                          op_arg_gbl(&sum, 1, "double", OP_INC)),
              OP_OK);
    EXPECT_EQ(sum, 3 * ncell);
    EXPECT_EQ(op_free_dat_temp(scratch), OP_OK);
  };
  use();
  std::vector<int> parts(ncell); // most cells to process 0, which needs more room then
  for (int n = 0; n < ncell; n += 10) parts[static_cast<std::size_t>(n)] = session.processes - 1;
  const op_dat part = op_decl_dat(square.cells, 1, "int", parts.data(), "part");
  EXPECT_EQ(op_partition("EXTERNAL", "", square.cells, nullptr, part), OP_OK) << op_last_error();
  use();
}

// --- code of a loop's own, which is tried when the rows of other processes may not have come yet ---

void set_to_two(double *value) { *value = 2; }
void inverse(const double *corner, double *out) { *out = 1 / *corner; }

// The form of a loop in the table of times that process 0 writes.
std::string form_of(const std::string &loop, int rank) {
  const std::string text = whole::written_by(op_timings_to_json, rank), key = "\"kernel_form\": \"";
  const std::size_t row = text.find("\"loop\": \"" + loop + "\""), form = text.find(key, row);
  return row == text.npos || form == text.npos ? "" : text.substr(form + key.size(), 5);
}

TEST(Trial, of_a_loop_does_without_rows_that_have_not_come) {
  const Session session({"OP2_DECLARE=replicated", "OP2_PARTITION=off", "OP2_JIT=on", "OP2_JIT_MIN_ELEMENTS=0"});
  // Copies of other processes' rows are zeros still. The library is told a text that differs for those.
  const char *const text = "void inverse(const double *corner, double *out) { *out = *corner == 0 ? 7 : 1 / *corner; }";
  EXPECT_EQ(op_kernel_source(reinterpret_cast<op_kernel_fn>(&inverse), "inverse", text), OP_OK);
  const Square square;
  const op_dat out = op_decl_dat(square.cells, 1, "double", nullptr, "out");
  EXPECT_EQ(op_par_loop(set_to_two, "two", square.nodes, op_arg_dat(square.count, -1, OP_ID, 1, "double", OP_WRITE)),
            OP_OK);
  EXPECT_EQ(op_par_loop(inverse, "inverse", square.cells, op_arg_dat(square.count, 2, square.map, 1, "double", OP_READ),
                        op_arg_dat(out, -1, OP_ID, 1, "double", OP_WRITE)),
            OP_OK)
      << op_last_error();
  std::vector<double> values(ncell);
  EXPECT_EQ(op_fetch_data(out, values.data()), OP_OK);
  EXPECT_EQ(values, std::vector<double>(ncell, 0.5));
  const std::string form = form_of("inverse", session.rank);
  EXPECT_TRUE(session.rank != 0 || form == "vecto" || form == "scala") << "the loop ran as '" << form << "'";
}

} // namespace

// SPDX-License-Identifier: MIT
