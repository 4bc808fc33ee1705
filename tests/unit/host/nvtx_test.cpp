// nvtx_test.cpp: an attached profiler is told the names of loops and plans, and nobody else is. The profiler is
// nvtx_profiler.cpp, loaded in the way profilers are.
#include <dlfcn.h>

#include "support.hpp"

namespace {

class NvtxTest : public unit::LibraryTest {
 protected:
  void TearDown() override {
    LibraryTest::TearDown();
    unsetenv("NVTX_INJECTION64_PATH");
  }
  static void program() {
    ASSERT_EQ(OP_OK, init("seq"));
    const op_set cells = op_decl_set(4, "cells");
    const op_dat q = op_decl_dat(cells, 1, "double", nullptr, "q");
    for (int i = 0; i < 2; ++i)
      EXPECT_OK(unit::run([](double *v) { *v += 1; }, "flux", cells, {op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW)}));
    EXPECT_EQ(std::vector<double>(4, 2.0), unit::fetched<double>(q));
    EXPECT_OK(op_exit());
  }
};

#ifdef OP2_TEST_PROFILER

// What the profiler wrote down; "" when it was not even loaded.
std::string notes() {
  void *profiler = dlopen(OP2_TEST_PROFILER, RTLD_NOW | RTLD_NOLOAD);
  if (!profiler) return "";
  const auto read = reinterpret_cast<const char *(*)()>(dlsym(profiler, "op2_test_profiler_notes"));
  const std::string out = read ? read() : "no notes";
  dlclose(profiler);
  return out;
}

TEST_F(NvtxTest, AnAttachedProfilerHearsOfLoopsAndNobodyElse) {
  program(); // nobody is there
  EXPECT_EQ("", notes());
  setenv("NVTX_INJECTION64_PATH", OP2_TEST_PROFILER, 1);
  program();
  EXPECT_EQ("libop2(prepare flux libop2) libop2(flux libop2) libop2(flux libop2) libop2(fetch q libop2) ", notes());
}

#else

TEST_F(NvtxTest, AnAttachedProfilerHearsOfLoopsAndNobodyElse) { GTEST_SKIP() << "this build has no NVTX"; }

#endif

} // namespace

// SPDX-License-Identifier: MIT
