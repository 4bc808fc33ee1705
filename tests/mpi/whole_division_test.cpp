// whole_division_test.cpp: what halos take, counted by hand for two processes on a small mesh, and the times that
// dividing it has taken.
#include <gtest/gtest.h>
#include <op2/partition.h>
#include <op2/op2.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "json.hpp"
#include "whole_mesh.hpp"
#include "whole_session.hpp"
#include "whole_tables.hpp"

namespace {

using whole::Facts;
using whole::from_csv;
using whole::from_json;
using whole::from_table;
using whole::Mesh;
using whole::not_two;
using whole::printed_table;
using whole::Session;
using whole::settings;
using whole::written_by;

// Bytes of the halos, everywhere: of process 0, of process 1, and what each of them expected at most.
void expect_memory(int rank, double first, double second, double first_most, double second_most) {
  const std::string table = printed_table(rank), csv = written_by(op_timings_to_csv, rank),
                    json = written_by(op_timings_to_json, rank);
  if (rank != 0) return;
  for (const Facts &facts : {from_csv(csv), from_json(json)}) {
    EXPECT_EQ(facts.halo_bytes, first + second);
    EXPECT_EQ(facts.halo_bytes_at_most, first_most + second_most);
    EXPECT_GT(facts.halo_seconds, 0);
    EXPECT_EQ(facts.partition_seconds, 0); // nobody had to be asked
    EXPECT_EQ(facts.move_seconds, 0);      // and nothing moves
  }
  const Facts read = from_table(table);
  EXPECT_NEAR(read.halo_bytes, first + second, 500) << table;
  EXPECT_NEAR(read.halo_bytes_of_one, std::max(first, second), 500) << table;
  EXPECT_NEAR(read.halo_bytes_at_most, first_most + second_most, 500) << table;
  const unit::Json processes = unit::parse_json(json);
  EXPECT_EQ(processes.items[0]["division"]["halo_bytes"].value, first);
  EXPECT_EQ(processes.items[1]["division"]["halo_bytes_at_most"].value, second_most);
}

// Bytes of each process: 8 for the number of each copy, rows of all dats, rows of maps of elements that it runs for
// others.
constexpr double node = 8 + 1000 + 8 + 8, cell = 8 + 1000 + 8, side = 8 + 8, corners = 16, ends = 12;

TEST(HaloMemory, is_as_counted_by_hand) {
  const Session session(settings());
  if (session.processes != 2) GTEST_SKIP() << not_two;
  const Mesh mesh(session.rank);
  mesh.average();
  // Process 0: cell 5 and 4 nodes. Process 1: cells 3 and 4, 4 nodes and a side. At most: every corner of a cell that
  // is run for the other process might be one more node; there are 8 others.
  const double first = cell + corners, second = 2 * (cell + corners) + side + ends;
  expect_memory(session.rank, first + 4 * node, second + 4 * node, first + 8 * node, second + 8 * node);
}

// Any mesh: halos are never larger than was expected, and dividing takes time until it is forgotten.
TEST(HaloMemory, is_within_what_was_expected_and_times_are_taken) {
  const Session session({"OP2_DECLARE=local", "OP2_PARTITION=random", "OP2_JIT=off"});
  if (session.processes != 2) GTEST_SKIP() << not_two;
  const Mesh mesh(session.rank);
  mesh.average();
  const std::string table = printed_table(session.rank), before = written_by(op_timings_to_json, session.rank);
  EXPECT_EQ(op_timing_reset(), OP_OK);
  const std::string after = written_by(op_timings_to_json, session.rank);
  if (session.rank != 0) return;
  const Facts facts = from_json(before), read = from_table(table);
  for (const unit::Json &process : unit::parse_json(before).items) {
    const auto value = [&](const char *field) { return process["division"][field].value; };
    for (const char *step : {"partition_seconds", "move_seconds", "halo_seconds"}) EXPECT_GT(value(step), 0) << step;
    EXPECT_LT(value("partition_seconds") + value("move_seconds") + value("halo_seconds"),
              process["wall_seconds"].value);
  }
  EXPECT_NEAR(read.partition_seconds, facts.partition_seconds, 6e-5) << table;
  EXPECT_NEAR(read.move_seconds, facts.move_seconds, 6e-5) << table;
  EXPECT_NEAR(read.halo_seconds, facts.halo_seconds, 6e-5) << table;
  EXPECT_GT(facts.halo_bytes, 0);
  EXPECT_LE(facts.halo_bytes, facts.halo_bytes_at_most);
  EXPECT_EQ(from_json(after).halo_seconds, 0);
  EXPECT_EQ(from_json(after).move_seconds, 0);
  EXPECT_EQ(from_json(after).halo_bytes, facts.halo_bytes);
}

// All rows return to where they were declared before parts are asked for: moving has taken time, and finding parts
// none.
TEST(DivisionTimes, of_refused_parts_are_of_rows_that_return) {
  const Session session(settings());
  if (session.processes != 2) GTEST_SKIP() << not_two;
  const Mesh mesh(session.rank);
  EXPECT_EQ(op_partition("RANDOM", "", mesh.nodes, nullptr, nullptr), OP_OK) << op_last_error();
  const std::vector<int> nowhere(8, 7);
  const op_dat part = op_decl_dat(mesh.nodes, 1, "int", nowhere.data(), "part");
  EXPECT_EQ(op_timing_reset(), OP_OK);
  EXPECT_EQ(op_partition("EXTERNAL", "", mesh.nodes, nullptr, part), OP_ERR_RANGE) << op_last_error();
  mesh.set(1);
  mesh.average();
  mesh.expect_mean(1);
  const std::string json = written_by(op_timings_to_json, session.rank);
  if (session.rank != 0) return;
  EXPECT_EQ(from_json(json).partition_seconds, 0) << json;
  EXPECT_GT(from_json(json).move_seconds, 0) << json;
}

} // namespace

// SPDX-License-Identifier: MIT
