// whole_traffic_test.cpp: what two processes exchange, and what their halos take, counted by hand on a small mesh: the
// same in the table that people read, in CSV and in JSON.
#include <gtest/gtest.h>
#include <op2/op2.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "json.hpp"
#include "whole_session.hpp"

namespace {

using whole::Session;
using whole::written_by;

//   12--13--14--15     Process 0 has nodes 0 to 7 and cells 0 to 4, process 1 the others. Cells 3 and 4 have nodes of
//    | 6 | 7 | 8 |     process 1, cell 5 has nodes of process 0: both run these three. Three sides at the right are a
//    8---9--10--11     boundary: 3-7, 7-11 and 11-15. The first two are process 0's, both run the second.
//    | 3 | 4 | 5 |
//    4---5---6---7     Copies: process 0 has cell 5 and nodes 8 to 11, process 1 cells 3 and 4, nodes 4 to 7 and the
//    | 0 | 1 | 2 |     second side. Entries of cells to copies of nodes: 12 for 8 copies; of sides: 2 for 8, a quarter.
//    0---1---2---3
constexpr int wide = 125; // values of 1000 bytes, so that counts stand in the table of megabytes

struct Mesh {
  explicit Mesh(int rank) {
    const bool first = rank == 0;
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
    q = op_decl_dat(nodes, wide, "double", static_cast<double *>(nullptr), "q");
    sum = op_decl_dat(nodes, 1, "double", static_cast<double *>(nullptr), "sum");
    flux = op_decl_dat(cells, wide, "double", static_cast<double *>(nullptr), "flux");
    mean = op_decl_dat(cells, 1, "double", static_cast<double *>(nullptr), "mean");
    jump = op_decl_dat(sides, 1, "double", static_cast<double *>(nullptr), "jump");
  }
  op_set nodes, cells, sides;
  op_map corner, end, inside;
  op_dat q, sum, flux, mean, jump;

