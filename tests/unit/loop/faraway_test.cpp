// faraway_test.cpp: an executor with memory that the host cannot touch and a queue that nobody empties unasked: the
// core gives the same answers on it as on seq, and its tables say all that such a device needs.
#include <cstring>
#include <set>

#include "faraway_program.hpp"
#include "host.hpp"
#include "host/plugins/tables.hpp"
#include "op2/heads.h"
#include "support.hpp"

namespace {

using unit::contains;

class Faraway : public unit::LibraryTest {
 protected:
  void SetUp() override {
    LibraryTest::SetUp();
    setenv("OP2_PLUGIN_PATH", unit::plugins("faraway").c_str(), 1);
  }
};

TEST_F(Faraway, RandomProgramsGiveTheAnswersOfSeq) {
  std::set<std::string> calls;
  for (unsigned seed = 0; seed < 60; ++seed) {
    const auto expected = unit::run_random_program("seq", seed, 60),
               got = unit::run_random_program("faraway", seed, 60);
    ASSERT_EQ(expected.size(), got.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      calls.insert(got[i].call);
      ASSERT_EQ(expected[i].call, got[i].call);
      ASSERT_EQ(expected[i].values, got[i].values) << "seed " << seed << ", step " << i << ", " << got[i].call;
    }
  }
  EXPECT_EQ(18u, calls.size()); // every kind of call came up
}

TEST_F(Faraway, RoundingIsThatOfSeq) { // partial sums have the same shape
  double sums[2];
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(OP_OK, init(i ? "faraway" : "seq"));
    const op_set cells = op_decl_set(100000, "cells");
    std::vector<double> values(100000);
    for (std::size_t c = 0; c < values.size(); ++c) values[c] = 1.0 / static_cast<double>(c + 1);
    const op_dat q = op_decl_dat(cells, 1, "double", values.data(), "q");
    sums[i] = 0.1;
    EXPECT_OK(unit::run([](const double *v, double *s) { *s += *v; }, "sum", cells,
                        {op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ), op_arg_gbl(&sums[i], 1, "double", OP_INC)}));
    EXPECT_OK(op_exit());
  }
  EXPECT_EQ(sums[0], sums[1]);
}

TEST_F(Faraway, EmptySetsAreFine) {
  ASSERT_EQ(OP_OK, init("faraway"));
  const op_set none = op_decl_set(0, "none"), some = op_decl_set(3, "some");
  const op_map map = op_decl_map(none, some, 2, nullptr, "map");
  const op_dat a = op_decl_dat(none, 1, "double", nullptr, "a");
  const double three[] = {1, 2, 3};
  const op_dat b = op_decl_dat(some, 1, "double", three, "b");
  double sum = 5;
  EXPECT_OK(unit::run([](double *, double *, double *) { FAIL() << "there are no elements"; }, "none", none,
                      {op_arg_dat(a, -1, OP_ID, 1, "double", OP_WRITE), op_arg_dat(b, 1, map, 1, "double", OP_WRITE),
                       op_arg_gbl(&sum, 1, "double", OP_INC)}));
  EXPECT_EQ(5, sum);
  EXPECT_EQ(std::vector<double>({1, 2, 3}), unit::fetched<double>(b));
  EXPECT_EQ(std::vector<double>(), unit::fetched<double>(a));
}

TEST_F(Faraway, ThrowingKernelIsReportedWhenItsTimeComes) {
  ASSERT_EQ(OP_OK, init("faraway"));
  const op_set cells = op_decl_set(4, "cells");
  EXPECT_STATUS(OP_ERR_KERNEL, unit::run([](const int *) { throw std::runtime_error("negative pressure"); }, "flux",
                                         cells, {op_arg_idx(-1, OP_ID)}));
  EXPECT_TRUE(contains(op_last_error(), "loop 'flux'"));
  EXPECT_TRUE(contains(op_last_error(), "negative pressure"));
  EXPECT_EQ(nullptr, op_decl_set(1, "more"));
  EXPECT_EQ(OP_ERR_STATE, op_last_status());
}

TEST_F(Faraway, FormIsToldInTheTable) {
  ASSERT_EQ(OP_OK, init("faraway"));
  const op_set cells = op_decl_set(4, "cells");
  EXPECT_OK(unit::run([](const int *) {}, "nothing", cells, {op_arg_idx(-1, OP_ID)}));
  testing::internal::CaptureStdout();
  EXPECT_OK(op_timing_output());
  EXPECT_TRUE(contains(testing::internal::GetCapturedStdout(), "element, far away"));
}

// ---- far memory really is out of reach
// -------------------------------------------------------------------------------

using FarawayDeathTest = Faraway;

