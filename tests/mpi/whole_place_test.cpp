// whole_place_test.cpp: exchanges whose messages come to the rows themselves, in whole programs: what the log says of
// them, and that kernels see the right rows, by messages and by shared memory, also after rows have moved.
#include <gtest/gtest.h>
#include <op2/hand_loop.h>
#include <op2/heads.h>
#include <op2/order.h>
#include <op2/partition.h>
#include <op2/op2.hpp>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "whole_session.hpp"

namespace {

using whole::Session;

// A ring: edge n joins nodes n and n + 1, each process declares as many. Of nodes there are copies that are read only;
// the middle one of three processes has some from both others. Rows are longer than what MPI sends at once.
constexpr int own = 50, wide = 600;

struct Ring {
  explicit Ring(const Session &session) : first(own * session.rank), all(own * session.processes) {
    std::vector<int> targets;
    for (int n = first; n < first + own; ++n) targets.insert(targets.end(), {n, (n + 1) % all});
    nodes = op_decl_set(own, "nodes");
    edges = op_decl_set(own, "edges");
    ends = op_decl_map(edges, nodes, 2, targets.data(), "ends");
    q = op_decl_dat(nodes, wide, "double", static_cast<double *>(nullptr), "q");
    p = op_decl_dat(nodes, 1, "double", static_cast<double *>(nullptr), "p");
    number = op_decl_dat(nodes, 1, "double", numbers().data(), "number");
    out = op_decl_dat(edges, 1, "double", static_cast<double *>(nullptr), "out");
  }
  std::vector<double> numbers() const { // of the nodes that this process has declared
    std::vector<double> out(own);
    std::iota(out.begin(), out.end(), first);
    return out;
  }

  // dat becomes `times` the number of the node, in all components.
  void fill(op_dat dat, double times) const {
    const auto kernel = [](const double *number, const double *times, const int *dim, double *row) {
      std::fill(row, row + *dim, *number * *times);
    };
    EXPECT_EQ(op_par_loop(kernel, "fill", nodes, op_arg_dat(number, -1, OP_ID, 1, "double", OP_READ),
                          op_arg_gbl(&times, 1, "double", OP_READ), op_arg_gbl(&dat->dim, 1, "int", OP_READ),
                          op_arg_dat(dat, -1, OP_ID, dat->dim, "double", OP_WRITE)),
              OP_OK)
        << op_last_error();
  }
  // Of both ends the last value.
  void gather(op_dat dat) const {
    const auto kernel = [](const double *a, const double *b, const int *dim, double *out) {
      *out = a[*dim - 1] + b[*dim - 1];
    };
    EXPECT_EQ(op_par_loop(kernel, "gather", edges, op_arg_dat(dat, 0, ends, dat->dim, "double", OP_READ),
                          op_arg_dat(dat, 1, ends, dat->dim, "double", OP_READ),
                          op_arg_gbl(&dat->dim, 1, "int", OP_READ), op_arg_dat(out, -1, OP_ID, 1, "double", OP_WRITE)),
              OP_OK)
        << op_last_error();
  }
  void expect_gathered(double times) const {
    std::vector<double> got(own), wanted;
    EXPECT_EQ(op_fetch_data(out, got.data()), OP_OK) << op_last_error();
    for (int n = first; n < first + own; ++n) wanted.push_back(n * times + (n + 1) % all * times);
    EXPECT_EQ(got, wanted);
  }

