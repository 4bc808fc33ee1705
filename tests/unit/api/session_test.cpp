// session_test.cpp: from op_init() to op_exit(): who may call when, what a failed start leaves behind, and what ends it
// early.
#include <cstddef>
#include <stdexcept>
#include <thread>

#include "op2/compat.h"
#include "op2/info.h"
#include "op2/partition.h"
#include "op2/reduction.h"
#include "op2/user_types.h"
#include "support.hpp"

namespace {

using unit::contains;

class SessionTest : public unit::LibraryTest {};

TEST_F(SessionTest, CallsBeforeInitSayHowToStart) {
  int value = 0;
  op_arg none = op_arg_idx(-1, OP_ID);
  double seconds = -1;
  const auto refused = [&](bool returned, const char *call) {
    EXPECT_TRUE(returned) << call;
    EXPECT_EQ(OP_ERR_STATE, op_last_status()) << call;
    EXPECT_TRUE(contains(op_last_error(), "not initialised; call op_init() first"));
    EXPECT_TRUE(contains(op_last_error(), call));
    op_clear_error();
  };
  const auto check_all = [&] {
    refused(op_decl_set(1, "s") == nullptr, "op_decl_set");
    refused(op_decl_map(nullptr, nullptr, 1, &value, "m") == nullptr, "op_decl_map");
    refused(op_decl_map_long(nullptr, nullptr, 1, nullptr, "m") == nullptr, "op_decl_map_long");
    refused(op_map_compose(nullptr, nullptr, "m") == nullptr, "op_map_compose");
    refused(op_decl_dat(nullptr, 1, "int", &value, "d") == nullptr, "op_decl_dat");
    refused(op_decl_dat_char(nullptr, 1, "int", 4, nullptr, "d") == nullptr, "op_decl_dat_char");
    refused(op_decl_dat_temp(nullptr, 1, "int", "d") == nullptr, "op_decl_dat_temp");
    refused(op_decl_dat_temp_char(nullptr, 1, "int", 4, "d") == nullptr, "op_decl_dat_temp_char");
    refused(op_free_dat_temp(nullptr) != OP_OK, "op_free_dat_temp");
    refused(op_decl_const_named("c", 1, "int", &value) != OP_OK, "op_decl_const_named");
    refused(op_decl_const_char(1, "int", 4, nullptr, "c") != OP_OK, "op_decl_const_char");
    refused(op_decl_reduction("r", "int", 4, nullptr, &value) == nullptr, "op_decl_reduction");
    refused(op_partition("", "", nullptr, nullptr, nullptr) != OP_OK, "op_partition");
    refused((op_par_loop)(nullptr, "l", nullptr, 1, &none) != OP_OK, "op_par_loop");
    refused(op_get_size(nullptr) == -1, "op_get_size");
    refused(op_get_global_set_offset(nullptr) == -1, "op_get_global_set_offset");
    refused(op_get_size_local(nullptr) == -1, "op_get_size_local");
    refused(op_get_size_local_core(nullptr) == -1, "op_get_size_local_core");
    refused(op_get_size_local_exec(nullptr) == -1, "op_get_size_local_exec");
    refused(op_get_size_local_full(nullptr) == -1, "op_get_size_local_full");
    refused(op_set_name(nullptr) == nullptr, "op_set_name");
    refused(op_map_name(nullptr) == nullptr, "op_map_name");
    refused(op_dat_name(nullptr) == nullptr, "op_dat_name");
    refused(op_dat_type(nullptr) == nullptr, "op_dat_type");
    refused(op_dat_dim(nullptr) == -1, "op_dat_dim");
    refused(op_dat_type_size(nullptr) == -1, "op_dat_type_size");
    refused(op_dat_set(nullptr) == nullptr, "op_dat_set");
    refused(op_map_dim(nullptr) == -1, "op_map_dim");
    refused(op_map_from(nullptr) == nullptr, "op_map_from");
    refused(op_map_to(nullptr) == nullptr, "op_map_to");
    refused(op_fetch_data(nullptr, &value) != OP_OK, "op_fetch_data");
    refused(op_fetch_data_char(nullptr, nullptr) != OP_OK, "op_fetch_data");
    refused(op_fetch_data_all(nullptr, &value) != OP_OK, "op_fetch_data_all");
    refused(op_fetch_data_idx(nullptr, &value, 0, 0) != OP_OK, "op_fetch_data_idx");
    refused(op_put_data(nullptr, &value) != OP_OK, "op_put_data");
    refused(op_put_data_all(nullptr, &value) != OP_OK, "op_put_data_all");
    refused(op_put_data_idx(nullptr, &value, 0, 0) != OP_OK, "op_put_data_idx");
    refused(op_dat_acquire(nullptr, OP_READ) == nullptr, "op_dat_acquire");
    refused(op_dat_release(nullptr) != OP_OK, "op_dat_release");
    refused(op_barrier() != OP_OK, "op_barrier");
    refused(op_timing_output() != OP_OK, "op_timing_output");
    refused(op_timings_to_csv("f") != OP_OK, "op_timings_to_csv");
    refused(op_timings_to_json("f") != OP_OK, "op_timings_to_json");
    refused(op_timing_write("op2", nullptr) != OP_OK, "op_timing_write");
    refused(op_timing_reset() != OP_OK, "op_timing_reset");
    refused(op_diagnostic_output() != OP_OK, "op_diagnostic_output");

    // These work at any time.
    EXPECT_EQ(0, op_is_initialised());
    EXPECT_EQ(0, op_is_partitioned());
    EXPECT_STREQ("", op_backend());
    int rank = -1;
    op_rank(&rank);
    EXPECT_EQ(0, rank);
    EXPECT_EQ(1, op_comm_size());
    EXPECT_EQ(1, op_is_root());
    EXPECT_EQ(OP2_VERSION, op_version());
    EXPECT_TRUE(contains(op_build_info(), "0.1.0, "));
    EXPECT_GT(op_info(nullptr, 0), 100);
    op_printf("%s", "");
    op_timers(nullptr, &seconds);
    EXPECT_GT(seconds, 0);
    EXPECT_STREQ("auto", op_setting("OP2_BACKEND"));
    EXPECT_OK(op_exit());
    EXPECT_EQ(OP_OK, op_last_status());
  };
  check_all();
  ASSERT_EQ(OP_OK, init("seq")); // after op_exit() it is as before op_init()
  ASSERT_EQ(OP_OK, op_exit());
  check_all();
}

TEST_F(SessionTest, HandlesDieWithTheirSession) {
  ASSERT_EQ(OP_OK, init("seq"));
  const op_set old_set = op_decl_set(3, "old");
  const op_dat old_dat = op_decl_dat(old_set, 1, "int", nullptr, "old");
  ASSERT_EQ(OP_OK, op_exit());
  ASSERT_EQ(OP_OK, init("seq"));
  int values[3];
  EXPECT_STATUS(OP_ERR_HANDLE, op_fetch_data(old_dat, values));
  EXPECT_TRUE(contains(op_last_error(), "from before op_exit()"));
  EXPECT_EQ(-1, op_get_size(old_set));
  EXPECT_EQ(OP_ERR_HANDLE, op_last_status());
}

TEST_F(SessionTest, InitTwiceIsRefusedAndHarmless) {
  ASSERT_EQ(OP_OK, init("seq"));
  const op_set set = op_decl_set(5, "cells");
  EXPECT_STATUS(OP_ERR_STATE, op_init(0, nullptr, 0));
  EXPECT_TRUE(contains(op_last_error(), "already initialised; call op_exit()"));
  EXPECT_STATUS(OP_ERR_STATE, init("seq"));
  EXPECT_EQ(5, op_get_size(set));
}

TEST_F(SessionTest, FailedInitLeavesNothingBehind) {
  EXPECT_STATUS(OP_ERR_BACKEND, init("no_such"));
  EXPECT_EQ(0, op_is_initialised());
  EXPECT_STATUS(OP_ERR_ARGUMENT, op_init(-1, nullptr, 0));
  EXPECT_STATUS(OP_ERR_ARGUMENT, op_init(1, nullptr, 0));
  EXPECT_STATUS(OP_ERR_ARGUMENT, init("seq", -1));
  EXPECT_STATUS(OP_ERR_ARGUMENT, op_init_with(nullptr));
  op_init_params empty{};
  EXPECT_STATUS(OP_ERR_ARGUMENT, op_init_with(&empty));
  EXPECT_EQ(0, op_is_initialised());
  EXPECT_OK(init("seq"));
  EXPECT_EQ(1, op_is_initialised());
}

TEST_F(SessionTest, ParametersOfOldAndNewProgramsAreTaken) {
  op_init_params params = OP_INIT_PARAMS;
  params.size = offsetof(op_init_params, threads); // from before threads and backend existed
  params.threads = -5;
  params.backend = "not to be read";
  EXPECT_OK(op_init_with(&params));
  EXPECT_STREQ("auto", op_setting("OP2_BACKEND"));
  EXPECT_OK(op_exit());
  struct {
    op_init_params known;
    void *later;
  } newer = {OP_INIT_PARAMS, &newer};
  newer.known.size = sizeof newer;
  newer.known.backend = "seq";
  EXPECT_OK(op_init_with(&newer.known));
  EXPECT_STREQ("self+seq", op_backend());
}

TEST_F(SessionTest, OneThreadControlsTheLibrary) {
  ASSERT_EQ(OP_OK, init("seq"));
  const op_set set = op_decl_set(5, "cells");
  std::thread([&] {
    EXPECT_EQ(nullptr, op_decl_set(1, "s"));
    EXPECT_EQ(OP_ERR_THREAD, op_last_status());
    EXPECT_TRUE(contains(op_last_error(), "one thread controls the library"));
    EXPECT_EQ(-1, op_get_size(set));
    EXPECT_EQ(OP_ERR_THREAD, op_last_status());
    EXPECT_STATUS(OP_ERR_THREAD, (op_par_loop)(nullptr, "l", set, 0, nullptr));
    EXPECT_STATUS(OP_ERR_THREAD, op_exit());
    EXPECT_NE(OP_OK, op_init(0, nullptr, 0));
    EXPECT_EQ(1, op_is_initialised());
    EXPECT_STREQ("self+seq", op_backend());
  }).join();
  EXPECT_EQ(5, op_get_size(set));
}

TEST_F(SessionTest, AnyThreadMayBeTheOne) {
  std::thread([&] {
    EXPECT_OK(init("seq"));
    EXPECT_NE(nullptr, op_decl_set(1, "s"));
    EXPECT_OK(op_exit());
  }).join();
  EXPECT_OK(init("seq"));
}

TEST_F(SessionTest, ReportNeedsNoFixedSize) {
  const int length = op_info(nullptr, 0);
  std::string all(static_cast<std::size_t>(length) + 1, '?');
  EXPECT_EQ(length, op_info(all.data(), all.size()));
  EXPECT_EQ('\0', all.back());
  EXPECT_TRUE(contains(all, "libop2 0.1.0"));
  char little[8] = "???????";
  EXPECT_EQ(length, op_info(little, 5));
  EXPECT_STREQ("libo", little);
  EXPECT_EQ('?', little[5]);
}

// A kernel that throws leaves half the data written: the session says so from then on, and a new one is as good as
// ever.
TEST_F(SessionTest, ThrowingKernelPoisonsTheSession) {
  ASSERT_EQ(OP_OK, init("seq"));
  const op_set cells = op_decl_set(4, "cells");
  const op_dat q = op_decl_dat(cells, 1, "double", nullptr, "q");
  const auto failing = [](double *v) {
    *v = 1;
    throw std::runtime_error("negative pressure");
  };
  EXPECT_STATUS(OP_ERR_KERNEL, unit::run(failing, "flux", cells, {op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW)}));
  EXPECT_TRUE(contains(op_last_error(), "loop 'flux'"));
  EXPECT_TRUE(contains(op_last_error(), "negative pressure"));
  double values[4];
  EXPECT_STATUS(OP_ERR_STATE, op_fetch_data(q, values));
  EXPECT_TRUE(contains(op_last_error(), "negative pressure"));
  EXPECT_TRUE(contains(op_last_error(), "only op_exit() is possible now"));
  EXPECT_EQ(nullptr, op_decl_set(1, "more"));
  EXPECT_OK(op_exit());
  EXPECT_OK(init("seq"));
  EXPECT_NE(nullptr, op_decl_set(1, "more"));
}

