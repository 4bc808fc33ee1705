// views.cpp: bad input for view.h. What stands in the files is looked at by tests/view.
#include <limits>

#include "op2/user_types.h"
#include "refuse.hpp"

namespace badinput {

namespace {

const char *const no_file = "badinput_must_not_exist.vtkhdf";

struct OnView {
  const char *function;
  Result (*call)(op_view view);
};

// Everything that is no view.
void add_no_views(std::vector<Wrong> &rows) {
  struct NoView {
    const char *what, *words;
    void *(*address)();
  };
  const NoView none[] = {
      {"NULL", "the view is NULL", [] { return static_cast<void *>(nullptr); }},
      {"zeroed memory", "is not a view of this context", [] { return zeroed_memory(); }},
      {"garbage", "is not a view of this context", [] { return garbage_memory(); }},
      {"a dat", "is not a view of this context", [] { return static_cast<void *>(world().x); }},
      {"a view of before", "from before op_exit()", [] { return static_cast<void *>(world().old.view); }},
  };
  for (const OnView &f :
       {OnView{"op_view_cells", [](op_view v) -> Result { return op_view_cells(v, world().edge_nodes, OP_CELL_LINE); }},
        OnView{"op_view_field", [](op_view v) -> Result { return op_view_field(v, world().x, "new"); }},
        OnView{"op_write_view", [](op_view v) -> Result { return op_write_view(v, no_file); }},
        OnView{"op_write_view_step", [](op_view v) -> Result { return op_write_view_step(v, no_file, 0.0); }}})
    for (const NoView &bad : none)
      rows.push_back({f.function, "view", bad.what, OP_ERR_HANDLE, {bad.words}, [f, bad] {
                        return f.call(static_cast<op_view>(bad.address()));
                      }});
}

void add_files(std::vector<Wrong> &rows) {
  struct Writer {
    const char *function;
    op_status (*write)(const char *file);
  };
  for (const Writer &w :
       {Writer{"op_write_view", [](const char *f) { return op_write_view(world().view, f); }},
        Writer{"op_write_view_step", [](const char *f) { return op_write_view_step(world().view, f, 0.0); }}}) {
    const auto add = [&](const char *value, const char *file, std::vector<std::string> words) {
      rows.push_back(
          {w.function, "file", value, OP_ERR_ARGUMENT, std::move(words), [w, file] { return w.write(file); }});
    };
    add("NULL", nullptr, {"the file name is NULL"});
    add("empty", "", {"the file name is empty"});
    add("of no format", "badinput_must_not_exist.vtk", {"'badinput_must_not_exist.vtk' names no format", ".vtkhdf"});
    add("an end only", ".xdmf", {"names no format"});
  }
  for (const double time : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    rows.push_back({"op_write_view_step", "time", std::to_string(time), OP_ERR_ARGUMENT, {"the time is"}, [time] {
                      return op_write_view_step(world().view, no_file, time);
                    }});
}

std::vector<Wrong> make_rows() {
  std::vector<Wrong> rows = {
      {"op_decl_view",
       "name",
       "NULL",
       OP_ERR_ARGUMENT,
       {"the name of the view is NULL"},
       CALL(op_decl_view(w.x, nullptr))},
      {"op_decl_view",
       "name",
       "empty",
       OP_ERR_ARGUMENT,
       {"the name of the view is empty"},
       CALL(op_decl_view(w.x, ""))},
      {"op_decl_view",
       "coordinates",
       "whole numbers",
       OP_ERR_TYPE,
       {"dat 'scratch' has type int", "double or float"},
       CALL(op_decl_view(w.scratch, "new"))},
      {"op_decl_view",
       "coordinates",
       "one value",
       OP_ERR_DIM,
       {"dat 'length' has dim 1", "2 or 3 values"},
       CALL(op_decl_view(w.length, "new"))},
      {"op_view_cells",
       "map",
       "cells that are there",
       OP_ERR_ARGUMENT,
       {"has the cells of set 'edges' already"},
       CALL(op_view_cells(w.view, w.edge_nodes, OP_CELL_LINE))},
      {"op_view_cells",
       "type",
       "of more nodes",
       OP_ERR_DIM,
       {"map 'edge_nodes' has dim 2", "a triangle has 3 nodes"},
       CALL(op_view_cells(w.view, w.edge_nodes, OP_CELL_TRIANGLE))},
      {"op_view_cells",
       "type",
       "a polygon of two nodes",
       OP_ERR_DIM,
       {"map 'edge_nodes' has dim 2", "a polygon has at least 3 nodes"},
       CALL(op_view_cells(w.view, w.edge_nodes, OP_CELL_POLYGON))},
      {"op_view_field",
       "name",
       "empty",
       OP_ERR_ARGUMENT,
       {"cannot have the name ''"},
       CALL(op_view_field(w.view, w.x, ""))},
      {"op_view_field",
       "name",
       "a dot",
       OP_ERR_ARGUMENT,
       {"cannot have the name '.'"},
       CALL(op_view_field(w.view, w.x, "."))},
      {"op_view_field",
       "name",
       "a path",
       OP_ERR_ARGUMENT,
       {"cannot have the name 'a/b'"},
       CALL(op_view_field(w.view, w.x, "a/b"))},
      {"op_view_field",
       "name",
       "in use",
       OP_ERR_ARGUMENT,
       {"has a field 'length' on set 'edges' already"},
       CALL(op_view_field(w.view, w.length, "length"))},
  };
  for (const int type : {0, -1, 2, 8, 28})
    rows.push_back({"op_view_cells",
                    "type",
                    std::to_string(type),
                    OP_ERR_ARGUMENT,
                    {"there is no type of cells " + std::to_string(type), "5 (triangle)"},
                    [type] { return op_view_cells(world().view, world().edge_nodes, type); }});
  add_no_views(rows);
  add_files(rows);
  return rows;
}

} // namespace

const std::vector<Wrong> &wrong_views() {
  static const std::vector<Wrong> all = make_rows();
  return all;
}

namespace {

TEST_F(InSession, FieldsOnOtherSetsOrOfOtherTypesAreRefused) {
  const op_set others = op_decl_set(2, "others"), more = op_decl_set(1, "more");
  const op_dat far = op_decl_dat(others, 1, "double", nullptr, "far");
  EXPECT_EQ(OP_ERR_SET, op_view_field(world().view, far, nullptr));
  expect_error("op_view_field", OP_ERR_SET, {"dat 'far' is on set 'others'", "view 'view'"});
  const op_dat pair = op_decl_dat_char(world().nodes, 1, "pair", 16, nullptr, "pair");
  EXPECT_EQ(OP_ERR_TYPE, op_view_field(world().view, pair, nullptr));
  expect_error("op_view_field", OP_ERR_TYPE, {"dat 'pair' has type pair"});
  const int table[] = {0, 1};
  ASSERT_EQ(OP_OK, op_view_cells(world().view, op_decl_map(more, world().nodes, 2, table, "table"), OP_CELL_LINE));
  const op_dat whole = op_decl_dat(more, 1, "int", nullptr, "whole"),
               wide = op_decl_dat(more, 2, "double", nullptr, "wide");
  EXPECT_EQ(OP_ERR_TYPE, op_view_field(world().view, whole, "length"));
  expect_error("op_view_field", OP_ERR_TYPE, {"dat 'whole' has type int", "'length' (dat 'length') has type double"});
  EXPECT_EQ(OP_ERR_DIM, op_view_field(world().view, wide, "length"));
  expect_error("op_view_field", OP_ERR_DIM, {"dat 'wide' has dim 2", "'length' (dat 'length') has dim 1"});
  const op_map away = op_decl_map(world().edges, others, 2, std::vector<int>(6, 0).data(), "away");
  EXPECT_EQ(OP_ERR_SET, op_view_cells(world().view, away, OP_CELL_LINE));
  expect_error("op_view_cells", OP_ERR_SET, {"map 'away' leads to set 'others'", "on set 'nodes'"});
}

// Values on a set that is not shown come through a map of dim 1, if it is clear which.
TEST_F(InSession, FieldsThroughMapsMustBeClear) {
  const World &w = world();
  const op_set all = op_decl_set(3, "all"), others = op_decl_set(3, "others");
  const int turned[] = {2, 1, 0};
  const op_dat on_all = op_decl_dat(all, 1, "double", nullptr, "on_all"),
               on_others = op_decl_dat(others, 1, "double", nullptr, "on_others");
  EXPECT_EQ(OP_ERR_SET, op_view_field(w.view, on_all, nullptr));
  expect_error("op_view_field", OP_ERR_SET, {"none of its cells has a map of dim 1 to it"});
  op_decl_map(w.edges, all, 1, turned, "edge_all");
  op_decl_map(w.edges, others, 1, turned, "edge_others");
  EXPECT_EQ(OP_ERR_ARGUMENT, op_view_field(w.view, on_all, "length"));
  expect_error("op_view_field", OP_ERR_ARGUMENT,
               {"'length' with values for the cells of set 'edges' already (dat 'length')"});
  EXPECT_EQ(OP_OK, op_view_field(w.view, on_all, "both"));
  EXPECT_EQ(OP_ERR_ARGUMENT, op_view_field(w.view, on_others, "both"));
  expect_error("op_view_field", OP_ERR_ARGUMENT,
               {"'both' with values for the cells of set 'edges' already (dat 'on_all')"});
  op_decl_map(w.edges, all, 1, turned, "again");
  EXPECT_EQ(OP_ERR_SET, op_view_field(w.view, on_all, "two"));
  expect_error("op_view_field", OP_ERR_SET,
               {"several maps of dim 1, 'edge_all' and 'again'", "to a dat on set 'edges'"});
}

TEST_F(InSession, AViewThatCannotBeShownIsNotWritten) {
  const op_view empty = op_decl_view(world().x, "empty");
  EXPECT_EQ(OP_ERR_STATE, op_write_view(empty, no_file));
  expect_error("op_write_view", OP_ERR_STATE, {"view 'empty' has no cells"});
  ASSERT_NE(nullptr, op_dat_acquire(world().length, OP_READ));
  EXPECT_EQ(OP_ERR_STATE, op_write_view(world().view, no_file));
  expect_error("op_write_view", OP_ERR_STATE, {"dat 'length' is acquired; call op_dat_release() first"});
  ASSERT_EQ(OP_OK, op_dat_release(world().length));
  ASSERT_EQ(OP_OK, op_view_field(world().view, world().scratch, nullptr));
  ASSERT_EQ(OP_OK, op_free_dat_temp(world().scratch));
  EXPECT_EQ(OP_ERR_HANDLE, op_write_view(world().view, no_file));
  expect_error("op_write_view", OP_ERR_HANDLE, {"field 'scratch' of view 'view'", "freed"});
}

} // namespace

} // namespace badinput

// SPDX-License-Identifier: MIT
