// fault_test.cpp: an executor fails at every single entry. The call that met it says so; what was declared before is
// unhurt; only a failure inside a loop makes the session unusable; and the next session is as good as new.
#include "support.hpp"

namespace {

using unit::contains;
using unit::Environment;

class Fault : public unit::LibraryTest {
 protected:
  void SetUp() override {
    LibraryTest::SetUp();
    setenv("OP2_PLUGIN_PATH", unit::plugins("failing").c_str(), 1);
  }
  void start() {
    ASSERT_EQ(OP_OK, init("failing")) << op_last_error();
    cells = op_decl_set(4, "cells");
    const double values[] = {1, 2, 3, 4};
    q = op_decl_dat(cells, 1, "double", values, "q");
    ASSERT_NE(nullptr, q) << op_last_error();
  }
  // A loop that adds 10 to every value and counts the elements.
  op_status add() {
    return unit::run([](double *v, double *count) { *v += 10, *count += 1; }, "add", cells,
                     {op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW), op_arg_gbl(&count, 1, "double", OP_INC)});
  }
  void failed(op_status expected, op_status status, const std::string &entry) {
    EXPECT_STREQ(op_status_name(expected), op_status_name(status)) << op_last_error();
    EXPECT_TRUE(contains(op_last_error(), "executor failing, " + entry + ": the device fell off the bus"));
  }
  void holds(const std::vector<double> &expected) { EXPECT_EQ(expected, unit::fetched<double>(q)); }

  op_set cells = nullptr;
  op_dat q = nullptr;
  double count = 0;
};

struct FailAt : Environment {
  explicit FailAt(const char *entry) : Environment{{"FAIL_AT", entry}} {}
};

TEST_F(Fault, NoneAtAll) {
  start();
  EXPECT_OK(add());
  EXPECT_EQ(4, count);
  holds({11, 12, 13, 14});
}

TEST_F(Fault, WhileOpening) {
  for (const char *entry : {"open", "caps"}) {
    {
      const FailAt here(entry);
      failed(entry == std::string("open") ? OP_ERR_BACKEND : OP_ERR_PLUGIN, init("failing"), entry);
    }
    EXPECT_EQ(0, op_is_initialised());
  }
  start();
}

TEST_F(Fault, WhileDeclaring) {
  start();
  struct Case {
    const char *fail_at, *entry;
    op_status status;
  };
  const double values[] = {5, 6, 7, 8};
  for (const Case &fault :
       {Case{"mem_alloc host", "mem_alloc", OP_ERR_MEMORY}, Case{"mem_alloc far", "mem_alloc", OP_ERR_MEMORY},
        Case{"mem_copy", "mem_copy", OP_ERR_PLUGIN}}) {
    SCOPED_TRACE(fault.fail_at);
    const FailAt here(fault.fail_at);
    EXPECT_EQ(nullptr, op_decl_dat(cells, 1, "double", values, "extra"));
    failed(fault.status, op_last_status(), fault.entry);
  }
  {
    const FailAt here("mem_zero");
    EXPECT_EQ(nullptr, op_decl_dat_temp(cells, 1, "double", "extra"));
    failed(OP_ERR_PLUGIN, op_last_status(), "mem_zero");
  }
  const int table[] = {3, 2, 1, 0};
  for (const char *entry : {"mem_alloc far", "mem_copy"}) {
    const FailAt here(entry);
    EXPECT_EQ(nullptr, op_decl_map(cells, cells, 1, table, "extra"));
  }
  EXPECT_NE(nullptr, op_decl_dat_temp(cells, 1, "double", "extra")); // the name is free: nothing was left behind
  EXPECT_NE(nullptr, op_decl_map(cells, cells, 1, table, "extra"));
  EXPECT_OK(add());
  holds({11, 12, 13, 14});
}

TEST_F(Fault, WhileTakingAFreedDatAgain) {
  start();
  const op_dat scratch = op_decl_dat_temp(cells, 1, "double", "scratch");
  EXPECT_OK(op_free_dat_temp(scratch));
  {
    const FailAt here("mem_alloc far");
    EXPECT_EQ(nullptr, op_decl_dat_temp(cells, 1, "double", "scratch"));
  }
  EXPECT_STATUS(OP_ERR_HANDLE, op_free_dat_temp(scratch)); // still freed
  EXPECT_NE(nullptr, op_decl_dat_temp(cells, 1, "double", "scratch"));
}

TEST_F(Fault, WhilePreparingALoop) {
  start();
  {
    const FailAt here("kernel_create");
    failed(OP_ERR_UNSUPPORTED, add(), "kernel_create");
    EXPECT_TRUE(contains(op_last_error(), "loop 'add'"));
  }
  {
    const FailAt here("kernel_plan_request");
    failed(OP_ERR_PLUGIN, add(), "kernel_plan_request");
  }
  {
    const FailAt here("kernel_create without a word");
    EXPECT_STATUS(OP_ERR_UNSUPPORTED, add());
    EXPECT_TRUE(contains(op_last_error(), "executor failing, kernel_create: OP_ERR_UNSUPPORTED"));
  }
  {
    const FailAt here("mem_copy to far"); // the values do not reach the device: nothing has run yet
    failed(OP_ERR_PLUGIN, add(), "mem_copy");
  }
  EXPECT_EQ(0, count);
  holds({1, 2, 3, 4});
  EXPECT_OK(add());
  EXPECT_EQ(4, count);
  holds({11, 12, 13, 14});
}

TEST_F(Fault, WhileFetching) {
  start();
  EXPECT_OK(add());
  double values[4] = {-1, -1, -1, -1};
  {
    const FailAt here("mem_copy");
    failed(OP_ERR_PLUGIN, op_fetch_data(q, values), "mem_copy");
    EXPECT_EQ(-1, values[0]);
    failed(OP_ERR_PLUGIN, op_fetch_data_idx(q, values, 0, 1), "mem_copy");
    const double one = 99;
    failed(OP_ERR_PLUGIN, op_put_data_idx(q, &one, 2, 2), "mem_copy"); // the other rows would be lost
    EXPECT_EQ(nullptr, op_dat_acquire(q, OP_READ));
    failed(OP_ERR_PLUGIN, op_last_status(), "mem_copy");
  }
  {
    const FailAt here("event_wait"); // nobody knows whether the values have come
    failed(OP_ERR_PLUGIN, op_fetch_data(q, values), "event_wait");
  }
  holds({11, 12, 13, 14});
  EXPECT_NE(nullptr, op_dat_acquire(q, OP_READ)); // the failed one does not count
  EXPECT_OK(op_dat_release(q));
}

// Inside a loop: nobody knows which rows are written, so the session ends there.
TEST_F(Fault, WhileRunningALoop) {
  for (const char *entry : {"loop_run", "reduce_wait"}) {
    SCOPED_TRACE(entry);
    start();
    count = 5;
    {
      const FailAt here(entry);
      failed(OP_ERR_PLUGIN, add(), entry);
      EXPECT_TRUE(contains(op_last_error(), "loop 'add'"));
    }
    EXPECT_EQ(5, count); // the program's variable is not half summed
    double values[4];
    EXPECT_STATUS(OP_ERR_STATE, op_fetch_data(q, values));
    EXPECT_TRUE(contains(op_last_error(), "fell off the bus"));
    EXPECT_STATUS(OP_ERR_STATE, add());
    EXPECT_OK(op_exit());
  }
  start();
  count = 0;
  EXPECT_OK(add());
  EXPECT_EQ(4, count);
}

} // namespace

// SPDX-License-Identifier: MIT
