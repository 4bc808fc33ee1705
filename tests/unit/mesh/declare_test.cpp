// declare_test.cpp: every mistake a program can make in a declaration: status, message, and nothing left behind.
#include <climits>
#include <cstdint>

#include "op2/compat.h"
#include "op2/reduction.h"
#include "op2/user_types.h"
#include "support.hpp"

namespace {

using unit::contains;

class Declare : public unit::LibraryTest {
 protected:
  void SetUp() override {
    LibraryTest::SetUp();
    ASSERT_EQ(OP_OK, init("seq")) << op_last_error();
    edges = op_decl_set(3, "edges");
    nodes = op_decl_set(4, "nodes");
    edge_nodes = op_decl_map(edges, nodes, 2, table, "edge_nodes");
    length = op_decl_dat(edges, 1, "double", nullptr, "length");
    ASSERT_NE(nullptr, length) << op_last_error();
  }
  // The declaration gave nothing, for this reason, in a message with these words.
  static void refused(const void *handle, op_status status, const std::vector<std::string> &words) {
    EXPECT_EQ(nullptr, handle);
    EXPECT_STREQ(op_status_name(status), op_status_name(op_last_status())) << op_last_error();
    for (const std::string &word : words) EXPECT_TRUE(contains(op_last_error(), word));
    op_clear_error();
  }
  static void refused(op_status got, op_status status, const std::vector<std::string> &words) {
    EXPECT_NE(OP_OK, got);
    refused(nullptr, status, words);
  }