  int first, all;
  op_set nodes, edges;
  op_map ends;
  op_dat q, p, number, out;
};

std::vector<std::string> settings(const char *shared, const char *log = "warn") {
  return {std::string("OP2_SHARED_MEMORY=") + shared, "OP2_DECLARE=local", "OP2_PARTITION=off", "OP2_RENUMBER=off",
          std::string("OP2_LOG=") + log};
}

// How often the log has a line that begins and ends like this. Process 0 writes it.
int lines_with(const std::string &log, const std::string &begin, const std::string &end) {
  int count = 0;
  for (std::size_t at = log.find(begin); at != log.npos; at = log.find(begin, at + 1)) {
    const std::string line = log.substr(at, log.find('\n', at) - at);
    count += line.ends_with(end);
  }
  return count;
}

class Place : public testing::TestWithParam<const char *> {};
INSTANTIATE_TEST_SUITE_P(SharedMemory, Place, testing::Values("on", "off"),
                         [](const auto &info) { return std::string(info.param); });

TEST_P(Place, is_that_of_the_rows_when_a_loop_reads_one_dat) {
  const Session session(settings(GetParam(), "debug"));
  if (session.processes == 1) GTEST_SKIP() << "one process exchanges nothing";
  const Ring ring(session);
  testing::internal::CaptureStderr();
  for (const double times : {1.0, 3.0, 0.5}) {
    for (const op_dat dat : {ring.q, ring.p}) {
      ring.fill(dat, times);
      ring.gather(dat);
      ring.expect_gathered(times);
    }
  }
  const std::string log = testing::internal::GetCapturedStderr();
  if (session.rank > 0) return;
  EXPECT_EQ(lines_with(log, "exchange of q: ", ", received into the rows"), 1) << log;
  EXPECT_EQ(lines_with(log, "exchange of p: ", ", received into the rows"), 1) << log;
}

void add_up(const double *a, const double *b, double *out) { *out = *a + *b; }
void double_it(double *row) { *row *= 2; }

// Several dats; a dat that the loop changes, which executors may copy or add up as a whole meanwhile.
TEST_P(Place, is_another_one_otherwise) {
  const Session session(settings(GetParam(), "debug"));
  if (session.processes == 1) GTEST_SKIP() << "one process exchanges nothing";
  const Ring ring(session);
  testing::internal::CaptureStderr();
  for (const double times : {1.0, 3.0}) {
    ring.fill(ring.q, times);
    ring.fill(ring.p, times);
    EXPECT_EQ(op_par_loop(add_up, "add_up", ring.edges, op_arg_dat(ring.p, 0, ring.ends, 1, "double", OP_READ),
                          op_arg_dat(ring.q, 1, ring.ends, wide, "double", OP_READ),
                          op_arg_dat(ring.out, -1, OP_ID, 1, "double", OP_WRITE)),
              OP_OK)
        << op_last_error();
    ring.expect_gathered(times);
    ring.fill(ring.p, times);
    EXPECT_EQ(op_par_loop(double_it, "double_it", ring.edges, op_arg_dat(ring.p, 0, ring.ends, 1, "double", OP_RW)),
              OP_OK)
        << op_last_error();
    std::vector<double> got(own), wanted = ring.numbers();
    EXPECT_EQ(op_fetch_data(ring.p, got.data()), OP_OK);
    for (double &value : wanted) value *= 2 * times;
    EXPECT_EQ(got, wanted);
  }
  const std::string log = testing::internal::GetCapturedStderr();
  if (session.rank > 0) return;
  EXPECT_EQ(lines_with(log, "exchange of p, q: ", ", packed by the host"), 1) << log;
  EXPECT_EQ(lines_with(log, "exchange of p: ", ", packed by the host"), 1) << log;
  EXPECT_EQ(lines_with(log, "exchange of ", ", received into the rows"), 0) << log;
}

// Rows get other addresses.
TEST_P(Place, follows_rows_that_move) {
  const Session session(settings(GetParam()));
  if (session.processes == 1) GTEST_SKIP() << "one process exchanges nothing";
  const Ring ring(session);
  const auto use = [&](double times) {
    ring.fill(ring.q, times);
    ring.gather(ring.q);
    ring.expect_gathered(times);
  };
  use(1);
  EXPECT_EQ(op_renumber(ring.ends), OP_OK) << op_last_error();
  use(2);
  EXPECT_EQ(op_partition("RANDOM", "", ring.nodes, nullptr, nullptr), OP_OK) << op_last_error();
  use(3);
  EXPECT_EQ(op_partition("BLOCK", "", ring.nodes, nullptr, nullptr), OP_OK) << op_last_error();
  use(4);
  // While messages are under way, in a mesh without any order.
  EXPECT_EQ(op_partition("RANDOM", "", ring.nodes, nullptr, nullptr), OP_OK) << op_last_error();
  ring.fill(ring.q, 5);
  op_arg args[] = {op_arg_dat(ring.q, 0, ring.ends, wide, "double", OP_READ)};
  EXPECT_GE(op_mpi_halo_exchanges(ring.edges, 1, args), 0) << op_last_error();
  EXPECT_EQ(op_renumber(ring.ends), OP_OK) << op_last_error();
  EXPECT_EQ(op_hand_loop_wait(1, args), OP_OK) << op_last_error();
  ring.gather(ring.q);
  ring.expect_gathered(5);
}

// Their storage is given back, and the next dat may get it: there are 52 nodes here with copies, and 51 edges, of which
// 50 reach over the place of the first copy of a node.
TEST_P(Place, is_not_one_of_a_temporary_dat) {
  const Session session(settings(GetParam()));
  if (session.processes == 1) GTEST_SKIP() << "one process exchanges nothing";
  const Ring ring(session);
  constexpr int longer = wide * (own + 2) / (own + 1);
  std::vector<op_dat> next;
  for (const double times : {1.0, 2.0, 3.0}) {
    const op_dat scratch = op_decl_dat_temp(ring.nodes, wide, "double", "scratch");
    ring.fill(scratch, times);
    ring.gather(scratch);
    ring.expect_gathered(times);
    EXPECT_EQ(op_free_dat_temp(scratch), OP_OK);
    const std::string name = "next" + std::to_string(next.size());
    next.push_back(op_decl_dat(ring.edges, longer, "double", static_cast<double *>(nullptr), name.c_str()));
  }
  for (const op_dat dat : next) {
    std::vector<double> got(own * longer, 1);
    EXPECT_EQ(op_fetch_data(dat, got.data()), OP_OK);
    EXPECT_EQ(got, std::vector<double>(own * longer, 0));
  }
}

} // namespace

// SPDX-License-Identifier: MIT
