// order.cpp: bad input for order.h: methods, strategies, coordinates, handles in parameters, windows.
#include <cstddef>

#include "op2/order.h"
#include "refuse.hpp"

namespace badinput {

namespace {

op_status renumber_with(const std::function<void(op_renumber_params &)> &spoil) {
  op_renumber_params params = OP_RENUMBER_PARAMS;
  params.base = world().edge_nodes;
  spoil(params);
  return op_renumber_with(&params);
}

Wrong with(std::string value, op_status status, std::vector<std::string> words,
           std::function<void(op_renumber_params &)> spoil) {
  return {"op_renumber_with", "params",
          std::move(value),   status,
          std::move(words),   [spoil = std::move(spoil)] { return renumber_with(spoil); }};
}

template <class Handle>
Handle no_handle() {
  return static_cast<Handle>(garbage_memory());
}

std::vector<Wrong> make_rows() {
  const std::string methods = "auto, rcm, hilbert and scotch";
  std::vector<Wrong> rows = {
      {"op_get_order",
       "order",
       "NULL",
       OP_ERR_ARGUMENT,
       {"the array for the order of set 'nodes' is NULL", "4 numbers"},
       CALL(op_get_order(w.nodes, nullptr))},
      {"op_renumber_with",
       "params",
       "NULL",
       OP_ERR_ARGUMENT,
       {"the parameters are NULL", "OP_RENUMBER_PARAMS"},
       CALL(op_renumber_with(nullptr))},
      {"op_renumber_with",
       "params",
       "zeros",
       OP_ERR_ARGUMENT,
       {"their size is not set", "OP_RENUMBER_PARAMS"},
       CALL(op_renumber_with(static_cast<const op_renumber_params *>(zeroed_memory())))},
      with("garbage as base", OP_ERR_HANDLE, {"the map 'base' is not a map of this context"},
           [](auto &p) { p.base = no_handle<op_map>(); }),
      with("a map of before as base", OP_ERR_HANDLE, {"the map 'base'", "from before op_exit()"},
           [](auto &p) { p.base = world().old.edge_nodes; }),
      with("an empty method", OP_ERR_ARGUMENT, {"there is no method ''", methods}, [](auto &p) { p.method = ""; }),
      with("a misspelt method", OP_ERR_ARGUMENT, {"there is no method 'hilbrt'", "did you mean 'hilbert'?"},
           [](auto &p) { p.method = "hilbrt"; }),
      with("an unknown strategy", OP_ERR_ARGUMENT, {"there is no strategy 'together'", "follow and separate"},
           [](auto &p) { p.strategy = "together"; }),
      with("hilbert without coordinates", OP_ERR_ARGUMENT, {"'hilbert' needs coordinates"},
           [](auto &p) { p.method = "hilbert"; }),
      with("garbage as coordinates", OP_ERR_HANDLE, {"the dat of coordinates is not a dat of this context"},
           [](auto &p) { p.coordinates = no_handle<op_dat>(); }),
      with("a freed dat as coordinates", OP_ERR_HANDLE, {"the dat of coordinates", "freed"},
           [](auto &p) { p.coordinates = world().freed; }),
      with("whole numbers as coordinates", OP_ERR_TYPE, {"dat 'scratch' has type int", "double or float"},
           [](auto &p) { p.coordinates = world().scratch; }),
      with("coordinates elsewhere", OP_ERR_SET,
           {"map 'edge_nodes' leads to set 'nodes', but the coordinates 'length' are on set 'edges'"},
           [](auto &p) { p.coordinates = world().length; }),
  };
  return rows;
}

} // namespace

const std::vector<Wrong> &wrong_orders() {
  static const std::vector<Wrong> all = make_rows();
  return all;
}

namespace {

TEST_F(InSession, FourCoordinatesAreTooMany) {
  const op_dat four = op_decl_dat(world().nodes, 4, "double", nullptr, "four");
  const std::string before = state();
  EXPECT_EQ(OP_ERR_DIM, renumber_with([&](op_renumber_params &p) { p.coordinates = four; }));
  expect_error("op_renumber_with", OP_ERR_DIM, {"dat 'four' has dim 4", "1 to 3 values"});
  EXPECT_EQ(before, state());
}

TEST_F(InSession, OneColumnMakesNoNeighbours) {
  const int first[] = {0, 1, 2};
  const op_map one = op_decl_map(world().edges, world().nodes, 1, first, "one");
  const std::string before = state();
  EXPECT_EQ(OP_ERR_DIM, op_renumber(one));
  expect_error("op_renumber", OP_ERR_DIM, {"map 'one' has one column", "two columns or more"});
  EXPECT_EQ(before, state());
}

TEST_F(InSession, NoOtherOrderWhileAWindowIsOpen) {
  ASSERT_NE(nullptr, op_dat_acquire(world().x, OP_RW));
  EXPECT_EQ(OP_ERR_STATE, op_renumber(world().edge_nodes));
  expect_error("op_renumber", OP_ERR_STATE, {"dat 'x' is acquired; call op_dat_release() first"});
  ASSERT_EQ(OP_OK, op_dat_release(world().x));
  EXPECT_EQ(OP_OK, op_renumber(world().edge_nodes));
}

TEST_F(InSession, AShorterStructHasDefaults) {
  op_renumber_params params = OP_RENUMBER_PARAMS;
  params.size = offsetof(op_renumber_params, method);
  params.method = "never read";
  params.base = world().edge_nodes;
  EXPECT_EQ(OP_OK, op_renumber_with(&params)) << op_last_error();
}

TEST_F(InSession, NothingToRenumberIsNoError) {
  const op_set none = op_decl_set(0, "none");
  const op_map empty = op_decl_map(none, none, 2, nullptr, "empty");
  EXPECT_EQ(OP_OK, op_renumber(empty)) << op_last_error();
  EXPECT_EQ(OP_OK, op_get_order(none, nullptr)) << op_last_error();
}

} // namespace

} // namespace badinput

// SPDX-License-Identifier: MIT