  const int table[6] = {0, 1, 1, 2, 2, 3};
  const double values[4] = {1, 2, 3, 4};
  op_set edges = nullptr, nodes = nullptr;
  op_map edge_nodes = nullptr;
  op_dat length = nullptr;
};

TEST_F(Declare, Sets) {
  refused(op_decl_set(-1, "cells"), OP_ERR_ARGUMENT, {"'cells'", "negative: -1"});
  refused(op_decl_set(INT_MIN, "cells"), OP_ERR_ARGUMENT, {"'cells'"});
  refused(op_decl_set(1, nullptr), OP_ERR_ARGUMENT, {"the name is NULL"});
  EXPECT_EQ(INT_MAX, op_get_size(op_decl_set(INT_MAX, "many"))); // a set costs nothing by itself
  EXPECT_EQ(0, op_get_size(op_decl_set(0, "")));
}

TEST_F(Declare, Maps) {
  refused(op_decl_map(nullptr, nodes, 2, table, "m"), OP_ERR_HANDLE, {"argument 'from' of map 'm' is NULL"});
  refused(op_decl_map(edges, nullptr, 2, table, "m"), OP_ERR_HANDLE, {"argument 'to' of map 'm' is NULL"});
  refused(op_decl_map(reinterpret_cast<op_set>(length), nodes, 2, table, "m"), OP_ERR_HANDLE,
          {"'from'", "a set is needed"});
  refused(op_decl_map(edges, nodes, 2, nullptr, "m"), OP_ERR_ARGUMENT, {"'m'", "NULL"});
  refused(op_decl_map(edges, nodes, 2, table, nullptr), OP_ERR_ARGUMENT, {"name"});
  for (const int dim : {0, -1, INT_MIN}) {
    EXPECT_EQ(nullptr, op_decl_map(edges, nodes, dim, table, "m"));
    EXPECT_TRUE(contains(op_last_error(), "the dim of map 'm' is " + std::to_string(dim)));
  }
}

TEST_F(Declare, MapEntries) {
  for (const int entry : {-1, 4, INT_MAX, INT_MIN}) {
    const int wrong[] = {0, 1, 2, entry, 0, 1};
    refused(op_decl_map(edges, nodes, 2, wrong, "m"), OP_ERR_RANGE,
            {"map 'm', element 1, column 1: entry " + std::to_string(entry), "'nodes'", "(0 to 3)"});
  }
  for (const long long entry : {-1LL, 4LL, 1LL << 32, LLONG_MAX, LLONG_MIN}) {
    const long long wrong[] = {0, 1, 2, 3, entry, 1};
    refused(op_decl_map_long(edges, nodes, 2, wrong, "m"), OP_ERR_RANGE,
            {"map 'm', element 2, column 0: entry " + std::to_string(entry), "(0 to 3)"});
  }
  const int from_one[] = {1, 2, 2, 3, 3, 4};
  refused(op_decl_map(edges, nodes, 2, from_one, "m"), OP_ERR_RANGE, {"OP2_MAPS_BASE_INDEX=1"});
}

TEST_F(Declare, MapEntriesFromOne) {
  ASSERT_EQ(OP_OK, op_exit());
  const unit::Environment environment{{"OP2_MAPS_BASE_INDEX", "1"}};
  ASSERT_EQ(OP_OK, init("seq"));
  const op_set one = op_decl_set(1, "one"), four = op_decl_set(4, "four");
  for (const long long entry : {0LL, 5LL, -1LL, LLONG_MIN, LLONG_MAX})
    refused(op_decl_map_long(one, four, 1, &entry, "m"), OP_ERR_RANGE, {"entry " + std::to_string(entry), "(1 to 4)"});
  for (const int entry : {0, 5, INT_MIN, INT_MAX})
    refused(op_decl_map(one, four, 1, &entry, "m"), OP_ERR_RANGE, {"entry " + std::to_string(entry), "(1 to 4)"});
}

TEST_F(Declare, MapsOfMaps) {
  refused(op_map_compose(edge_nodes, edge_nodes, "m"), OP_ERR_SET,
          {"'edge_nodes' leads to set 'nodes'", "starts from set 'edges'"});
  refused(op_map_compose(nullptr, edge_nodes, "m"), OP_ERR_HANDLE, {"'first'"});
  refused(op_map_compose(edge_nodes, nullptr, "m"), OP_ERR_HANDLE, {"'second'"});
  refused(op_map_compose(edge_nodes, edge_nodes, nullptr), OP_ERR_ARGUMENT, {"name"});
}

TEST_F(Declare, Dats) {
  refused(op_decl_dat(nullptr, 1, "double", values, "d"), OP_ERR_HANDLE, {"argument 'set' of dat 'd' is NULL"});
  refused(op_decl_dat(reinterpret_cast<op_set>(edge_nodes), 1, "double", values, "d"), OP_ERR_HANDLE,
          {"a set is needed"});
  refused(op_decl_dat(nodes, 1, "double", values, nullptr), OP_ERR_ARGUMENT, {"name"});
  refused(op_decl_dat(nodes, 1, nullptr, values, "d"), OP_ERR_TYPE, {"the type of 'd' is NULL", "double float int"});
  refused(op_decl_dat(nodes, 1, "duoble", values, "d"), OP_ERR_TYPE,
          {"unknown type 'duoble'", "double float int", "_char"});
  refused(op_decl_dat_char(nodes, 1, "double", 4, nullptr, "d"), OP_ERR_TYPE, {"type double has 8 bytes, not 4"});
  refused(op_decl_dat_char(nodes, 1, "state", -8, nullptr, "d"), OP_ERR_ARGUMENT, {"negative: -8"});
  refused(op_decl_dat_char(nodes, 1, "state", 0, nullptr, "d"), OP_ERR_TYPE, {"unknown type 'state'"});
  for (const int dim : {0, -1, INT_MIN}) {
    EXPECT_EQ(nullptr, op_decl_dat(nodes, dim, "double", values, "d"));
    EXPECT_TRUE(contains(op_last_error(), "the dim of 'd' is " + std::to_string(dim)));
  }
  EXPECT_EQ(nullptr, op_decl_dat(nodes, INT_MAX, "double", values, "d"));
  EXPECT_TRUE(contains(op_last_error(), "more than 2 GiB"));
}

TEST_F(Declare, MoreThanThereIsMemoryFor) {
  const op_set many = op_decl_set(INT_MAX, "many");
  refused(op_decl_dat(many, 200000000, "double", nullptr, "d"), OP_ERR_MEMORY, {"mem_alloc"});
  EXPECT_NE(nullptr, op_decl_dat(nodes, 1, "double", values, "d")); // life goes on
}

TEST_F(Declare, TemporaryDats) {
  refused(op_decl_dat_temp(edges, 1, "double", "length"), OP_ERR_ARGUMENT,
          {"a dat 'length' exists on set 'edges'", "unique"});
  refused(op_free_dat_temp(length), OP_ERR_ARGUMENT, {"'length' is not temporary"});
  refused(op_free_dat_temp(nullptr), OP_ERR_HANDLE, {"NULL"});
  const op_dat scratch = op_decl_dat_temp(edges, 1, "double", "scratch");
  refused(op_decl_dat_temp(nodes, 2, "float", "scratch"), OP_ERR_ARGUMENT, {"'scratch'", "unique"});
  EXPECT_OK(op_free_dat_temp(scratch));
  refused(op_free_dat_temp(scratch), OP_ERR_HANDLE, {"freed"});
  EXPECT_NE(nullptr, op_decl_dat_temp(nodes, 2, "float", "scratch"));
}

TEST_F(Declare, Reductions) {
  const auto fn = [](void *, const void *, int) {};
  refused(op_decl_reduction(nullptr, "double", 0, fn, values), OP_ERR_ARGUMENT, {"name"});
  refused(op_decl_reduction("r", "double", 0, nullptr, values), OP_ERR_ARGUMENT, {"function of reduction 'r' is NULL"});
  refused(op_decl_reduction("r", "double", 0, fn, nullptr), OP_ERR_ARGUMENT, {"identity of reduction 'r' is NULL"});
  refused(op_decl_reduction("r", nullptr, 0, fn, values), OP_ERR_TYPE, {"'r'"});
  refused(op_decl_reduction("r", "state", 0, fn, values), OP_ERR_TYPE, {"unknown type 'state'"});
  refused(op_decl_reduction("r", "double", 4, fn, values), OP_ERR_TYPE, {"8 bytes, not 4"});
}

TEST_F(Declare, Constants) {
  refused(op_decl_const_named(nullptr, 1, "double", values), OP_ERR_ARGUMENT, {"name"});
  refused(op_decl_const_named("&gam", 1, "double", nullptr), OP_ERR_ARGUMENT, {"value of constant 'gam' is NULL"});
  refused(op_decl_const_named("gam", 1, "dubble", values), OP_ERR_TYPE, {"unknown type 'dubble'"});
  EXPECT_NE(OP_OK, op_decl_const_named("gam", 0, "double", values));
  refused(op_decl_const_char(1, "double", 3, reinterpret_cast<const char *>(values), "gam"), OP_ERR_TYPE,
          {"8 bytes, not 3"});
}

TEST_F(Declare, NothingIsLeftBehind) { // the numbers of the objects go on as if the refused ones had never been
  const op_dat before = op_decl_dat(nodes, 1, "double", values, "before");
  op_decl_dat(nodes, 0, "double", values, "refused");
  op_decl_set(-1, "refused");
  const int wrong[] = {9, 9, 9, 9, 9, 9};
  op_decl_map(edges, nodes, 2, wrong, "refused");
  op_decl_dat(nodes, 1, "dubble", values, "refused");
  op_clear_error();
  testing::internal::CaptureStdout();
  ASSERT_EQ(OP_OK, op_exit());
  op_init_params params = OP_INIT_PARAMS;
  params.diags = 2;
  ASSERT_EQ(OP_OK, op_init_with(&params));
  op_decl_set(-1, "refused");
  op_decl_set(3, "taken");
  EXPECT_OK(op_diagnostic_output());
  const std::string out = testing::internal::GetCapturedStdout();
  EXPECT_TRUE(contains(out, "taken"));
  EXPECT_TRUE(unit::lacks(out, "refused"));
  EXPECT_NE(nullptr, before);
}

} // namespace

// SPDX-License-Identifier: MIT
