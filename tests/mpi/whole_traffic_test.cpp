// whole_traffic_test.cpp: what two processes exchange, counted by hand on a small mesh: the same in the table that
// people read, in CSV and in JSON; and that loops see the rows that were exchanged.
#include <gtest/gtest.h>
#include <op2/partition.h>
#include <op2/op2.hpp>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "json.hpp"
#include "whole_mesh.hpp"
#include "whole_session.hpp"
#include "whole_tables.hpp"

namespace {

using whole::Counts;
using whole::from_csv;
using whole::from_json;
using whole::from_table;
using whole::Mesh;
using whole::not_two;
using whole::printed_table;
using whole::Session;
using whole::settings;
using whole::written_by;

// Loops that look at no copy are in none of the counts.
Counts without(Counts counts, const std::string &loop) {
  counts.erase(loop);
  return counts;
}

void expect_everywhere(int rank, const Counts &wanted) {
  const std::string table = printed_table(rank), csv = written_by(op_timings_to_csv, rank),
                    json = written_by(op_timings_to_json, rank);
  if (rank != 0) return;
  EXPECT_EQ(from_table(table).counts, wanted) << table;
  EXPECT_EQ(without(from_csv(csv).counts, "set"), wanted) << csv;
  EXPECT_EQ(without(from_json(json).counts, "set"), wanted) << json;
}

// On executors that have rows where the host has them, in another layout, and where the host cannot reach them.
class Traffic : public testing::TestWithParam<const char *> {
 protected:
  static std::string executor() { return GetParam() == std::string("faraway") ? "faraway" : "seq"; }
  static std::vector<std::string> with(std::vector<std::string> more = {}) {
    if (executor() == "faraway") more.push_back("OP2_PLUGIN_PATH=" OP2_TEST_PLUGIN_FARAWAY);
    if (GetParam() == std::string("soa")) more.push_back("OP2_LAYOUT=soa");
    return settings(more);
  }
};
INSTANTIATE_TEST_SUITE_P(On, Traffic, testing::Values("seq", "soa", "faraway"),
                         [](const auto &info) { return std::string(info.param); });

TEST_P(Traffic, is_as_counted_by_hand) {
  const Session session(with(), executor());
  if (session.processes != 2) GTEST_SKIP() << not_two;
  const Mesh mesh(session.rank);
  mesh.set(1);
  for (int i = 0; i < 3; ++i) { // the first one exchanges 4 rows each way
    mesh.average();
    mesh.expect_mean(1);
  }
  mesh.set(2);
  for (int i = 0; i < 2; ++i) { // one row each way instead of four; then it is there
    mesh.along();
    mesh.expect_along(2);
  }
  mesh.average(); // the rest is not
  mesh.expect_mean(2);
  mesh.along();
  mesh.expect_along(2);
  mesh.set(3);
  for (int i = 0; i < 2; ++i) { // by two maps: all
    mesh.across();
    mesh.expect_across(3);
  }
  for (int i = 1; i <= 2; ++i) { // two cells one way and one the other
    mesh.add();
    mesh.expect_sum(i);
  }
  const Counts wanted = {{"average", {2, 2, 0, 4, 16000, 0}}, {"average/q", {2, 2, 0, 0, 16000, 0}},
                         {"along", {1, 2, 1, 2, 2000, 6000}}, {"along/q", {1, 2, 1, 0, 2000, 6000}},
                         {"across", {1, 1, 0, 2, 8000, 0}},   {"across/q", {1, 1, 0, 0, 8000, 0}},
                         {"add", {1, 1, 0, 2, 3000, 0}},      {"add/flux", {1, 1, 0, 0, 3000, 0}}};
  expect_everywhere(session.rank, wanted);
  EXPECT_EQ(op_timing_reset(), OP_OK);
  mesh.average();
  mesh.expect_mean(3);
  expect_everywhere(session.rank, {{"average", {0, 1, 0, 0, 0, 0}}, {"average/q", {0, 1, 0, 0, 0, 0}}});
}

// Exchanges of what few entries reach bring the copies of the division that holds.
TEST_P(Traffic, brings_what_is_wanted_after_another_division) {
  const Session session(with(), executor());
  if (session.processes != 2) GTEST_SKIP() << not_two;
  const Mesh mesh(session.rank);
  double value = 1;
  for (const char *division : {"", "RANDOM", "BLOCK"}) {
    if (*division) {
      EXPECT_EQ(op_partition(division, "", mesh.nodes, nullptr, nullptr), OP_OK) << op_last_error();
    }
    mesh.set(++value);
    mesh.along();
    mesh.expect_along(value);
    mesh.average();
    mesh.expect_mean(value);
  }
  const std::string json = written_by(op_timings_to_json, session.rank);
  if (session.rank == 0) {
    EXPECT_GE(from_json(json).counts["along"].partial, 1) << json;
  }
}

TEST(Waiting, is_told_by_the_process_that_waits) {
  const Session session(settings({"OP2_ERROR=abort"})); // else loops begin together, and nobody waits for messages
  if (session.processes != 2) GTEST_SKIP() << not_two;
  const Mesh mesh(session.rank);
  mesh.set(1);
  mesh.average();
  EXPECT_EQ(op_timing_reset(), OP_OK);
  mesh.set(2);
  if (session.rank == 1) std::this_thread::sleep_for(std::chrono::milliseconds(300));
  mesh.average();
  const std::string json = written_by(op_timings_to_json, session.rank);
  if (session.rank != 0) return;
  const unit::Json processes = unit::parse_json(json);
  for (const unit::Json &loop : processes.items[0]["loops"].items)
    if (loop["loop"].text == "average") {
      EXPECT_GE(loop["waited_seconds"].value, 0.04) << json; // a busy machine may wake it up late
      EXPECT_GE(loop["seconds"].value, loop["waited_seconds"].value) << json;
    } else {
      EXPECT_EQ(loop["waited_seconds"].value, 0) << json;
    }
}

} // namespace

// SPDX-License-Identifier: MIT
