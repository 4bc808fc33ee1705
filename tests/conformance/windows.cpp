// op_dat_acquire() and op_dat_release(): a window on the library's own memory.
#include "suite.hpp"

namespace conformance {

using Windows = Topic;

void add_one(op_set cells, op_dat x) {
  run([](double *p) { *p += 1; }, "add", cells, direct(x, OP_INC));
}

TEST_F(Windows, EachAccessSeesAndLeavesWhatItShould) {
  for (const int size : every_size()) {
    SCOPED_TRACE(size);
    compare([size](Outcome &out) {
      const op_set cells = declare_set(size, "cells");
      std::vector<double> x = whole<double>(static_cast<std::size_t>(size), 170, -9, 9);
      const op_dat dx = declare_dat(cells, 1, x, "x");
      const std::size_t rows = static_cast<std::size_t>(op_get_size_declared(cells));
      add_one(cells, dx);
      for (double &value : x) value += 1;

      double *window = static_cast<double *>(op_dat_acquire(dx, OP_READ));
      ASSERT_NE(nullptr, window) << op_last_error();
      long long sum = 0, wanted = 0;
      for (std::size_t i = 0; i < rows; ++i) sum += static_cast<long long>(window[i]);
      const Part part = own_part(size);
      for (int i = part.first; i < part.first + part.size; ++i)
        wanted += static_cast<long long>(x[static_cast<std::size_t>(i)]);
      EXPECT_EQ(wanted, sum);
      EXPECT_OK(op_dat_release(dx));
      out.same("read", fetch<double>(dx), x);

      window = static_cast<double *>(op_dat_acquire(dx, OP_RW));
      ASSERT_NE(nullptr, window) << op_last_error();
      for (std::size_t i = 0; i < rows; ++i) window[i] *= 3;
      EXPECT_OK(op_dat_release(dx));
      add_one(cells, dx); // the next loop sees it
      for (double &value : x) value = 3 * value + 1;
      out.same("read and written", fetch<double>(dx), x);

      window = static_cast<double *>(op_dat_acquire(dx, OP_WRITE));
      ASSERT_NE(nullptr, window) << op_last_error();
      for (std::size_t i = 0; i < rows; ++i) window[i] = 40;
      EXPECT_OK(op_dat_release(dx));
      add_one(cells, dx);
      out.same("written", fetch<double>(dx), std::vector<double>(x.size(), 41));
    });
  }
}

// Until the release no loop may use the dat, and the refusal harms nothing.
TEST_F(Windows, LoopsAreRefusedWhileAWindowIsOpen) {
  const Session session;
  const op_set cells = declare_set(5000, "cells");
  const op_dat dx = declare_dat(cells, 1, std::vector<double>(5000, 2), "x"),
               dy = declare_dat(cells, 1, std::vector<double>(5000, 9), "y");
  const auto copy = [&] {
    return try_run([](const double *a, double *b) { *b = *a; }, "copy", cells, direct(dx, OP_READ),
                   direct(dy, OP_WRITE));
  };
  for (const op_access access : {OP_READ, OP_WRITE, OP_RW})
    for (const op_dat dat : {dx, dy}) {
      double *window = static_cast<double *>(op_dat_acquire(dat, access));
      ASSERT_NE(nullptr, window) << op_last_error();
      EXPECT_STATUS(OP_ERR_STATE, copy());
      if (access != OP_READ)
        for (int i = 0; i < op_get_size_declared(cells); ++i) window[i] = 5; // still valid after the refusal
      EXPECT_OK(op_dat_release(dat));
    }
  add_one(cells, dx);
  EXPECT_OK(copy());
  EXPECT_EQ(std::vector<double>(5000, 6), fetch<double>(dy));
}

// A loop that does not use the dat may run, also if it was switched off in it.
TEST_F(Windows, OtherLoopsMayRun) {
  const Session session;
  const op_set cells = declare_set(5000, "cells");
  const op_dat dx = declare_dat(cells, 1, std::vector<double>(5000, 2), "x"),
               dy = declare_dat(cells, 1, std::vector<double>(5000, 9), "y");
  ASSERT_NE(nullptr, op_dat_acquire(dx, OP_RW)) << op_last_error();
  run([](const double *a, double *b) { *b += a ? 100 : 1; }, "other", cells,
      op_opt_arg_dat(0, dx, -1, OP_ID, 1, "double", OP_READ), direct(dy, OP_RW));
  EXPECT_OK(op_dat_release(dx));
  EXPECT_EQ(std::vector<double>(5000, 10), fetch<double>(dy));
}

TEST_F(Windows, MisuseIsRefused) {
  const Session session;
  const op_set cells = declare_set(10, "cells");
  const op_dat dx = declare_dat(cells, 1, std::vector<double>(10, 2), "x");
  EXPECT_STATUS(OP_ERR_STATE, op_dat_release(dx)); // nothing to release
  for (const op_access access : {OP_INC, OP_MIN, OP_MAX, OP_REDUCE, -1, 99}) {
    EXPECT_EQ(nullptr, op_dat_acquire(dx, access));
    EXPECT_STATUS(OP_ERR_ACCESS, op_last_status());
  }
  EXPECT_EQ(nullptr, op_dat_acquire(nullptr, OP_READ));
  EXPECT_STATUS(OP_ERR_HANDLE, op_last_status());
  ASSERT_NE(nullptr, op_dat_acquire(dx, OP_READ)) << op_last_error();
  EXPECT_EQ(nullptr, op_dat_acquire(dx, OP_READ));
  EXPECT_STATUS(OP_ERR_STATE, op_last_status());
  EXPECT_OK(op_dat_release(dx));
  EXPECT_STATUS(OP_ERR_STATE, op_dat_release(dx));
}

} // namespace conformance

// SPDX-License-Identifier: MIT
