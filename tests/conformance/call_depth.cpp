// call_depth.cpp: how many functions of the library a call of op_par_loop passes on its way to the kernel, counted from
// within the kernel. At most ten (docs/architecture.md, "One loop"): each one more is one more to read for whoever
// follows a call.
#include <dlfcn.h>
#include <execinfo.h>
#include <gtest/gtest.h>
#include <op2/op2.hpp>

#include <cstring>
#include <vector>

namespace {

constexpr int allowed = 10;
int most = 0;

bool of_library(void *address) {
  Dl_info where = {};
  if (dladdr(address, &where) == 0 || !where.dli_fname) return false;
  const char *slash = std::strrchr(where.dli_fname, '/');
  return std::strncmp(slash ? slash + 1 : where.dli_fname, "libop2", 6) == 0;
}

void count(const double *from, double *to) {
  void *frames[64];
  const int depth = backtrace(frames, 64);
  int inside = 0;
  for (int i = 0; i < depth; ++i) inside += of_library(frames[i]);
  if (inside > most) most = inside;
  *to = *from;
}

} // namespace

TEST(CallDepth, OfALoopIsAtMostTen) {
  op_init_params params = OP_INIT_PARAMS;
  params.backend = "seq";
  ASSERT_EQ(op_init_with(&params), OP_OK);
  const std::vector<double> start(4, 1.0);
  const op_set set = op_decl_set(4, "set");
  const op_dat from = op_decl_dat(set, 1, "double", start.data(), "from");
  const op_dat to = op_decl_dat(set, 1, "double", nullptr, "to");
  for (int call = 0; call < 2; ++call) // the first one prepares the loop
    op_par_loop(count, "count", set, op_arg_dat(from, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(to, -1, OP_ID, 1, "double", OP_WRITE));
  op_exit();
  EXPECT_GT(most, 0);
  EXPECT_LE(most, allowed);
}

// SPDX-License-Identifier: MIT