  void set(double value) const {
    EXPECT_EQ(op_par_loop([](const double *v, double *row) { std::fill(row, row + wide, *v); }, "set", nodes,
                          op_arg_gbl(&value, 1, "double", OP_READ), op_arg_dat(q, -1, OP_ID, wide, "double", OP_WRITE)),
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
        op_par_loop([](const double *a, const double *b, double *out) { *out = *b - *a + 1; }, "along", sides,
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
    EXPECT_EQ(op_par_loop([](const double *f, double *s) { *s += *f + 1; }, "add", cells,
                          op_arg_dat(flux, -1, OP_ID, wide, "double", OP_READ),
                          op_arg_dat(sum, 1, corner, 1, "double", OP_INC)),
              OP_OK)
        << op_last_error();
  }
};

// Runs of one loop, and one dat of it; bytes of both processes.
struct Count {
  double exchanges = 0, avoided = 0, partial = 0, messages = 0, sent = 0, saved = 0;
  friend bool operator==(const Count &, const Count &) = default;
  friend std::ostream &operator<<(std::ostream &out, const Count &c) {
    return out << c.exchanges << " exchanges, " << c.avoided << " avoided, " << c.partial << " partial, " << c.messages
               << " messages, " << c.sent << " bytes, " << c.saved << " saved";
  }
};
using Counts = std::map<std::string, Count>; // "average", "average/q"
struct Facts {
  Counts counts;
  double halo_bytes = 0, halo_bytes_at_most = 0;
  double partition_seconds = 0, halo_seconds = 0; // of the slowest
};

Facts from_json(const std::string &text) {
  Facts out;
  for (const unit::Json &process : unit::parse_json(text).items) {
    const auto add = [&](const std::string &name, const unit::Json &row, double messages) {
      const auto value = [&](const char *field) { return row[field].value; };
      Count &count = out.counts[name]; // all processes run the same loops: of runs, not a sum
      count = {value("exchanges"),
               value("avoided"),
               value("partial"),
               count.messages + messages,
               count.sent + value("sent_bytes"),
               count.saved + value("saved_bytes")};
    };
    for (const unit::Json &loop : process["loops"].items) {
      const std::string name = loop["loop"].text;
      add(name, loop, loop["messages"].value);
      for (const unit::Json &dat : loop["dats"].items) add(name + "/" + dat["dat"].text, dat, 0);
    }
    const unit::Json &division = process["division"];
    out.halo_bytes += division["halo_bytes"].value;
    out.halo_bytes_at_most += division["halo_bytes_at_most"].value;
    out.halo_seconds = std::max(out.halo_seconds, division["halo_seconds"].value);
    out.partition_seconds = std::max(out.partition_seconds, division["partition_seconds"].value);
  }
  return out;
}

// Names here have no commas.
std::vector<std::map<std::string, std::string>> rows_of_csv(const std::string &text) {
  std::vector<std::string> heading;
  std::vector<std::map<std::string, std::string>> rows;
  std::istringstream lines(text);
  for (std::string line, field; std::getline(lines, line);) {
    std::vector<std::string> fields;
    for (std::istringstream in(line + ","); std::getline(in, field, ',');) fields.push_back(field);
    if (heading.empty()) {
      heading = fields;
      continue;
    }
    EXPECT_EQ(fields.size(), heading.size()) << line;
    rows.emplace_back();
    for (std::size_t i = 0; i < std::min(fields.size(), heading.size()); ++i) rows.back()[heading[i]] = fields[i];
  }
  return rows;
}

Facts from_csv(const std::string &text) {
  Facts out;
  for (auto &row : rows_of_csv(text)) {
    const auto value = [&](const char *column) { return row[column].empty() ? 0 : std::stod(row[column]); };
    if (row["record"] == "division") {
      out.halo_bytes += value("halo_bytes");
      out.halo_bytes_at_most += value("halo_bytes_at_most");
      out.halo_seconds = std::max(out.halo_seconds, value("halo_seconds"));
      out.partition_seconds = std::max(out.partition_seconds, value("partition_seconds"));
      continue;
    }
    Count &count = out.counts[row["loop"] + (row["record"] == "dat" ? "/" + row["dat"] : "")];
    count = {value("exchanges"),
             value("avoided"),
             value("partial"),
             count.messages + value("messages"),
             count.sent + value("sent_bytes"),
             count.saved + value("saved_bytes")};
  }
  return out;
}

double bytes(double megabytes) { return std::round(megabytes * 1e6); }

// From what op_timing_output() prints.
Facts from_table(const std::string &text) {
  Facts out;
  std::istringstream lines(text.substr(std::min(text.size(), text.find("  exchanged between 2 processes\n"))));
  std::string line, loop, name;
  std::getline(lines, line);
  std::getline(lines, line);
  while (std::getline(lines, line) && !line.empty()) {
    const bool dat = line.starts_with("    ");
    std::istringstream in(line);
    Count count;
    in >> name >> count.exchanges >> count.avoided >> count.partial;
    if (!dat) in >> count.messages;
    in >> count.sent >> count.saved;
    EXPECT_TRUE(in) << line;
    count.sent = bytes(count.sent), count.saved = bytes(count.saved);
    if (!dat) loop = name;
    out.counts[dat ? loop + "/" + name : name] = count;
  }
  const std::size_t division = text.find("  divided between 2 processes: ");
  EXPECT_NE(division, text.npos) << text;
  double most = 0, moved = 0;
  EXPECT_EQ(
      std::sscanf(text.c_str() + std::min(division, text.size()),
                  "  divided between 2 processes: partition %lf s, rows moved in %lf s, halos made in %lf s\n"
                  "  halos take %lf MB, on one process up to %lf MB; %lf MB were expected at most\n",
                  &out.partition_seconds, &moved, &out.halo_seconds, &out.halo_bytes, &most, &out.halo_bytes_at_most),
      6)
      << text;
  EXPECT_LE(most, out.halo_bytes);
  EXPECT_GE(2 * most, out.halo_bytes);
  return out;
}

std::string printed_table(int rank) {
  std::fflush(stdout);
  if (rank == 0) testing::internal::CaptureStdout();
  EXPECT_EQ(op_timing_output(), OP_OK) << op_last_error();
  std::fflush(stdout);
  return rank == 0 ? testing::internal::GetCapturedStdout() : "";
}

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

std::vector<std::string> settings(std::vector<std::string> more = {}) {
  more.insert(more.end(), {"OP2_DECLARE=local", "OP2_PARTITION=off", "OP2_RENUMBER=off", "OP2_JIT=off"});
  return more;
}

constexpr const char *not_two = "counted by hand for two processes";

TEST(Traffic, is_as_counted_by_hand) {
  const Session session(settings());
  if (session.processes != 2) GTEST_SKIP() << not_two;
  const Mesh mesh(session.rank);
  mesh.set(1);
  for (int i = 0; i < 3; ++i) mesh.average(); // the first one exchanges 4 rows each way
  mesh.set(2);
  mesh.along();   // one row each way instead of four
  mesh.along();   // which is there
  mesh.average(); // the rest is not
  mesh.along();
  mesh.set(3);
  mesh.across(); // by two maps: all
  mesh.across();
  mesh.add(); // two cells one way and one the other
  mesh.add();
  const Counts wanted = {{"average", {2, 2, 0, 4, 16000, 0}}, {"average/q", {2, 2, 0, 0, 16000, 0}},
                         {"along", {1, 2, 1, 2, 2000, 6000}}, {"along/q", {1, 2, 1, 0, 2000, 6000}},
                         {"across", {1, 1, 0, 2, 8000, 0}},   {"across/q", {1, 1, 0, 0, 8000, 0}},
                         {"add", {1, 1, 0, 2, 3000, 0}},      {"add/flux", {1, 1, 0, 0, 3000, 0}}};
  expect_everywhere(session.rank, wanted);
  EXPECT_EQ(op_timing_reset(), OP_OK);
  mesh.average();
  expect_everywhere(session.rank, {{"average", {0, 1, 0, 0, 0, 0}}, {"average/q", {0, 1, 0, 0, 0, 0}}});
}

TEST(Traffic, without_partial_exchanges_is_of_all_copies) {
  const Session session(settings({"OP2_PARTIAL_EXCHANGE=25"})); // a quarter is not less than 25 %
  if (session.processes != 2) GTEST_SKIP() << not_two;
  const Mesh mesh(session.rank);
  mesh.set(2);
  mesh.along();
  mesh.along();
  expect_everywhere(session.rank, {{"along", {1, 1, 0, 2, 8000, 0}}, {"along/q", {1, 1, 0, 0, 8000, 0}}});
}

TEST(Traffic, of_eager_exchanges_avoids_nothing) {
  const Session session(settings({"OP2_HALO=eager"}));
  if (session.processes != 2) GTEST_SKIP() << not_two;
  const Mesh mesh(session.rank);
  mesh.set(1);
  for (int i = 0; i < 3; ++i) mesh.average();
  expect_everywhere(session.rank, {{"average", {3, 0, 0, 6, 24000, 0}}, {"average/q", {3, 0, 0, 0, 24000, 0}}});
}

// Bytes of each process: 8 for the number of each copy, rows of all dats, rows of maps of elements that it runs for
// others.
TEST(HaloMemory, is_as_counted_by_hand) {
  const Session session(settings());
  if (session.processes != 2) GTEST_SKIP() << not_two;
  const Mesh mesh(session.rank);
  mesh.average();
  const double row = 1000;
  // Process 0: cell 5 and 4 nodes. Process 1: cells 3 and 4, 4 nodes and a side.
  const double first = 8 * 5 + 4 * row + 4 * 8 + row + 8 + 16,
               second = 8 * 7 + 4 * row + 4 * 8 + 2 * row + 2 * 8 + 8 + 44;
  // At most: every corner of a cell that is run for the other process might be one more node; there are 8 others.
  const double first_most = 8 * 9 + 8 * row + 8 * 8 + row + 8 + 16;
  const double second_most = 8 * 11 + 8 * row + 8 * 8 + 2 * row + 2 * 8 + 8 + 44;
  const std::string table = printed_table(session.rank), csv = written_by(op_timings_to_csv, session.rank),
                    json = written_by(op_timings_to_json, session.rank);
  if (session.rank != 0) return;
  for (const Facts &facts : {from_csv(csv), from_json(json)}) {
    EXPECT_EQ(facts.halo_bytes, first + second);
    EXPECT_EQ(facts.halo_bytes_at_most, first_most + second_most);
    EXPECT_GT(facts.halo_seconds, 0);
    EXPECT_EQ(facts.partition_seconds, 0); // nobody had to be asked
  }
  const Facts read = from_table(table);
  EXPECT_NEAR(read.halo_bytes * 1e6, first + second, 500) << table;
  EXPECT_NEAR(read.halo_bytes_at_most * 1e6, first_most + second_most, 500) << table;
  const unit::Json processes = unit::parse_json(json);
  EXPECT_EQ(processes.items[0]["division"]["halo_bytes"].value, first);
  EXPECT_EQ(processes.items[1]["division"]["halo_bytes_at_most"].value, second_most);
}

// Any mesh: halos are never larger than was expected, and dividing takes time until it is forgotten.
TEST(HaloMemory, is_within_what_was_expected_and_times_are_taken) {
  for (const char *depth : {"OP2_HALO_DEPTH=1", "OP2_HALO_DEPTH=2"}) {
    const Session session({"OP2_DECLARE=local", "OP2_PARTITION=random", "OP2_JIT=off", depth});
    if (session.processes != 2) GTEST_SKIP() << not_two;
    const Mesh mesh(session.rank);
    mesh.average();
    const std::string before = written_by(op_timings_to_json, session.rank);
    EXPECT_EQ(op_timing_reset(), OP_OK);
    const std::string after = written_by(op_timings_to_json, session.rank);
    if (session.rank != 0) continue;
    const Facts facts = from_json(before);
    EXPECT_GT(facts.partition_seconds, 0);
    EXPECT_GT(facts.halo_seconds, 0);
    EXPECT_LT(facts.partition_seconds + facts.halo_seconds, unit::parse_json(before).items[0]["wall_seconds"].value);
    EXPECT_GT(facts.halo_bytes, 0);
    EXPECT_LE(facts.halo_bytes, facts.halo_bytes_at_most);
    EXPECT_EQ(from_json(after).halo_seconds, 0);
    EXPECT_EQ(from_json(after).halo_bytes, facts.halo_bytes);
  }
}

} // namespace
