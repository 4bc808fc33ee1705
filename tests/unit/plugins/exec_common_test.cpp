// exec_common_test.cpp: what executors share: pieces and blocks of elements, addresses of rows.
#include <gtest/gtest.h>

#include <stdexcept>

#include "plugins/exec_common/host.hpp"
#include "plugins/exec_common/in_order.hpp"

using namespace op2::exec_common;

namespace {

TEST(Pieces, CoverTheRangeInWholeUnits) {
  op_exec_call call{};
  call.begin = 7;
  for (const int32_t end : {7, 8, 1031, 20000, 1000000}) {
    call.end = end;
    const int64_t piece = piece_of(call, 2);
    EXPECT_EQ(0, piece % 1024);
    int32_t at = call.begin;
    in_pieces(call.begin, call.end, piece, [&](int32_t from, int32_t to) {
      EXPECT_EQ(at, from);
      EXPECT_TRUE(to == end ? to - from <= piece : to - from == piece);
      at = to;
    });
    EXPECT_EQ(end, at);
  }
}

TEST(Blocks, EachHasARecordOfItsOwn) {
  const int32_t arg = 0, offset_of_block[] = {0, 3, 3, 5};
  const std::size_t offset = 8;
  op_exec_reduce reduce{};
  reduce.record_bytes = 64;
  reduce.count = 1;
  reduce.arg = &arg;
  reduce.offset = &offset;
  reduce.combine = [](const op_exec_reduce *, void *into, const void *later) {
    static_cast<double *>(into)[1] = 10 * static_cast<double *>(into)[1] + static_cast<const double *>(later)[1];
  };
  op_exec_plan plan{};
  plan.nblocks = 3;
  plan.block_offset = offset_of_block;
  const double start[8] = {};
  double result[8];
  op_exec_call call{};
  call.plan = &plan;
  call.reduce_start = start;
  call.reduce_result = result;
  std::vector<char> record;
  op_range_arg args[1] = {};
  run_blocks(reduce, call, record, args,
             [&](int32_t begin, int32_t end) { *reinterpret_cast<double *>(args[0].base) += end - begin; });
  EXPECT_EQ(302, result[1]); // 3, 0 and 2, in this order
}

TEST(KernelFailure, IsInWords) {
  const auto thrown = [](auto what) {
    try {
      throw what;
    } catch (...) {
      return kernel_failure();
    }
  };
  EXPECT_EQ("too hot", thrown(std::runtime_error("too hot")));
  EXPECT_EQ("the kernel threw an exception that is not a std::exception", thrown(1));
}

} // namespace

// SPDX-License-Identifier: MIT
