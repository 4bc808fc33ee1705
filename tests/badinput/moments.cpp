// moments.cpp: every public function, with good input, at the wrong moment: before op_init(), after op_exit(), on a
// second thread, inside a kernel, after a loop that failed. What needs a session is refused and changes nothing; the
// rest works.
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "loop_with.hpp"
#include "refuse.hpp"

namespace badinput {

namespace {

// "op_par_loop_site" is what op_par_loop(...) of C and C++ really calls; messages name what the program text says.
std::string spoken(const std::string &name) {
  if (name == "op_par_loop_until_site") return "op_par_loop_until";
  return name == "op_par_loop_site" ? "op_par_loop" : name;
}

// Every function in this moment. Those that need a session fail like this, the others give what they promise.
void expect_all(op_status status, const std::string &words, bool in_session = true) {
  for (const Function &f : functions()) {
    if (!f.call) continue;
    SCOPED_TRACE(f.name);
    op_clear_error();
    const Result result = f.call();
    if (f.needs_session) {
      EXPECT_TRUE(is_error(f.fails, result, status)) << "it did not return its error value";
      expect_error(spoken(f.name), status, {words});
    } else {
      EXPECT_TRUE(f.fine(result, in_session));
      EXPECT_EQ(OP_OK, op_last_status()) << op_last_error();
    }
    covered(f.name);
  }
}

void expect_all_outside() { expect_all(OP_ERR_STATE, "the library is not initialised; call op_init() first", false); }

TEST_F(Library, BeforeInitEveryFunctionSaysHowToStart) { expect_all_outside(); }

TEST_F(Library, AfterExitItIsAsBeforeInit) {
  start_world();
  ASSERT_EQ(OP_OK, op_exit()); // the handles stay in world(): dead ones
  expect_all_outside();
}

TEST_F(Library, AfterAFailedInitItIsAsBeforeInit) {
  op_init_params params = OP_INIT_PARAMS;
  params.backend = "no_such";
  EXPECT_EQ(OP_ERR_BACKEND, op_init_with(&params));
  expect_all_outside();
}

TEST_F(InSession, ASecondThreadIsRefused) {
  const std::string before = state();
  std::thread([] { expect_all(OP_ERR_THREAD, "one thread controls the library"); }).join();
  EXPECT_EQ(before, state());
}

TEST_F(InSession, KernelsAreRefused) {
  const auto kernel = [](double *) { expect_all(OP_ERR_STATE, "kernels must not call the library"); };
  const op_set one = op_decl_set(1, "one");
  const op_dat d = op_decl_dat(one, 1, "double", nullptr, "d");
  const op_arg arg = op_arg_dat(d, -1, OP_ID, 1, "double", OP_RW);
  const std::string before = state_of_mesh();
  EXPECT_EQ(OP_OK, op_par_loop(reinterpret_cast<op_kernel_fn>(+kernel), "caller", one, 1, &arg)) << op_last_error();
  EXPECT_EQ(before, state_of_mesh());
}

// Threads of the executor are neither the control thread nor outside a kernel; whichever is said, nothing is done.
TEST_F(Library, KernelsOnThreadsAreRefused) {
  op_init_params params = OP_INIT_PARAMS;
  params.backend = "openmp";
  params.threads = 2;
  const op_status started = op_init_with(&params);
  if (started == OP_ERR_BACKEND) GTEST_SKIP() << "executor openmp is not there: " << op_last_error();
  ASSERT_EQ(OP_OK, started) << op_last_error();
  static op_set cells;
  cells = op_decl_set(20000, "cells");
  const op_dat d = op_decl_dat(cells, 1, "int", nullptr, "d");
  const auto kernel = [](int *refused) {
    *refused =
        op_decl_set(1, "new") == nullptr && (op_last_status() == OP_ERR_THREAD || op_last_status() == OP_ERR_STATE) &&
        std::string(op_last_error()).find("kernels must not call") != std::string::npos && op_get_size(cells) == -1;
  };
  const op_arg arg = op_arg_dat(d, -1, OP_ID, 1, "int", OP_WRITE);
  ASSERT_EQ(OP_OK, op_par_loop(reinterpret_cast<op_kernel_fn>(+kernel), "caller", cells, 1, &arg)) << op_last_error();
  std::vector<int> refused(20000);
  ASSERT_EQ(OP_OK, op_fetch_data(d, refused.data()));
  EXPECT_EQ(refused, std::vector<int>(20000, 1));
}

// Threads stay with the parent of fork(), and a child that needs them would wait for ever.
TEST_F(Library, AChildWhoseThreadsStayedWithTheParentIsRefused) {
  const char *words = "this process was forked after op_init()";
  op_init_params params = OP_INIT_PARAMS;
  params.backend = "openmp";
  params.threads = 2;
  const op_status started = op_init_with(&params);
  if (started == OP_ERR_BACKEND) GTEST_SKIP() << "executor openmp is not there: " << op_last_error();
  ASSERT_EQ(OP_OK, started) << op_last_error();
  const op_set cells = op_decl_set(20000, "cells");
  const op_dat d = op_decl_dat(cells, 1, "int", nullptr, "d");
  const auto kernel = [](int *value) { *value = 1; };
  const op_arg arg = op_arg_dat(d, -1, OP_ID, 1, "int", OP_WRITE);
  const auto loop = [&] { return op_par_loop(reinterpret_cast<op_kernel_fn>(+kernel), "ones", cells, 1, &arg); };
  ASSERT_EQ(OP_OK, loop()) << op_last_error();
  const Ending refused = run_in_child([&] {
    alarm(60);
    for (const Function &f : functions()) {
      if (!f.call || !f.needs_session) continue;
      SCOPED_TRACE(f.name);
      EXPECT_TRUE(is_error(f.fails, f.call(), OP_ERR_STATE)) << "it did not return its error value";
      expect_error(spoken(f.name), OP_ERR_STATE, {words});
    }
    EXPECT_EQ(OP_ERR_STATE, op_init(0, nullptr, 0));
    expect_error("op_init", OP_ERR_STATE, {words});
    op_clear_error();
    EXPECT_EQ(OP_OK, op_exit()) << op_last_error();
    std::exit(HasFailure() ? 1 : 0);
  });
  EXPECT_EQ(0, refused.exit_code) << "signal " << refused.signal << "; " << refused.errors;
  EXPECT_EQ(OP_OK, loop()) << op_last_error();

  // A child may begin anew where the parent has ended the library, but not with OpenMP's threads.
  ASSERT_EQ(OP_OK, op_exit());
  const Ending anew = run_in_child([&] {
    alarm(60);
    EXPECT_EQ(OP_ERR_STATE, op_init_with(&params));
    expect_error("op_init_with", OP_ERR_STATE, {words, "OpenMP"});
    params.backend = "seq";
    EXPECT_EQ(OP_OK, op_init_with(&params)) << op_last_error();
    EXPECT_NE(nullptr, op_decl_set(1, "one")) << op_last_error();
    EXPECT_EQ(OP_OK, op_exit());
    std::exit(HasFailure() ? 1 : 0);
  });
  EXPECT_EQ(0, anew.exit_code) << "signal " << anew.signal << "; " << anew.errors;
}

// A context without threads goes on; so do tests of programs that look at how a process ends.
TEST_F(InSession, AChildGoesOnWithoutThreads) {
  const Ending ending = run_in_child([] {
    alarm(60);
    const auto kernel = [](double *value) { *value = 1; };
    const op_arg arg = op_arg_dat(world().length, -1, OP_ID, 1, "double", OP_WRITE);
    EXPECT_EQ(OP_OK, op_par_loop(reinterpret_cast<op_kernel_fn>(+kernel), "ones", world().edges, 1, &arg));
    std::exit(HasFailure() ? 1 : 0);
  });
  EXPECT_EQ(0, ending.exit_code) << "signal " << ending.signal << "; " << ending.errors;
}

TEST_F(InSession, AfterAFailedLoopOnlyExitIsPossible) {
  const auto kernel = [](double *) { throw 1; };
  const op_arg arg = op_arg_dat(world().length, -1, OP_ID, 1, "double", OP_RW);
  EXPECT_EQ(OP_ERR_KERNEL, op_par_loop(reinterpret_cast<op_kernel_fn>(+kernel), "thrower", world().edges, 1, &arg));
  expect_all(OP_ERR_STATE, "only op_exit() is possible now");
}

// ---- the default handler -------------------------------------------------------------------------------------------

class ByDefault : public InSession {
 protected:
  void SetUp() override {
    Library::SetUp();
    unsetenv("OP2_ERROR");
  }
  void TearDown() override { Library::TearDown(); }
};

TEST_F(ByDefault, OutsideASessionTheProcessEnds) {
  start_world(); // the last session's OP2_ERROR counts
  ASSERT_EQ(OP_OK, op_exit());
  for (const Function &f : functions()) {
    if (!f.call || !f.needs_session) continue;
    SCOPED_TRACE(f.name);
    expect_end_of_process(spoken(f.name), OP_ERR_STATE, [&] { f.call(); });
  }
}

TEST_F(ByDefault, OnASecondThreadTheProcessEnds) {
  start_world();
  for (const Function &f : functions()) {
    if (!f.call || !f.needs_session) continue;
    SCOPED_TRACE(f.name);
    expect_end_of_process(spoken(f.name), OP_ERR_THREAD, [&] { std::thread(f.call).join(); });
  }
}

TEST_F(ByDefault, InAKernelTheProcessEnds) {
  start_world();
  for (const Function &f : functions()) {
    if (!f.call || !f.needs_session) continue;
    SCOPED_TRACE(f.name);
    static const Function *called;
    called = &f;
    expect_end_of_process(spoken(f.name), OP_ERR_STATE, [] {
      const auto kernel = [](double *) { called->call(); };
      const op_arg arg = op_arg_dat(world().length, -1, OP_ID, 1, "double", OP_RW);
      op_par_loop(reinterpret_cast<op_kernel_fn>(+kernel), "caller", world().edges, 1, &arg);
    });
  }
}

} // namespace

} // namespace badinput

// SPDX-License-Identifier: MIT
