// error_test.cpp: how errors reach the program: status, message, handler, end of the process.
#include <cstddef>
#include <cstring>
#include <thread>

#include "api/guard.hpp"
#include "support.hpp"

namespace {

using unit::contains;
using unit::Environment;

class ErrorTest : public unit::LibraryTest {
 public:
  using LibraryTest::init;
};

// ---- what is remembered --------------------------------------------------------------------------------------------

TEST_F(ErrorTest, NothingIsRememberedAtFirst) {
  EXPECT_STREQ("", op_last_error());
  EXPECT_EQ(OP_OK, op_last_status());
}

TEST_F(ErrorTest, LastErrorTellsWhatHappened) {
  ASSERT_EQ(OP_OK, init("seq"));
  EXPECT_EQ(nullptr, op_decl_set(-1, "cells"));
  EXPECT_EQ(OP_ERR_ARGUMENT, op_last_status());
  EXPECT_STREQ("op_decl_set: the size of set 'cells' is negative: -1", op_last_error());
  EXPECT_NE(nullptr, op_decl_set(1, "cells")); // a good call does not change the past
  EXPECT_EQ(OP_ERR_ARGUMENT, op_last_status());
  op_clear_error();
  EXPECT_EQ(OP_OK, op_last_status());
  EXPECT_STREQ("", op_last_error());
}

op_error info() {
  op_error out{};
  out.size = sizeof out;
  EXPECT_OK(op_last_error_info(&out));
  return out;
}

TEST_F(ErrorTest, InfoHasNothingWhereNothingApplies) {
  ASSERT_EQ(OP_OK, init("seq"));
  op_decl_set(-1, "cells");
  const op_error error = info();
  EXPECT_EQ(sizeof(op_error), error.size);
  EXPECT_EQ(OP_ERR_ARGUMENT, error.code);
  EXPECT_STREQ(op_last_error(), error.message);
  EXPECT_STREQ("op_decl_set", error.call);
  EXPECT_EQ(nullptr, error.loop);
  EXPECT_EQ(-1, error.arg);
  EXPECT_EQ(nullptr, error.file);
  EXPECT_EQ(-1, error.line);
}

TEST_F(ErrorTest, InfoFillsOnlyWhatAnOlderProgramHas) {
  ASSERT_EQ(OP_OK, init("seq"));
  op_decl_set(-1, "cells");
  op_error old;
  std::memset(&old, 0x5A, sizeof old);
  old.size = offsetof(op_error, call); // a program from before `call` existed
  EXPECT_OK(op_last_error_info(&old));
  EXPECT_EQ(OP_ERR_ARGUMENT, old.code);
  EXPECT_STREQ(op_last_error(), old.message);
  const char *tail = reinterpret_cast<const char *>(&old);
  for (std::size_t i = offsetof(op_error, call); i < sizeof old; ++i)
    ASSERT_EQ(0x5A, tail[i]) << "byte " << i << " was written";
  EXPECT_OK(op_last_error_info(&old)); // asking again must not write further than the first time
  for (std::size_t i = offsetof(op_error, call); i < sizeof old; ++i)
    ASSERT_EQ(0x5A, tail[i]) << "byte " << i << " was written";
}

TEST_F(ErrorTest, InfoOfANewerProgramKeepsItsTail) {
  ASSERT_EQ(OP_OK, init("seq"));
  op_decl_set(-1, "cells");
  struct {
    op_error known;
    char later[8];
  } newer;
  std::memset(&newer, 0x5A, sizeof newer);
  newer.known.size = sizeof newer;
  EXPECT_OK(op_last_error_info(&newer.known));
  EXPECT_STREQ(op_last_error(), newer.known.message);
  for (const char c : newer.later) EXPECT_EQ(0x5A, c);
}

TEST_F(ErrorTest, InfoWithoutASizeIsAnError) {
  op_error out{};
  EXPECT_STATUS(OP_ERR_ARGUMENT, op_last_error_info(&out));
  EXPECT_STATUS(OP_ERR_ARGUMENT, op_last_error_info(nullptr));
  EXPECT_TRUE(contains(op_last_error(), "op_last_error_info"));
}

TEST_F(ErrorTest, EachThreadHasItsOwnLastError) {
  ASSERT_EQ(OP_OK, init("seq"));
  op_decl_set(-1, "cells");
  const std::string mine = op_last_error();
  std::thread([&] {
    EXPECT_EQ(OP_OK, op_last_status());
    EXPECT_STATUS(OP_ERR_THREAD, op_barrier());
    EXPECT_EQ(OP_ERR_THREAD, op_last_status());
  }).join();
  EXPECT_EQ(mine, op_last_error());
}

TEST_F(ErrorTest, StatusesHaveNames) {
  EXPECT_STREQ("OP_OK", op_status_name(OP_OK));
  EXPECT_STREQ("OP_ERR_STATE", op_status_name(OP_ERR_STATE));
  EXPECT_STREQ("OP_ERR_RANGE", op_status_name(OP_ERR_RANGE));
  EXPECT_STREQ("OP_ERR_KERNEL", op_status_name(OP_ERR_KERNEL));
  EXPECT_STREQ("OP_ERR_INTERNAL", op_status_name(OP_ERR_INTERNAL));
  for (int status = OP_OK; status <= OP_ERR_CHECK; ++status)
    for (int other = OP_OK; other < status; ++other) EXPECT_STRNE(op_status_name(other), op_status_name(status));
  for (const int status : {-1, OP_ERR_CHECK + 1, 1000}) EXPECT_STREQ("unknown status", op_status_name(status));
}

// ---- handlers ------------------------------------------------------------------------------------------------------

struct Heard {
  int times = 0;
  op_status code = OP_OK;
  std::string message, call;
  std::thread::id thread;
};
void hear(const op_error *error, void *user) {
  Heard &heard = *static_cast<Heard *>(user);
  ++heard.times;
  heard.code = error->code;
  heard.message = error->message;
  heard.call = error->call ? error->call : "";
  heard.thread = std::this_thread::get_id();
  EXPECT_EQ(sizeof(op_error), error->size);
  EXPECT_STREQ(op_last_error(), error->message); // the message is there already
}

TEST_F(ErrorTest, HandlerHearsEachErrorOnce) {
  ASSERT_EQ(OP_OK, init("seq"));
  Heard heard;
  EXPECT_OK(op_set_error_handler(hear, &heard));
  EXPECT_NE(nullptr, op_decl_set(3, "nodes"));
  EXPECT_EQ(0, heard.times);
  EXPECT_EQ(nullptr, op_decl_set(-1, "cells"));
  EXPECT_EQ(1, heard.times);
  EXPECT_EQ(OP_ERR_ARGUMENT, heard.code);
  EXPECT_EQ("op_decl_set", heard.call);
  EXPECT_TRUE(contains(heard.message, "'cells'"));
  EXPECT_EQ(-1, op_dat_dim(nullptr));
  EXPECT_EQ(2, heard.times);
  EXPECT_EQ(OP_ERR_HANDLE, heard.code);
  op_set_error_handler(op_error_return, nullptr);
  op_decl_set(-1, "cells");
  EXPECT_EQ(2, heard.times);
}

TEST_F(ErrorTest, HandlerThatForgetsTheErrorDoesNotHideIt) {
  ASSERT_EQ(OP_OK, init("seq"));
  op_set_error_handler([](const op_error *, void *) { op_clear_error(); }, nullptr);
  EXPECT_EQ(OP_ERR_ARGUMENT, op_decl_const_named("gam", 1, "double", nullptr));
  EXPECT_EQ(OP_OK, op_last_status());
}

TEST_F(ErrorTest, HandlerHearsErrorsOutsideASession) {
  Heard heard;
  EXPECT_OK(op_set_error_handler(hear, &heard));
  EXPECT_STATUS(OP_ERR_STATE, op_barrier());
  EXPECT_EQ(1, heard.times);
  EXPECT_STATUS(OP_ERR_BACKEND, init("no_such"));
  EXPECT_EQ(2, heard.times);
  EXPECT_EQ(OP_ERR_BACKEND, heard.code);
}

TEST_F(ErrorTest, HandlerRunsOnTheThreadOfTheCall) {
  ASSERT_EQ(OP_OK, init("seq"));
  Heard heard;
  op_set_error_handler(hear, &heard);
  std::thread::id other;
  std::thread([&] {
    other = std::this_thread::get_id();
    op_barrier();
  }).join();
  EXPECT_EQ(1, heard.times);
  EXPECT_EQ(other, heard.thread);
}

// ---- the default handler -------------------------------------------------------------------------------------------

class DefaultHandler : public ErrorTest {
 protected:
  void SetUp() override {
    ErrorTest::SetUp();
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    op_set_error_handler(nullptr, nullptr);
  }
};
using DefaultHandlerDeathTest = DefaultHandler;

constexpr char once[] = "^op2: error: op_decl_set: the size of set 'cells' is negative: -1 \\(OP_ERR_ARGUMENT\\)\n$";

TEST_F(DefaultHandlerDeathTest, PrintsOnceAndEndsTheProcess) {
  EXPECT_EXIT(
      {
        init("seq");
        op_decl_set(-1, "cells");
      },
      testing::ExitedWithCode(1), once);
}

TEST_F(DefaultHandlerDeathTest, EndsTheProcessWithoutASessionToo) {
  EXPECT_EXIT(op_barrier(), testing::ExitedWithCode(1),
              "^op2: error: op_barrier: the library is not initialised.*OP_ERR_STATE");
  EXPECT_EXIT(init("sek"), testing::ExitedWithCode(1),
              "there is no back end 'sek'; did you mean 'seq'.*OP_ERR_BACKEND");
}

TEST_F(DefaultHandlerDeathTest, ComesBackWithNull) {
  EXPECT_EXIT(
      {
        op_set_error_handler(op_error_return, nullptr);
        init("seq");
        op_decl_set(-1, "not printed");
        op_set_error_handler(nullptr, nullptr);
        op_decl_set(-1, "cells");
      },
      testing::ExitedWithCode(1), once);
}

void prints_and_fails() {
  dup2(STDERR_FILENO, STDOUT_FILENO); // one stream, so that the order shows
  static char buffer[4096];
  std::setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  ErrorTest::init("seq");
  std::printf("iteration 7\n");
  op_decl_set(-1, "cells");
}
TEST_F(DefaultHandlerDeathTest, LosesNothingThatWasPrinted) {
  EXPECT_EXIT(prints_and_fails(), testing::ExitedWithCode(1), "iteration 7\nop2: error");
}

TEST_F(DefaultHandlerDeathTest, EndsAllProcessesThroughTheCommunicator) {
  setenv("OP2_PLUGIN_PATH", unit::plugins("good").c_str(), 1);
  EXPECT_EXIT(
      {
        init("fake+seq");
        op_decl_set(-1, "cells");
      },
      testing::ExitedWithCode(41), "^op2: error: .*\ncomm_fake ends all processes\n$");
}

// Other processes wait for this one in the middle of messages.
void job_ends(bool silent) {
  ErrorTest::init("seq");
  op_set_error_handler(
      [](const op_error *error, void *) { // what it calls fails, too
        if (error->code == OP_ERR_MEMORY) op_decl_set(-1, "later");
        op_clear_error();
      },
      nullptr);
  op2::core::guarded("op_chain_end", [&] {
    op2::core::Error error(OP_ERR_MEMORY, "no memory for messages");
    error.agreed = error.ends_job = true;
    error.silent = silent;
    throw error;
  });
}
TEST_F(DefaultHandlerDeathTest, TheEndOfAJobTellsWhatCameFirstWhateverAHandlerDoes) {
  EXPECT_EXIT(job_ends(false), testing::ExitedWithCode(1),
              "^op2: error: op_chain_end: no memory for messages \\(OP_ERR_MEMORY\\)\n$");
  EXPECT_EXIT(job_ends(true), testing::ExitedWithCode(1), "^$"); // another process tells it
}

// op_init() with these arguments; a child that comes back alive says so with code 7 when the status is the expected
// one.
op_status init_with_arguments(std::vector<std::string> words) {
  std::vector<char *> argv;
  words.insert(words.begin(), "program");
  for (std::string &word : words) argv.push_back(word.data());
  return op_init(static_cast<int>(argv.size()), argv.data(), 0);
}
void leave_alive(op_status status, op_status expected) {
  std::fprintf(stderr, "%s, still alive\n", op_status_name(status));
  std::_Exit(status == expected ? 7 : 8);
}

void returns_by_environment() {
  setenv("OP2_ERROR", "return", 1);
  ErrorTest::init("no_such");
  ErrorTest::init("seq");
  op_decl_set(-1, "cells");
  leave_alive(op_last_status(), OP_ERR_ARGUMENT);
}
TEST_F(DefaultHandlerDeathTest, ReturnsWhenTheEnvironmentSaysSo) {
  EXPECT_EXIT(returns_by_environment(), testing::ExitedWithCode(7), "^OP_ERR_ARGUMENT, still alive\n$");
}

void returns_by_argument() {
  init_with_arguments({"OP2_ERROR=return", "OP2_BACKEND=seq"});
  op_decl_set(-1, "cells");
  leave_alive(op_last_status(), OP_ERR_ARGUMENT);
}
TEST_F(DefaultHandlerDeathTest, ReturnsWhenAnArgumentOfTheProgramSaysSo) {
  EXPECT_EXIT(returns_by_argument(), testing::ExitedWithCode(7), "^OP_ERR_ARGUMENT, still alive\n$");
}

// The setting counts from the moment it is read, also for what goes wrong later in the same op_init().
void failed_init_returns_by_argument() {
  leave_alive(init_with_arguments({"OP2_ERROR=return", "OP2_BACKEND=no_such"}), OP_ERR_BACKEND);
}
TEST_F(DefaultHandlerDeathTest, ReturnsFromAFailedInitWhenAnArgumentSaysSo) {
  EXPECT_EXIT(failed_init_returns_by_argument(), testing::ExitedWithCode(7), "^OP_ERR_BACKEND, still alive\n$");
}

void argument_beats_environment() {
  setenv("OP2_ERROR", "return", 1);
  init_with_arguments({"OP2_ERROR=abort", "OP2_BACKEND=seq"});
  op_decl_set(-1, "cells");
  leave_alive(op_last_status(), OP_OK);
}
TEST_F(DefaultHandlerDeathTest, ArgumentBeatsEnvironment) {
  EXPECT_EXIT(argument_beats_environment(), testing::ExitedWithCode(1), once);
}

} // namespace

// SPDX-License-Identifier: MIT