// So does a reduction of the program's own that throws, wherever it is called: between blocks or at the very end.
TEST_F(SessionTest, ThrowingReductionPoisonsTheSession) {
  static int calls_left;
  const auto combine = [](void *into, const void *from, int) {
    if (calls_left-- == 0) throw std::runtime_error("no common denominator");
    *static_cast<double *>(into) += *static_cast<const double *>(from);
  };
  for (const int when : {0, 1}) {
    SCOPED_TRACE(when);
    ASSERT_EQ(OP_OK, init("seq"));
    const op_set cells = op_decl_set(4, "cells");
    const op_dat q = op_decl_dat(cells, 1, "double", nullptr, "q");
    const double zero = 0;
    double sum = 7;
    const op_reduction add = op_decl_reduction("add", "double", 0, combine, &zero);
    calls_left = when;
    EXPECT_STATUS(OP_ERR_KERNEL, unit::run([](double *v, double *s) { *v = 1, *s += *v; }, "flux", cells,
                                           {op_arg_dat(q, -1, OP_ID, 1, "double", OP_WRITE),
                                            op_arg_gbl_reduce(&sum, 1, "double", add)}));
    EXPECT_TRUE(contains(op_last_error(), "loop 'flux'"));
    EXPECT_TRUE(contains(op_last_error(), "no common denominator"));
    EXPECT_STATUS(OP_ERR_STATE, op_barrier());
    EXPECT_OK(op_exit());
  }
}

