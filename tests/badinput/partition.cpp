// partition.cpp: bad input for op_partition_with() and op_repartition(): weights of elements, shares of processes, handles
// in parameters.
#include <cmath>
#include <cstddef>

#include "op2/partition.h"
#include "refuse.hpp"

namespace badinput {

namespace {

op_status partition_with(const std::function<void(op_partition_params &)> &spoil) {
  op_partition_params params = OP_PARTITION_PARAMS;
  spoil(params);
  return op_partition_with(&params);
}

Wrong with(std::string value, op_status status, std::vector<std::string> words,
           std::function<void(op_partition_params &)> spoil) {
  return {"op_partition_with", "params",
          std::move(value),    status,
          std::move(words),    [spoil = std::move(spoil)] { return partition_with(spoil); }};
}

op_status repartition(const std::function<void(op_repartition_params &)> &spoil) {
  op_repartition_params params = OP_REPARTITION_PARAMS;
  spoil(params);
  return op_repartition(&params);
}

Wrong again(std::string value, op_status status, std::vector<std::string> words,
            std::function<void(op_repartition_params &)> spoil) {
  return {"op_repartition", "params",         std::move(value),
          status,           std::move(words), [spoil = std::move(spoil)] { return repartition(spoil); }};
}

template <class Handle>
Handle no_handle() {
  return static_cast<Handle>(garbage_memory());
}

Wrong shares(std::string value, std::vector<std::string> words, std::vector<double> given) {
  return with(std::move(value), OP_ERR_ARGUMENT, std::move(words), [given = std::move(given)](auto &p) {
    p.shares = given.data();
    p.nshares = static_cast<int>(given.size());
  });
}

std::vector<Wrong> make_rows() {
  return {
      {"op_partition_with",
       "params",
       "NULL",
       OP_ERR_ARGUMENT,
       {"the parameters are NULL", "OP_PARTITION_PARAMS"},
       CALL(op_partition_with(nullptr))},
      {"op_partition_with",
       "params",
       "zeros",
       OP_ERR_ARGUMENT,
       {"their size is not set", "OP_PARTITION_PARAMS"},
       CALL(op_partition_with(static_cast<const op_partition_params *>(zeroed_memory())))},
      with("garbage as set", OP_ERR_HANDLE, {"argument 'set'"}, [](auto &p) { p.set = no_handle<op_set>(); }),
      with("garbage as map", OP_ERR_HANDLE, {"argument 'map'"}, [](auto &p) { p.map = no_handle<op_map>(); }),
      with("garbage as coordinates", OP_ERR_HANDLE, {"argument 'coordinates'"},
           [](auto &p) { p.coordinates = no_handle<op_dat>(); }),
      with("garbage as weights", OP_ERR_HANDLE, {"argument 'weights'"},
           [](auto &p) { p.weights = no_handle<op_dat>(); }),
      with("a freed dat as weights", OP_ERR_HANDLE, {"argument 'weights'", "freed"},
           [](auto &p) { p.weights = world().freed; }),
      with("two weights for each element", OP_ERR_DIM, {"dat 'x' has dim 2", "one value per element"},
           [](auto &p) { p.weights = world().x; }),
      with("weights on another set", OP_ERR_SET, {"the weights 'length' are on set 'edges', but set 'nodes'"},
           [](auto &p) {
             p.map = world().edge_nodes;
             p.weights = world().length;
           }),
      with("weights for parts that are given", OP_ERR_ARGUMENT, {"EXTERNAL takes no weights"},
           [](auto &p) {
             p.library = "EXTERNAL";
             p.coordinates = p.weights = world().scratch;
           }),
      shares("too many shares", {"nshares is 2; there are 1 processes"}, {1, 1}),
      shares("a negative share", {"part 0 cannot have the share -1"}, {-1}),
      shares("a share that is no number", {"cannot have the share", "0 or more"}, {std::nan("")}),
      shares("no share at all", {"no part has a share"}, {0}),
      {"op_repartition", "params", "NULL", OP_OK, {}, CALL(op_repartition(nullptr))},
      {"op_repartition",
       "params",
       "zeros",
       OP_ERR_ARGUMENT,
       {"the size of the parameters is not set", "OP_REPARTITION_PARAMS"},
       CALL(op_repartition(static_cast<const op_repartition_params *>(zeroed_memory())))},
      again("garbage as weights", OP_ERR_HANDLE, {"argument 'weights'"},
            [](auto &p) { p.weights = no_handle<op_dat>(); }),
      again("garbage as coordinates", OP_ERR_HANDLE, {"argument 'coordinates'"},
            [](auto &p) { p.coordinates = no_handle<op_dat>(); }),
      again("a freed dat as weights", OP_ERR_HANDLE, {"argument 'weights'", "freed"},
            [](auto &p) { p.weights = world().freed; }),
      again("two weights for each element", OP_ERR_DIM, {"dat 'x' has dim 2", "one value per element"},
            [](auto &p) { p.weights = world().x; }),
      again("coordinates that no map leads to", OP_ERR_SET,
            {"coordinates 'length' are on set 'edges', but set 'nodes' is divided", "no map leads"},
            [](auto &p) {
              p.weights = world().scratch;
              p.coordinates = world().length;
            }),
  };
}

} // namespace

const std::vector<Wrong> &wrong_partitions() {
  static const std::vector<Wrong> all = make_rows();
  return all;
}

namespace {

// Parameters of a program that knew fewer fields.
TEST_F(InSession, ShorterPartitionParams) {
  op_partition_params params = OP_PARTITION_PARAMS;
  params.size = offsetof(op_partition_params, weights);
  params.weights = no_handle<op_dat>(); // not looked at
  EXPECT_EQ(OP_OK, op_partition_with(&params)) << op_last_error();
}

} // namespace

} // namespace badinput

// SPDX-License-Identifier: MIT
