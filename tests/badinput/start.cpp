// start.cpp: bad input for init.h and version.h.
#include <atomic>
#include <climits>
#include <cstddef>
#include <cstring>
#include <thread>

#include "loop_with.hpp"
#include "op2/info.h"
#include "refuse.hpp"

namespace badinput {

namespace {

char program[] = "program", setting[64];
char *arguments[] = {program, setting, nullptr};

op_status init_with_argument(const char *argument) {
  std::strncpy(setting, argument, sizeof setting - 1);
  return op_init(2, arguments, 0);
}

void (*const print)(const char *, ...) = op_printf; // a compiler would see the NULL and warn

op_status init_with(const std::function<void(op_init_params &)> &spoil) {
  op_init_params params = OP_INIT_PARAMS;
  params.backend = "seq";
  spoil(params);
  return op_init_with(&params);
}

// Rows for a library that is not started.
std::vector<Wrong> outside() {
  std::vector<Wrong> rows = {
      {"op_init", "argc", "-1", OP_ERR_ARGUMENT, {"argc is negative: -1"}, CALL(op_init(-1, nullptr, 0))},
      {"op_init", "argc", "smallest", OP_ERR_ARGUMENT, {"argc is negative"}, CALL(op_init(INT_MIN, arguments, 0))},
      {"op_init", "argv", "NULL", OP_ERR_ARGUMENT, {"argv is NULL but argc is 1"}, CALL(op_init(1, nullptr, 0))},
      {"op_init", "diags", "-1", OP_ERR_ARGUMENT, {"diags is negative: -1", "0 to 3"}, CALL(op_init(0, nullptr, -1))},
      {"op_init_with",
       "params",
       "NULL",
       OP_ERR_ARGUMENT,
       {"the parameters are NULL", "OP_INIT_PARAMS"},
       CALL(op_init_with(nullptr))},
      {"op_init_with",
       "params",
       "zeros",
       OP_ERR_ARGUMENT,
       {"their size is not set", "OP_INIT_PARAMS"},
       CALL(op_init_with(static_cast<const op_init_params *>(zeroed_memory())))},
      {"op_init_with",
       "params",
       "negative threads",
       OP_ERR_ARGUMENT,
       {"the number of threads is negative: -3"},
       CALL(init_with([](op_init_params &p) { p.threads = -3; }))},
      {"op_init_with",
       "params",
       "negative diags",
       OP_ERR_ARGUMENT,
       {"diags is negative: -2"},
       CALL(init_with([](op_init_params &p) { p.diags = -2; }))},
      {"op_init_with",
       "params",
       "unknown flags",
       OP_ERR_ARGUMENT,
       {"flags has unknown bits: 4", "OP_KEEP_ORDER", "OP_LOCAL_INDICES"},
       CALL(init_with([](op_init_params &p) { p.flags = 4; }))},
      {"op_init_with",
       "params",
       "argv NULL",
       OP_ERR_ARGUMENT,
       {"argv is NULL but argc is 2"},
       CALL(init_with([](op_init_params &p) { p.argc = 2; }))},
      {"op_init_with",
       "params",
       "backend misspelt",
       OP_ERR_BACKEND,
       {"no back end 'sek'", "did you mean 'seq'?"},
       CALL(init_with([](op_init_params &p) { p.backend = "sek"; }))},
      {"op_init_with",
       "params",
       "backend empty",
       OP_ERR_BACKEND,
       {"contains an empty name"},
       CALL(init_with([](op_init_params &p) { p.backend = ""; }))},
      {"op_init_with",
       "params",
       "backend twice",
       OP_ERR_BACKEND,
       {"names two plugins of one kind: 'seq' and 'seq'"},
       CALL(init_with([](op_init_params &p) { p.backend = "seq+seq"; }))},
      {"op_init_with",
       "params",
       "a partitioner as backend",
       OP_ERR_BACKEND,
       {"'block' is a partitioner"},
       CALL(init_with([](op_init_params &p) { p.backend = "block"; }))},
      {"op_init_with",
       "params",
       "backends for several processes that are alone",
       OP_ERR_BACKEND,
       {"executors for several processes but no communicator", "'mpi+seq,seq'"},
       CALL(init_with([](op_init_params &p) { p.backend = "seq,seq"; }))},
      {"op_init_with",
       "params",
       "a communicator for processes that are alone",
       OP_ERR_BACKEND,
       {"the program gives a communicator", "write e.g. 'mpi+seq'"},
       CALL(init_with([](op_init_params &p) {
         p.backend = "seq";
         p.communicator_given = 1;
       }))},
      {"op_init_with",
       "params",
       "communicator_given neither 0 nor 1",
       OP_ERR_ARGUMENT,
       {"communicator_given is 7; it is 0 or 1"},
       CALL(init_with([](op_init_params &p) { p.communicator_given = 7; }))},
      {"op_init",
       "argv",
       "wrong shares",
       OP_ERR_ARGUMENT,
       {"OP2_PARTITION_WEIGHTS='1,-1'", "-1 cannot be the share"},
       CALL(init_with_argument("OP2_PARTITION_WEIGHTS=1,-1"))},
      {"op_init",
       "argv",
       "a tile with a unit",
       OP_ERR_ARGUMENT,
       {"OP2_CHAIN_TILE='1M' is neither the KiB of a tile", "such as 1024,32768"},
       CALL(init_with_argument("OP2_CHAIN_TILE=1M"))},
      {"op_init",
       "argv",
       "a cache with a unit",
       OP_ERR_ARGUMENT,
       {"OP2_CHAIN_TILE='1024,32M'", "with 0 the system is asked"},
       CALL(init_with_argument("OP2_CHAIN_TILE=1024,32M"))},
      {"op_init",
       "argv",
       "wrong value",
       OP_ERR_ARGUMENT,
       {"OP2_LOG='warning' (argument) is not one of error, warn, info"},
       CALL(init_with_argument("OP2_LOG=warning"))},
      {"op_init",
       "argv",
       "wrong name",
       OP_ERR_ARGUMENT,
       {"OP2_RACES", "no such setting", "did you mean OP2_RACE?"},
       CALL(init_with_argument("OP2_RACES=colour"))},
      {"op_init",
       "argv",
       "wrong number",
       OP_ERR_ARGUMENT,
       {"OP2_NUM_THREADS='-2'", "a whole number >= 0"},
       CALL(init_with_argument("OP2_NUM_THREADS=-2"))},
      {"op_init",
       "argv",
       "wrong path in a back end",
       OP_ERR_BACKEND,
       {"no back end '../seq'"},
       CALL(init_with_argument("OP2_BACKEND=../seq"))},
  };
  for (Wrong &row : rows) row.outside = true;
  return rows;
}

std::vector<Wrong> make_rows() {
  std::vector<Wrong> rows = outside();
  const std::vector<std::string> twice{"already initialised; call op_exit() before a second op_init()"};
  rows.insert(
      rows.end(),
      {{"op_init", "argc", "0 for the second time", OP_ERR_STATE, twice, CALL(op_init(0, nullptr, 0))},
       {"op_init_with", "params", "good ones for the second time", OP_ERR_STATE, twice,
        CALL(init_with([](op_init_params &) {}))},
       {"op_rank", "rank", "NULL", OP_ERR_ARGUMENT, {"the address for the rank is NULL"}, VOID_CALL(op_rank(nullptr))},
       {"op_printf", "format", "NULL", OP_ERR_ARGUMENT, {"the format is NULL"}, VOID_CALL(print(nullptr))},
       {"op_setting",
        "name",
        "NULL",
        OP_ERR_ARGUMENT,
        {"the name of the setting is NULL", "op_info()"},
        CALL(op_setting(nullptr))},
       {"op_info", "buffer", "NULL", OP_OK, {}, CALL(op_info(nullptr, 100))},
       {"op_info", "capacity", "0", OP_OK, {}, CALL(op_info(program, 0))}});
  return rows;
}

} // namespace

const std::vector<Wrong> &wrong_starts() {
  static const std::vector<Wrong> all = make_rows();
  return all;
}

namespace {

TEST_F(Library, ExitIsHarmlessAtAnyMoment) {
  EXPECT_EQ(OP_OK, op_exit());
  EXPECT_EQ(OP_OK, op_exit());
  start_world();
  EXPECT_EQ(OP_OK, op_exit());
  EXPECT_EQ(OP_OK, op_exit());
  EXPECT_EQ(OP_OK, op_last_status());
  covered("op_exit");
}

TEST_F(InSession, StartAndEndAreRefusedElsewhere) {
  const std::string before = state();
  const auto refused = [](op_status expected, const std::string &words) {
    EXPECT_EQ(expected, op_exit());
    expect_error("op_exit", expected, {words});
    EXPECT_EQ(OP_ERR_STATE, op_init(0, nullptr, 0));
    expect_error("op_init", OP_ERR_STATE, {"already initialised"});
    EXPECT_EQ(OP_ERR_STATE, init_with([](op_init_params &) {}));
    expect_error("op_init_with", OP_ERR_STATE, {"already initialised"});
  };
  std::thread([&] { refused(OP_ERR_THREAD, "one thread controls the library"); }).join();
  EXPECT_EQ(before, state());
  static std::function<void()> in_kernel;
  in_kernel = [&] { refused(OP_ERR_STATE, "kernels must not call the library"); };
  const op_arg arg = op_arg_dat(world().length, -1, OP_ID, 1, "double", OP_RW);
  const std::string mesh = state_of_mesh();
  EXPECT_EQ(OP_OK, op_par_loop(reinterpret_cast<op_kernel_fn>(+[](double *) { in_kernel(); }), "caller", world().edges,
                               1, &arg));
  EXPECT_EQ(mesh, state_of_mesh());
}

// Two threads start the library at the same moment: one of them has it, the other is told so.
TEST_F(Library, OneOfManyThreadsStarts) {
  for (int attempt = 0; attempt < 20; ++attempt) {
    std::atomic<int> ready{0}, started{0}, refused{0};
    const auto start = [&] {
      for (++ready; ready < 2;) std::this_thread::yield();
      const op_status status = init_with([](op_init_params &) {});
      ++(status == OP_OK ? started : refused);
      EXPECT_TRUE(status == OP_OK || status == OP_ERR_STATE) << op_last_error();
      for (; started + refused < 2;) std::this_thread::yield();
      EXPECT_EQ(OP_OK, status == OP_OK ? op_exit() : OP_OK);
    };
    std::thread first(start), second(start);
    first.join();
    second.join();
    EXPECT_EQ(1, started);
    EXPECT_EQ(1, refused);
  }
}

TEST_F(Library, NothingOfAnOlderProgramIsMissed) { // a struct from before `backend` existed, with garbage behind it
  op_init_params params;
  std::memset(&params, 0xA5, sizeof params);
  params.size = offsetof(op_init_params, threads);
  params.argc = 0;
  params.argv = nullptr;
  params.diags = 0;
  EXPECT_EQ(OP_OK, op_init_with(&params)) << op_last_error();
}

TEST_F(Library, UnknownSettingsAreNoError) { // as documented
  EXPECT_EQ(nullptr, op_setting("OP2_NO_SUCH"));
  EXPECT_EQ(nullptr, op_setting(""));
  EXPECT_EQ(OP_OK, op_last_status());
  covered("op_setting");
}

TEST_F(Library, TheReportIsCutToTheBuffer) {
  const int length = op_info(nullptr, 0);
  char little[8] = "???????";
  for (const std::size_t capacity : {std::size_t{0}, std::size_t{1}, std::size_t{4}}) {
    std::memset(little, '?', sizeof little);
    EXPECT_EQ(length, op_info(little, capacity));
    for (std::size_t i = capacity; i < sizeof little; ++i) EXPECT_EQ('?', little[i]);
    EXPECT_TRUE(capacity == 0 || capacity - 1 == std::strlen(little));
  }
  covered("op_info");
}

} // namespace

} // namespace badinput

// SPDX-License-Identifier: MIT
