// heads_test.cpp: a C program that reads `set->size`, `map->map` and `dat->data` sees what was declared and what loops
// did.
#include "heads_reader.h"

#include <cstdint>

#include "support.hpp"

namespace {

class Heads : public unit::LibraryTest {
 protected:
  void declare(const char *backend = "seq") {
    ASSERT_EQ(OP_OK, init(backend)) << op_last_error();
    edges = op_decl_set(3, "edges");
    nodes = op_decl_set(4, "nodes");
    const int table[] = {0, 1, 1, 2, 2, 3};
    edge_nodes = op_decl_map(edges, nodes, 2, table, "edge_nodes");
    const double values[] = {0, 1, 10, 11, 20, 21, 30, 31};
    x = op_decl_dat(nodes, 2, "real(8)", values, "x");
    ASSERT_NE(nullptr, x) << op_last_error();
  }
  void add_one() {
    EXPECT_OK(
        unit::run([](double *row) { row[0] += 1; }, "add", nodes, {op_arg_dat(x, -1, OP_ID, 2, "double", OP_RW)}));
  }
  op_set edges = nullptr, nodes = nullptr;
  op_map edge_nodes = nullptr;
  op_dat x = nullptr;
};

TEST_F(Heads, ShowWhatWasDeclared) {
  declare();
  EXPECT_EQ(3, heads_count(edges));
  EXPECT_EQ(4, heads_count(nodes));
  EXPECT_TRUE(heads_whole_core(edges));
  EXPECT_TRUE(heads_named(edges, edge_nodes, x, "edges", "edge_nodes", "x"));
  EXPECT_TRUE(heads_linked(edges, edge_nodes, nodes, x));
  EXPECT_TRUE(heads_in_order(edges, nodes));
  for (int e = 0; e < 3; ++e)
    for (int c = 0; c < 2; ++c) EXPECT_EQ(e + c, heads_target(edge_nodes, e, c));
  for (int n = 0; n < 4; ++n)
    for (int c = 0; c < 2; ++c) EXPECT_EQ(10 * n + c, heads_value(x, n, c));
  EXPECT_EQ(16, heads_row_bytes(x));
  EXPECT_STREQ("double", heads_type(x));
  EXPECT_EQ(0, heads_host_and_device(x));
}

TEST_F(Heads, OlderNamesOfFunctionsWork) {
  declare();
  double value = 1;
  EXPECT_TRUE(heads_older_names(x, &value)) << op_last_error();
}

TEST_F(Heads, ShowWhatLoopsDid) {
  declare();
  add_one();
  for (int n = 0; n < 4; ++n) EXPECT_EQ(10 * n + 1, heads_value(x, n, 0));
}

TEST_F(Heads, LoopsSeeWhatTheProgramChanged) {
  declare();
  heads_change(x, 2, 0, 500);
  add_one();
  EXPECT_EQ(501, unit::fetched<double>(x)[4]);
}

TEST_F(Heads, ShowMapsFromZeroWhateverTheMeshCountsFrom) {
  const unit::Environment environment{{"OP2_MAPS_BASE_INDEX", "1"}};
  ASSERT_EQ(OP_OK, init("seq"));
  const op_set cells = op_decl_set(2, "cells");
  const int from_one[] = {2, 1};
  const op_map swap = op_decl_map(cells, cells, 1, from_one, "swap");
  ASSERT_NE(nullptr, swap) << op_last_error();
  EXPECT_EQ(1, heads_target(swap, 0, 0));
  EXPECT_EQ(0, heads_target(swap, 1, 0));
}

TEST_F(Heads, RowsAreAlignedForVectors) {
  declare();
  const op_dat odd = op_decl_dat(nodes, 3, "float", nullptr, "odd");
  for (const op_dat dat : {x, odd}) {
    const void *rows = op_dat_acquire(dat, OP_READ);
    EXPECT_EQ(0u, reinterpret_cast<std::uintptr_t>(rows) % 64);
    EXPECT_OK(op_dat_release(dat));
  }
}

// With memory far away the fields say who is newer: 0 both, 1 the host, 2 the executor.
TEST_F(Heads, SayWhichCopyIsNewer) {
  const unit::Environment environment{{"OP2_PLUGIN_PATH", unit::plugins("faraway")}};
  declare("faraway");
  EXPECT_EQ(1, heads_host_and_device(x));
  add_one();
  EXPECT_EQ(2, heads_host_and_device(x));
  unit::fetched<double>(x);
  EXPECT_EQ(0, heads_host_and_device(x));
  EXPECT_EQ(31, heads_value(x, 3, 0));
}

} // namespace

// SPDX-License-Identifier: MIT