TEST_F(FarawayDeathTest, HostTouchingFarMemoryDies) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  ASSERT_EQ(OP_OK, init("faraway"));
  const op_set cells = op_decl_set(4, "cells");
  const op_dat q = op_decl_dat(cells, 1, "double", nullptr, "q");
  const volatile char *far_away = q->data_d;
  ASSERT_NE(nullptr, far_away);
  EXPECT_DEATH((void)*far_away, "");
  EXPECT_EQ(0, *q->data); // its own copy is near
}

// ---- the tables, used as a core with many devices' worth of work in flight would
// ------------------------------------------

class FarawayTable : public testing::Test {
 protected:
  FarawayTable() {
    unit::clear_environment();
    host = std::make_unique<unit::Host>(unit::plugins("faraway"));
    ops = op2::core::exec_table(*host->registry, host->registry->get(OP_PLUGIN_EXEC, "faraway"));
    op_exec_params params{};
    params.size = sizeof params;
    params.host = host->services.table();
    EXPECT_EQ(OP_OK, ops.open(&params, &exec));
  }
  ~FarawayTable() override { ops.close(exec); } // which finds what was forgotten

  template <class T>
  void *upload(const std::vector<T> &values) {
    void *p = nullptr;
    EXPECT_EQ(OP_OK, ops.mem_alloc(exec, OP_SPACE_PRIVATE, sizeof(T) * values.size(), &p));
    EXPECT_EQ(0u, reinterpret_cast<std::uintptr_t>(p) % 64);
    EXPECT_EQ(OP_OK, ops.mem_copy(exec, p, OP_SPACE_PRIVATE, values.data(), OP_SPACE_HOST, sizeof(T) * values.size(),
                                  nullptr));
    return p;
  }
  template <class T>
  std::vector<T> download(const void *p, std::size_t count) {
    std::vector<T> out(count);
    EXPECT_EQ(OP_OK, ops.mem_copy(exec, out.data(), OP_SPACE_HOST, p, OP_SPACE_PRIVATE, sizeof(T) * count, nullptr));
    return out;
  }
  void wait_and_free(op_event event) {
    EXPECT_EQ(OP_OK, ops.event_wait(exec, event));
    ops.event_free(exec, event);
  }

  std::unique_ptr<unit::Host> host;
  op_exec_ops_v1 ops{};
  op_exec *exec = nullptr;
};

TEST_F(FarawayTable, SaysWhatItIs) {
  op_exec_caps caps{};
  caps.size = sizeof caps;
  EXPECT_EQ(OP_OK, ops.caps(exec, &caps));
  EXPECT_EQ(OP_SPACE_PRIVATE, caps.space);
  EXPECT_EQ(1, caps.separate_memory);
  EXPECT_EQ(1, caps.asynchronous);
}

TEST_F(FarawayTable, CopiesRunInTheirOrder) {
  void *p = upload(std::vector<int>{1, 2, 3, 4});
  const std::vector<int> newer = {5, 6, 7, 8};
  std::vector<int> back(4);
  op_event up = nullptr, down = nullptr;
  EXPECT_EQ(OP_OK, ops.mem_copy(exec, p, OP_SPACE_PRIVATE, newer.data(), OP_SPACE_HOST, 16, &up));
  EXPECT_EQ(OP_OK, ops.mem_copy(exec, back.data(), OP_SPACE_HOST, p, OP_SPACE_PRIVATE, 16, &down));
  EXPECT_EQ(std::vector<int>({0, 0, 0, 0}), back) << "nothing may happen before somebody waits";
  EXPECT_EQ(OP_OK, ops.event_wait(exec, down));
  EXPECT_EQ(newer, back);
  EXPECT_EQ(1, ops.event_query(exec, up)); // past too: the other one came after it
  ops.event_free(exec, up);
  ops.event_free(exec, down);
  ops.mem_free(exec, OP_SPACE_PRIVATE, p);
}

TEST_F(FarawayTable, QueriesComeToAnEnd) {
  void *p = upload(std::vector<int>(4));
  op_event first = nullptr, second = nullptr;
  const int seven = 7;
  ops.mem_copy(exec, p, OP_SPACE_PRIVATE, &seven, OP_SPACE_HOST, 4, &first);
  ops.mem_copy(exec, static_cast<char *>(p) + 4, OP_SPACE_PRIVATE, &seven, OP_SPACE_HOST, 4, &second);
  EXPECT_EQ(0, ops.event_query(exec, second));
  EXPECT_EQ(1, ops.event_query(exec, second));
  EXPECT_EQ(std::vector<int>({7, 7, 0, 0}), download<int>(p, 4));
  ops.event_free(exec, first);
  ops.event_free(exec, second);
  EXPECT_EQ(OP_OK, ops.mem_zero(exec, OP_SPACE_PRIVATE, p, 8));
  EXPECT_EQ(std::vector<int>({0, 0, 0, 0}), download<int>(p, 4));
  ops.mem_free(exec, OP_SPACE_PRIVATE, p);
}

