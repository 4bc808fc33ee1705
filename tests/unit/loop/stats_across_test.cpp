// stats_across_test.cpp: the tables of two processes as one: times of the slowest, sums of what was counted.
#include "loop/stats/stats_across.hpp"

#include <gtest/gtest.h>

#include "ranks.hpp"

namespace op2::core {
namespace {

using unit::run_ranks;

// Each process is the slowest in something.
StatsTable table_of(bool first) {
  StatsTable own;
  LoopStats &loop = own.of("res", "edges");
  loop.calls = 9;
  loop.seconds = first ? 2 : 0.5;
  loop.plan_seconds = first ? 0.25 : 1;
  loop.wait_seconds = first ? 0.125 : 4;
  loop.elements = first ? 10 : 20;
  loop.bytes = first ? 100 : 300;
  loop.exchanges = 5, loop.avoided = 4;
  loop.messages = first ? 1 : 3;
  loop.sent_bytes = first ? 1000 : 500;
  loop.traffic_of("q") = {"q", 3, 6, 2, first ? 700.0 : 400.0, first ? 80.0 : 7.0};
  loop.traffic_of("x") = {"x", 2, 7, 0, first ? 300.0 : 100.0, 0};
  own.of("update", "cells").seconds = first ? 3 : 8;
  return own;
}

TEST(StatsOfAll, are_times_of_the_slowest_and_sums_of_counts) {
  run_ranks(2, [](Communicator &ranks) {
    const StatsTable all = stats_of_all(table_of(ranks.rank() == 0), ranks);
    ASSERT_EQ(all.all().size(), 2u);
    const LoopStats &loop = all.all()[0];
    EXPECT_EQ(loop.seconds, 2);
    EXPECT_EQ(loop.plan_seconds, 1);
    EXPECT_EQ(loop.wait_seconds, 4);
    EXPECT_EQ(loop.elements, 30);
    EXPECT_EQ(loop.bytes, 400);
    EXPECT_EQ(loop.messages, 4);
    EXPECT_EQ(loop.sent_bytes, 1500);
    ASSERT_EQ(loop.traffic.size(), 2u);
    EXPECT_EQ(loop.traffic[0].bytes, 1100);
    EXPECT_EQ(loop.traffic[0].saved_bytes, 87);
    EXPECT_EQ(loop.traffic[1].bytes, 400);
    EXPECT_EQ(all.all()[1].seconds, 8);
    // Of runs, which all processes make together.
    EXPECT_EQ(loop.calls, 9);
    EXPECT_EQ(loop.exchanges, 5);
    EXPECT_EQ(loop.avoided, 4);
    EXPECT_EQ(loop.traffic[0].partial, 2);
  });
}

TEST(StatsOfAll, are_the_own_ones_where_loops_differ) {
  run_ranks(2, [](Communicator &ranks) {
    const bool first = ranks.rank() == 0;
    StatsTable own = table_of(first);
    if (first) own.of("more", "cells");
    const StatsTable all = stats_of_all(own, ranks);
    EXPECT_EQ(all.all()[0].seconds, first ? 2 : 0.5);
    EXPECT_EQ(all.all()[0].messages, first ? 1 : 3);
  });
}

// One line for each way, with the loops whose messages take it; a way of this process alone says so.
TEST(PathOfMessages, is_told_once_for_all_loops_that_share_it) {
  const std::string by_ipc = "from device to device by ipc", by_host = "through memory of the host, by shm: why";
  run_ranks(2, [&](Communicator &ranks) {
    StatsTable own;
    for (const char *name : {"res", "adt", "bres"}) own.of(name, "edges").exchanges = 1;
    for (int run = 0; run < 2; ++run) {
      own.of("res", "edges").add_path(by_ipc);
      own.of("adt", "edges").add_path(by_ipc);
      own.of("bres", "edges").add_path(ranks.rank() == 0 ? by_host : by_ipc);
    }
    const std::string text = traffic_text(stats_of_all(own, ranks), 2);
    EXPECT_NE(text.find("\n  messages of res, adt " + by_ipc + "\n"), std::string::npos) << text;
    const std::string here = ranks.rank() == 0 ? by_host : by_ipc;
    EXPECT_NE(text.find("\n  messages of bres " + here + " (on this process; others have another way)\n"),
              std::string::npos)
        << text;
    own.of("res", "edges").add_path(by_host);
    EXPECT_EQ(own.of("res", "edges").path, by_ipc + " | " + by_host);
    own.reset();
    EXPECT_EQ(traffic_text(own, 2), "");
  });
}

TEST(DivisionOfAll, is_of_the_slowest_the_largest_and_the_sum) {
  run_ranks(2, [](Communicator &ranks) {
    const DivisionStats own =
        ranks.rank() == 0 ? DivisionStats{0.5, 0.25, 0.125, 4e6, 8e6} : DivisionStats{0.25, 1.5, 2, 6e6, 9e6};
    double most = 0;
    const DivisionStats all = division_of_all(own, ranks, most);
    EXPECT_EQ(all.partition_seconds, 0.5);
    EXPECT_EQ(all.move_seconds, 1.5);
    EXPECT_EQ(all.halo_seconds, 2);
    EXPECT_EQ(all.halo_bytes, 10e6);
    EXPECT_EQ(all.halo_bytes_at_most, 17e6);
    EXPECT_EQ(most, 6e6);
    EXPECT_EQ(division_text(all, most, 2),
              "  divided between 2 processes: partition 0.5000 s, rows moved in 1.5000 s, halos made in 2.0000 s\n"
              "  halos take 10.000 MB, on one process up to 6.000 MB; 17.000 MB were expected at most\n\n");
  });
}

TEST(TracingOfAll, is_of_the_slowest_and_the_sum) {
  run_ranks(2, [](Communicator &ranks) {
    const TracingStats own = ranks.rank() == 0 ? TracingStats{2, 30, 400, 5, 1, 7, 1e6, 0.5, 1.5, 1.25, 0.125, 4, 9e5}
                                               : TracingStats{2, 10, 100, 4, 0, 6, 2e6, 0.75, 1.25, 0.5, 0.5, 5, 1.5e6};
    const TracingOfAll all = tracing_of_all(own, ranks);
    EXPECT_EQ(tracing_text(all, 2),
              "  streamlines: 2 calls, 40 lines, 500 steps, 1.5000 s; mesh divided in 0.7500 s\n"
              "  by 2 processes: 1.7500 s of work, 0.6250 s of waiting, imbalance 1.60 of steps, 1.43 of seconds\n"
              "  9 particles handed over, 1 came back; messages: 9 of particles, 2.400 MB, 4 others, 0.600 MB\n\n");
    EXPECT_EQ(tracing_text(all, 1),
              "  streamlines: 2 calls, 40 lines, 500 steps, 1.5000 s; mesh divided in 0.7500 s\n\n");
    EXPECT_EQ(tracing_text({}, 2), "");
  });
}

// How the executor runs the loops that it gets together, below the table; chains that have not run in layers are not
// shown.
TEST(StatsOfAll, say_how_executors_run_chains) {
  StatsTable own;
  own.chain_of("idle", 4).form = "on executor cuda: one graph of 4 launches";
  EXPECT_EQ(chains_text(own.chains(), 2), "");
  ChainStats &step = own.chain_of("step", 9);
  step.runs = 3;
  EXPECT_EQ(chains_text(own.chains(), 2).find(": "), std::string::npos);
  step.form = "on executor cuda: one graph of 13 launches";
  EXPECT_NE(chains_text(own.chains(), 2).find("\n  step: on executor cuda: one graph of 13 launches\n"),
            std::string::npos);
  EXPECT_EQ(chains_text(own.chains(), 2).find("idle"), std::string::npos);
  own.reset(); // the next runs are the same chain's
  EXPECT_EQ(own.chains()[1].form, "on executor cuda: one graph of 13 launches");
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
