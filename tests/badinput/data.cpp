// data.cpp: bad input for data.h: arrays, ranges, windows.
#include <climits>

#include "op2/compat.h"
#include "op2/global.h"
#include "op2/hand_loop.h"
#include "op2/hdf5.h"
#include "op2/inspect.h"
#include "op2/storage.h"
#include "refuse.hpp"

namespace badinput {

namespace {

double values[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
char *bytes() { return reinterpret_cast<char *>(values); }

using OnRange = op_status (*)(op_gindex low, op_gindex high);
struct Range {
  op_gindex low, high;
  const char *parameter;
};
constexpr Range bad_ranges[] = {
    {-1, 2, "low"}, {LLONG_MIN, 2, "low"},  {4, 4, "low"},   {LLONG_MAX, LLONG_MAX, "low"}, {2, 1, "high"},
    {0, 4, "high"}, {0, LLONG_MAX, "high"}, {0, -1, "high"}, {3, LLONG_MIN, "high"}};

std::vector<Wrong> make_rows() {
  const std::string null = "the array for dat 'x' is NULL";
  std::vector<Wrong> rows = {
      {"op_fetch_data",
       "data",
       "NULL",
       OP_ERR_ARGUMENT,
       {null, "2 x double per element"},
       CALL(op_fetch_data(w.x, nullptr))},
      {"op_fetch_global",
       "value",
       "NULL",
       OP_ERR_ARGUMENT,
       {"the array for the values of global 'total' is NULL"},
       CALL(op_fetch_global(w.total, nullptr))},
      {"op_put_global",
       "value",
       "NULL",
       OP_ERR_ARGUMENT,
       {"the array of values for global 'total' is NULL"},
       CALL(op_put_global(w.total, nullptr))},
      {"op_fetch_data_char", "data", "NULL", OP_ERR_ARGUMENT, {null}, CALL(op_fetch_data_char(w.x, nullptr))},
      {"op_fetch_data_own", "data", "NULL", OP_ERR_ARGUMENT, {null}, CALL(op_fetch_data_own(w.x, nullptr))},
      {"op_fetch_data_all", "data", "NULL", OP_ERR_ARGUMENT, {null}, CALL(op_fetch_data_all(w.x, nullptr))},
      {"op_fetch_data_idx", "data", "NULL", OP_ERR_ARGUMENT, {null}, CALL(op_fetch_data_idx(w.x, nullptr, 0, 3))},
      {"op_fetch_data_hdf5", "data", "NULL", OP_ERR_ARGUMENT, {null}, CALL(op_fetch_data_hdf5(w.x, nullptr, 0, 3))},
      {"op_put_data", "data", "NULL", OP_ERR_ARGUMENT, {null}, CALL(op_put_data(w.x, nullptr))},
      {"op_put_data_all", "data", "NULL", OP_ERR_ARGUMENT, {null}, CALL(op_put_data_all(w.x, nullptr))},
      {"op_put_data_idx", "data", "NULL", OP_ERR_ARGUMENT, {null}, CALL(op_put_data_idx(w.x, nullptr, 0, 3))},
      {"op_dat_release",
       "dat",
       "one that is not acquired",
       OP_ERR_STATE,
       {"dat 'x' is not acquired; call op_dat_acquire() first"},
       CALL(op_dat_release(w.x))},
  };
  for (const int storage : {-1, 3, INT_MAX})
    rows.push_back({"op_dat_set_storage", "storage", std::to_string(storage), OP_ERR_ARGUMENT,
                    {"argument 'storage' is " + std::to_string(storage), "OP_STORAGE_SCRATCH"},
                    [storage] { return op_dat_set_storage(world().x, storage); }});
  for (int nargs : {-1, INT_MIN, OP_MAX_ARGS + 1, INT_MAX}) {
    const std::vector<std::string> words{"the number of arguments is " + std::to_string(nargs), "0 to 64"};
    const std::string value = std::to_string(nargs);
    rows.push_back({"op_mpi_halo_exchanges", "nargs", value, OP_ERR_ARGUMENT, words,
                    [nargs] { return op_mpi_halo_exchanges(world().nodes, nargs, nullptr); }});
    rows.push_back({"op_mpi_set_dirtybit", "nargs", value, OP_ERR_ARGUMENT, words,
                    [nargs] { return op_mpi_set_dirtybit(nargs, nullptr); }});
    rows.push_back({"op_mpi_reduce_combined", "nargs", value, OP_ERR_ARGUMENT, words,
                    [nargs] { return op_mpi_reduce_combined(nullptr, nargs); }});
  }
  const std::string no_args = "the array of arguments is NULL",
                    no_count = "the address for the number of objects is NULL";
  rows.insert(
      rows.end(),
      {{"op_mpi_halo_exchanges",
        "args",
        "NULL",
        OP_ERR_ARGUMENT,
        {no_args},
        CALL(op_mpi_halo_exchanges(w.nodes, 1, nullptr))},
       {"op_mpi_set_dirtybit", "args", "NULL", OP_ERR_ARGUMENT, {no_args}, CALL(op_mpi_set_dirtybit(1, nullptr))},
       {"op_mpi_reduce_combined", "args", "NULL", OP_ERR_ARGUMENT, {no_args}, CALL(op_mpi_reduce_combined(nullptr, 1))},
       {"op_hand_loop_wait", "nargs", "-1", OP_OK, {}, CALL(op_hand_loop_wait(-1, nullptr))},
       {"op_hand_loop_wait", "args", "NULL", OP_OK, {}, CALL(op_hand_loop_wait(1, nullptr))},
       {"op_all_sets", "count", "NULL", OP_ERR_ARGUMENT, {no_count}, CALL(op_all_sets(nullptr))},
       {"op_all_maps", "count", "NULL", OP_ERR_ARGUMENT, {no_count}, CALL(op_all_maps(nullptr))},
       {"op_all_dats", "count", "NULL", OP_ERR_ARGUMENT, {no_count}, CALL(op_all_dats(nullptr))}});
  struct Mode {
    op_access access;
    const char *name;
  };
  for (const Mode &mode : {Mode{OP_INC, "OP_INC"}, Mode{OP_MIN, "OP_MIN"}, Mode{OP_MAX, "OP_MAX"},
                           Mode{OP_WORK, "OP_WORK"}, Mode{OP_REDUCE, "OP_REDUCE"}, Mode{-1, "an unknown access mode"},
                           Mode{8, "an unknown access mode"}, Mode{INT_MIN, "an unknown access mode"}})
    rows.push_back({"op_dat_acquire",
                    "access",
                    std::to_string(mode.access),
                    OP_ERR_ACCESS,
                    {"dat 'x' can be acquired with OP_READ, OP_WRITE or OP_RW, not with ", mode.name},
                    [=] { return op_dat_acquire(world().x, mode.access); }});
  for (const Range &r : bad_ranges) {
    const std::vector<std::string> words{
        "elements " + std::to_string(r.low) + " to " + std::to_string(r.high) + " of dat 'x'",
        "set 'nodes' has 4 elements", "0 <= low <= high <= 3"};
    const std::string value = std::to_string(r.low) + " to " + std::to_string(r.high);
    rows.push_back({"op_fetch_data_idx", r.parameter, value, OP_ERR_RANGE, words,
                    [r] { return op_fetch_data_idx(world().x, values, r.low, r.high); }});
    rows.push_back({"op_fetch_data_hdf5", r.parameter, value, OP_ERR_RANGE, words,
                    [r] { return op_fetch_data_hdf5(world().x, values, r.low, r.high); }});
    rows.push_back({"op_put_data_idx", r.parameter, value, OP_ERR_RANGE, words,
                    [r] { return op_put_data_idx(world().x, values, r.low, r.high); }});
  }
  return rows;
}

} // namespace

const std::vector<Wrong> &wrong_data() {
  static const std::vector<Wrong> all = make_rows();
  return all;
}

namespace {

TEST_F(InSession, RefusedFetchesLeaveTheArrayAlone) {
  op_fetch_data_idx(world().x, values, -1, 2);
  op_fetch_data_all(world().freed, values);
  op_fetch_data(world().old.x, values);
  for (const double value : values) EXPECT_EQ(-1, value);
}

TEST_F(InSession, AnOpenWindowClosesAllOtherDoors) {
  ASSERT_NE(nullptr, op_dat_acquire(world().scratch, OP_RW));
  const auto refused = [](const char *function, op_status status, const std::string &way_out) {
    EXPECT_EQ(OP_ERR_STATE, status);
    expect_error(function, OP_ERR_STATE, {"dat 'scratch' is acquired", way_out});
  };
  const char *release = "call op_dat_release()";
  refused("op_fetch_data", op_fetch_data(world().scratch, values), release);
  refused("op_fetch_data_char", op_fetch_data_char(world().scratch, bytes()), release);
  refused("op_fetch_data_own", op_fetch_data_own(world().scratch, values), release);
  refused("op_fetch_data_all", op_fetch_data_all(world().scratch, values), release);
  refused("op_fetch_data_idx", op_fetch_data_idx(world().scratch, values, 0, 1), release);
  refused("op_fetch_data_hdf5", op_fetch_data_hdf5(world().scratch, values, 0, 1), release);
  refused("op_fetch_data_hdf5_file", op_fetch_data_hdf5_file(world().scratch, "no"), release);
  refused("op_fetch_data_hdf5_file_path", op_fetch_data_hdf5_file_path(world().scratch, "no", "no"), release);
  refused("op_fetch_data_hdf5_file_async", op_fetch_data_hdf5_file_async(world().scratch, "no"), release);
  refused("op_fetch_data_hdf5_file_path_async", op_fetch_data_hdf5_file_path_async(world().scratch, "no", "no"),
          release);
  refused("op_print_dat_to_txtfile", op_print_dat_to_txtfile(world().scratch, "no"), release);
  refused("op_print_dat_to_binfile", op_print_dat_to_binfile(world().scratch, "no"), release);
  refused("op_put_data", op_put_data(world().scratch, values), release);
  refused("op_put_data_all", op_put_data_all(world().scratch, values), release);
  refused("op_put_data_idx", op_put_data_idx(world().scratch, values, 0, 1), release);
  refused("op_free_dat_temp", op_free_dat_temp(world().scratch), release);
  EXPECT_EQ(nullptr, op_dat_acquire(world().scratch, OP_READ));
  refused("op_dat_acquire", op_last_status(), release);
  const op_arg arg = op_arg_dat(world().scratch, -1, OP_ID, 1, "int", OP_READ);
  refused("op_par_loop", op_par_loop(idle(), "flux", world().nodes, 1, &arg), release);
  EXPECT_EQ(OP_OK, op_dat_release(world().scratch));
  EXPECT_EQ(OP_OK, op_fetch_data(world().scratch, values));
}

TEST_F(InSession, NothingToFetchNeedsNoArray) {
  const op_dat none = op_decl_dat(op_decl_set(0, "none"), 1, "double", nullptr, "none");
  EXPECT_EQ(OP_OK, op_fetch_data(none, nullptr));
  EXPECT_EQ(OP_OK, op_fetch_data_all(none, nullptr));
  EXPECT_EQ(OP_OK, op_put_data(none, nullptr));
  EXPECT_EQ(OP_ERR_RANGE, op_fetch_data_idx(none, nullptr, 0, 0));
  expect_error("op_fetch_data_idx", OP_ERR_RANGE, {"set 'none' has 0 elements"});
}

} // namespace

} // namespace badinput

// SPDX-License-Identifier: MIT
