// Chains of one process in the timing table, in CSV and in JSON.
#include "csv.hpp"
#include "json.hpp"
#include "loop/stats/stats.hpp"
#include "support.hpp"

namespace op2::core {
namespace {

using unit::contains;
using unit::parse_csv;

// Chains of one process: the table, the row of CSV, JSON.
TEST(StatsTiles, ReadBack) {
  StatsTable table;
  table.of("res", "edges").calls = 9;
  EXPECT_EQ("", tiles_text(table.tiled_chains()));
  TiledChainStats &step = table.tiled_chain("a,\"step\"", 9);
  step.runs = 40, step.in_tiles = 36, step.seconds = 2, step.found_seconds = 0.125, step.bytes = 5e6, step.threads = 3;
  step.tiles = 7, step.pieces = 63, step.schedule_bytes = 8000, step.ways = {{0, 0.25}, {1, 0.5}, {7, 0.125}};
  TiledChainStats &small = table.tiled_chain("small", 2);
  small.runs = 5, small.why = "it fits";
  table.tiled_chain("a,\"step\"", 8); // another one, which has not run
  EXPECT_EQ(&step, &table.tiled_chain("a,\"step\"", 9));

  const std::string text = tiles_text(table.tiled_chains());
  EXPECT_TRUE(contains(text,
                       "  chains\n  chain           loops      runs  in tiles     seconds      us/run        MB   "
                       "tiles   pieces  found ms tables MB\n"))
      << text;
  EXPECT_TRUE(contains(text,
                       "  a,\"step\"            9        40        36      2.0000    50000.00       5.0       7      "
                       " 63   125.000     0.008\n"))
      << text;
  EXPECT_TRUE(contains(text,
                       "  ways of a,\"step\" by time: 250.000 ms loop after loop, 500.000 ms in 1 tile, 125.000 ms "
                       "in 7 tiles\n  no tiles: small: it fits\n\n"))
      << text;

  const auto rows = parse_csv(timing_csv(table, "self+seq", 1, 0));
  ASSERT_EQ(4u, rows.size());
  std::string said; // columns that are not empty
  for (std::size_t row : {2u, 3u}) {
    ASSERT_EQ(rows[0].size(), rows[row].size());
    for (std::size_t i = 3; i < rows[0].size(); ++i)
      if (!rows[row][i].empty() && rows[row][i] != "0") said += rows[0][i] + "=" + rows[row][i] + " ";
  }
  EXPECT_EQ(said,
            "loop=a,\"step\" calls=40 seconds=2.000000000 plan_seconds=0.125000000 bytes=5000000 record=chain "
            "chain_loops=9 in_tiles=36 tiles=7 pieces=63 schedule_bytes=8000 ways=250.000 ms loop after loop, 500.000 "
            "ms in 1 tile, 125.000 ms in 7 tiles loop=small calls=5 seconds=0.000000000 "
            "plan_seconds=0.000000000 "
            "kernel_form=it fits record=chain chain_loops=2 ");

  const unit::Json json = unit::parse_json(timing_json(table, "self+seq", 1, 0, 2.0));
  const std::vector<unit::Json> &chains = json["tiled_chains"].items;
  ASSERT_EQ(3u, chains.size());
  EXPECT_EQ("a,\"step\"", chains[0]["chain"].text);
  std::vector<double> numbers;
  for (const char *name : {"loops", "runs", "in_tiles", "seconds", "found_seconds", "bytes", "threads", "tiles",
                           "pieces", "schedule_bytes"})
    numbers.push_back(chains[0][name].value);
  EXPECT_EQ((std::vector<double>{9, 40, 36, 2, 0.125, 5e6, 3, 7, 63, 8000}), numbers);
  const std::vector<unit::Json> &ways = chains[0]["ways"].items;
  ASSERT_EQ(3u, ways.size());
  EXPECT_EQ(7, ways[2]["tiles"].value);
  EXPECT_EQ(0.125, ways[2]["seconds"].value);
  EXPECT_EQ("it fits", chains[1]["no_tiles"].text);
  table.reset();
  EXPECT_EQ("", tiles_text(table.tiled_chains()));
  EXPECT_EQ(7, table.tiled_chain("a,\"step\"", 9).tiles); // what it is
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
