// refuse.hpp: the tables of bad input, and what every refused call must do: return its error value, leave a status and
// a message that names the call, and change nothing.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "coverage.hpp"
#include "op2/meshfile.h"
#include "world.hpp"

namespace badinput {

// What a call returned, whatever its type.
struct Result {
  Result() = default; // a function that returns nothing
  template <class T>
  Result(T value) {
    if constexpr (std::is_pointer_v<T>)
      pointer = reinterpret_cast<const void *>(value);
    else
      number = static_cast<long long>(value);
  }
  long long number = 0;
  const void *pointer = nullptr;
};

// How a function says that it failed.
enum class Fails { with_status, with_null, with_minus_one, silently, never };
bool is_error(Fails fails, const Result &result, op_status status);

// One public function. needs_session: it is refused outside a session, on other threads and inside kernels.
struct Function {
  const char *name;
  Fails fails;
  bool needs_session;
  int parameters;
  std::function<Result()> call; // with good input, on the world
  // For what works at any time: is this the right result inside, or outside, a session?
  std::function<bool(const Result &, bool in_session)> fine;
};
const std::vector<Function> &functions(); // all of them, from functions.cpp
const Function &function(const std::string &name);

// One bad value for one parameter. status OP_OK: it is allowed, and what it means is documented.
struct Wrong {
  const char *function;
  const char *parameter;
  std::string value; // in words
  op_status status;
  std::vector<std::string> words; // in the message
  std::function<Result()> call;
  const char *reporter = nullptr; // the function that complains, when it is another one (op_arg_... only record)
  bool outside = false;           // to be called without a session
};
const char *reporter_of(const Wrong &wrong);
std::ostream &operator<<(std::ostream &out, const Wrong &wrong);
std::string name_of(const testing::TestParamInfo<Wrong> &info);

// All tables of this program, one for each header.
const std::vector<Wrong> &wrong_handles();
const std::vector<Wrong> &wrong_declarations();
const std::vector<Wrong> &wrong_data();
const std::vector<Wrong> &wrong_arguments();
const std::vector<Wrong> &wrong_loops();
const std::vector<Wrong> &wrong_changes();
const std::vector<Wrong> &wrong_orders();
const std::vector<Wrong> &wrong_partitions();
const std::vector<Wrong> &wrong_starts();
const std::vector<Wrong> &wrong_files();
const std::vector<Wrong> &wrong_checkpoints(); // checkpoint.h
const std::vector<Wrong> &wrong_meshes();      // meshfile.h
op_mesh a_mesh();                              // of two cells, good
const std::vector<Wrong> &wrong_views();       // view.h
const std::vector<Wrong> &wrong_traces();      // trace.h
const std::vector<Wrong> &wrong_particles();   // particles.h
const std::vector<Wrong> &wrong_reports();     // error.h and timing.h

// The call must have failed with this status in a message of `reporter` that holds these words, told a handler of the
// program's once, and changed nothing that state() shows.
void expect_refused(const Wrong &wrong);
// The same for a call that was made already; called: what it returned.
void expect_error(const std::string &reporter, op_status status, const std::vector<std::string> &words);
// Runs the call in a process of its own under the default handler, which must print one line and exit with code 1.
void expect_end_of_process(const std::string &reporter, op_status status, const std::function<void()> &call);

// What a process wrote to stderr and how it ended.
struct Ending {
  std::string errors;
  int exit_code = -1; // -1: not by exit
  int signal = 0;
};
Ending run_in_child(const std::function<void()> &body);

// A clean environment with OP2_ERROR=return and the default handler, and no session.
class Library : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;
};

// The same with the world of world.hpp in a session.
class InSession : public Library {
 protected:
  void SetUp() override;
  void TearDown() override;
};

// The call of a row; w is the world.
#define CALL(...)                                                \
  []() -> ::badinput::Result {                                   \
    [[maybe_unused]] ::badinput::World &w = ::badinput::world(); \
    return __VA_ARGS__;                                          \
  }
// The same for functions that return nothing.
#define VOID_CALL(...) CALL(((__VA_ARGS__), ::badinput::Result()))

} // namespace badinput

// SPDX-License-Identifier: MIT