// A kernel runs in the middle of the library's own work: it may not take away what that needs.
TEST_F(SessionTest, KernelsCannotEndTheSession) {
  static op_status got;
  ASSERT_EQ(OP_OK, init("seq"));
  const op_set cells = op_decl_set(4, "cells");
  const op_dat q = op_decl_dat(cells, 1, "double", nullptr, "q");
  EXPECT_OK(unit::run([](double *v) { got = op_exit(), *v = 1; }, "flux", cells,
                      {op_arg_dat(q, -1, OP_ID, 1, "double", OP_WRITE)}));
  EXPECT_STREQ("OP_ERR_STATE", op_status_name(got));
  EXPECT_EQ(1, op_is_initialised());
  EXPECT_EQ(std::vector<double>({1, 1, 1, 1}), unit::fetched<double>(q));
}

TEST_F(SessionTest, KernelsCannotFreeWhatTheyUse) {
  static op_status got;
  static op_dat scratch;
  ASSERT_EQ(OP_OK, init("seq"));
  const op_set cells = op_decl_set(4, "cells");
  scratch = op_decl_dat_temp(cells, 1, "double", "scratch");
  EXPECT_OK(unit::run([](double *v) { got = op_free_dat_temp(scratch), *v = 1; }, "flux", cells,
                      {op_arg_dat(scratch, -1, OP_ID, 1, "double", OP_WRITE)}));
  EXPECT_STREQ("OP_ERR_STATE", op_status_name(got));
  EXPECT_EQ(std::vector<double>({1, 1, 1, 1}), unit::fetched<double>(scratch));
}

} // namespace

// SPDX-License-Identifier: MIT