TEST_F(FarawayTable, HaloTravelsThroughABuffer) {
  // Two dats, two neighbours: rows 1 and 4 to the first, row 2 to the second.
  const std::vector<double> a = {0, 1, 2, 3, 4}, b = {0, 1, 10, 11, 20, 21, 30, 31, 40, 41};
  void *far_a = upload(a), *far_b = upload(b);
  const int32_t offset[] = {0, 2, 3}, send_rows[] = {1, 4, 2}, receive_rows[] = {0, 3, 4};
  const op_exec_halo_lists lists[] = {{sizeof(op_exec_halo_lists), 2, 0, offset, send_rows},
                                      {sizeof(op_exec_halo_lists), 2, 0, offset, receive_rows}};
  op_exec_halo *halo = nullptr;
  ASSERT_EQ(OP_OK, ops.halo_upload(exec, lists, 2, &halo));
  std::vector<double> buffer(9);
  op_event packed = nullptr, unpacked = nullptr;
  const op_exec_halo_item out[] = {{static_cast<char *>(far_a), 8, 0, 0, 0, 0},
                                   {static_cast<char *>(far_b), 16, 0, 0, 0, 0}};
  const op_exec_halo_item in[] = {{static_cast<char *>(far_a), 8, 1, 0, 0, 0},
                                  {static_cast<char *>(far_b), 16, 1, 0, 0, 0}};
  EXPECT_EQ(OP_OK, ops.halo_pack(exec, halo, out, 2, buffer.data(), OP_SPACE_HOST, &packed));
  wait_and_free(packed);
  EXPECT_EQ(std::vector<double>({1, 4, 10, 11, 40, 41, 2, 20, 21}), buffer); // one message after the other
  EXPECT_EQ(OP_OK, ops.halo_unpack(exec, halo, in, 2, buffer.data(), OP_SPACE_HOST, &unpacked));
  wait_and_free(unpacked);
  EXPECT_EQ(std::vector<double>({1, 1, 2, 4, 2}), download<double>(far_a, 5));
  EXPECT_EQ(std::vector<double>({10, 11, 10, 11, 20, 21, 40, 41, 20, 21}), download<double>(far_b, 10));
  ops.halo_free(exec, halo);
  ops.mem_free(exec, OP_SPACE_PRIVATE, far_a);
  ops.mem_free(exec, OP_SPACE_PRIVATE, far_b);
}

TEST_F(FarawayTable, OtherMemoryIsRefused) {
  void *p = nullptr;
  EXPECT_EQ(OP_ERR_UNSUPPORTED, ops.mem_alloc(exec, OP_SPACE_CUDA, 64, &p));
  EXPECT_EQ("there is host memory and far memory", host->services.take_failure());
}

// Mistakes of a core that the tests above would otherwise not notice.
using FarawayTableDeathTest = FarawayTable;

TEST_F(FarawayTableDeathTest, MistakesOfTheCoreAreFaults) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  void *p = upload(std::vector<int>(4));
  int near[4] = {};
  const auto copy = [&](void *to, op_space to_space, const void *from, op_space from_space, std::size_t bytes) {
    ops.mem_copy(exec, to, to_space, from, from_space, bytes, nullptr);
  };
  EXPECT_DEATH(copy(p, OP_SPACE_HOST, near, OP_SPACE_HOST, 16), "the target is not in the space");
  EXPECT_DEATH(copy(p, OP_SPACE_PRIVATE, near, OP_SPACE_PRIVATE, 16), "the source is not in the space");
  EXPECT_DEATH(copy(p, OP_SPACE_PRIVATE, near, OP_SPACE_HOST, 17), "the target is not in the space");
  EXPECT_DEATH(ops.mem_free(exec, OP_SPACE_HOST, p), "was not allocated in this space");
  EXPECT_DEATH(ops.close(exec), "memory was not freed");
  EXPECT_DEATH(
      {
        op_event event = nullptr;
        ops.mem_copy(exec, p, OP_SPACE_PRIVATE, near, OP_SPACE_HOST, 16, &event);
        ops.event_free(exec, event);
      },
      "freed before it was waited for");
  ops.mem_free(exec, OP_SPACE_PRIVATE, p);
}

} // namespace

// SPDX-License-Identifier: MIT
