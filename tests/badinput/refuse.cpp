// refuse.cpp: see refuse.hpp.
#include "refuse.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <ostream>

namespace badinput {

const Function &function(const std::string &name) {
  const auto found =
      std::find_if(functions().begin(), functions().end(), [&](const Function &f) { return f.name == name; });
  if (found == functions().end()) {
    ADD_FAILURE() << name << " is not in functions.cpp";
    return functions().front();
  }
  return *found;
}

bool is_error(Fails fails, const Result &result, op_status status) {
  switch (fails) {
    case Fails::with_status:
      return result.number == status;
    case Fails::with_null:
      return result.pointer == nullptr;
    case Fails::with_minus_one:
      return result.number == -1;
    case Fails::silently:
      return true;
    case Fails::never:
      break;
  }
  return false;
}

std::ostream &operator<<(std::ostream &out, const Wrong &wrong) {
  return out << wrong.function << ", " << wrong.parameter << ": " << wrong.value;
}

std::string name_of(const testing::TestParamInfo<Wrong> &info) {
  std::string name = std::string(info.param.function) + "_" + info.param.parameter + "_" + info.param.value;
  for (char &letter : name)
    if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
  return name + "_" + std::to_string(info.index);
}

void expect_error(const std::string &reporter, op_status status, const std::vector<std::string> &words) {
  const std::string message = op_last_error();
  op_error error{};
  error.size = sizeof error;
  EXPECT_EQ(OP_OK, op_last_error_info(&error));
  EXPECT_STREQ(op_status_name(status), op_status_name(error.code)) << message;
  EXPECT_STREQ(reporter.c_str(), error.call);
  EXPECT_EQ(0u, message.find(reporter + ": ")) << "the message does not begin with the call: " << message;
  for (const std::string &word : words)
    EXPECT_NE(std::string::npos, message.find(word)) << "'" << word << "' is not in: " << message;
}

namespace {

// The call, and how often a handler of the program's hears of it.
Result call_and_hear(const Wrong &wrong, int &heard) {
  heard = 0;
  op_set_error_handler([](const op_error *, void *count) { ++*static_cast<int *>(count); }, &heard);
  const Result result = wrong.call();
  op_set_error_handler(nullptr, nullptr);
  return result;
}

void expect_allowed(const Wrong &wrong) {
  op_clear_error();
  int heard = 0;
  const Result result = call_and_hear(wrong, heard);
  const int raised = wrong.function == std::string("op_raise") ? 1 : 0; // whose purpose it is
  EXPECT_EQ(raised, heard) << "calls of the handler for a call that is allowed";
  EXPECT_EQ(OP_OK, op_last_status()) << op_last_error();
  const Fails fails = function(wrong.function).fails;
  EXPECT_EQ(OP_OK, fails == Fails::with_status ? result.number : OP_OK);
  EXPECT_FALSE((fails == Fails::with_null || fails == Fails::with_minus_one) && is_error(fails, result, OP_OK));
  covered(wrong.function);
}

} // namespace

const char *reporter_of(const Wrong &wrong) { return wrong.reporter ? wrong.reporter : wrong.function; }

void expect_refused(const Wrong &wrong) {
  if (wrong.outside) op_exit();
  if (wrong.status == OP_OK) {
    expect_allowed(wrong);
    return;
  }
  const std::string before = state();
  op_clear_error();
  int heard = 0;
  const Result result = call_and_hear(wrong, heard);
  EXPECT_EQ(1, heard) << "calls of the handler for one failure";
  expect_error(reporter_of(wrong), wrong.status, wrong.words);
  EXPECT_TRUE(is_error(function(reporter_of(wrong)).fails, result, wrong.status))
      << "it did not return its error value";
  EXPECT_EQ(before, state()) << "the refused call changed something";
  covered(wrong.function);
}

Ending run_in_child(const std::function<void()> &body) {
  int ends[2];
  EXPECT_EQ(0, pipe(ends));
  std::fflush(nullptr); // or the child would print it too
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    // Destructors of a thousand tests, on pages that are shared with the parent, would take a third of a second.
    on_exit([](int code, void *) { std::fflush(nullptr), _exit(code); }, nullptr);
    body();
    std::fflush(nullptr);
    _exit(7); // it came back alive
  }
  close(ends[1]);
  Ending ending;
  char buffer[4096];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
    ending.errors.append(buffer, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  EXPECT_EQ(child, waitpid(child, &status, 0));
  if (WIFEXITED(status)) ending.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ending.signal = WTERMSIG(status);
  return ending;
}

void expect_end_of_process(const std::string &reporter, op_status status, const std::function<void()> &call) {
  const Ending ending = run_in_child(call);
  EXPECT_EQ(1, ending.exit_code) << "7 = it came back; signal " << ending.signal << "; " << ending.errors;
  const std::string begin = "op2: error: " + reporter + ": ", end = std::string(" (") + op_status_name(status) + ")\n";
  EXPECT_EQ(0u, ending.errors.find(begin)) << ending.errors;
  EXPECT_TRUE(ending.errors.size() > end.size() && ending.errors.substr(ending.errors.size() - end.size()) == end)
      << ending.errors;
  EXPECT_EQ(1, std::count(ending.errors.begin(), ending.errors.end(), '\n')) << "not one line: " << ending.errors;
}

namespace {
void clear_environment() {
  std::vector<std::string> names;
  for (char **entry = environ; *entry; ++entry) {
    const std::string line = *entry;
    if (line.rfind("OP2_", 0) == 0) names.push_back(line.substr(0, line.find('=')));
  }
  for (const std::string &name : names) unsetenv(name.c_str());
}
} // namespace

void Library::SetUp() {
  clear_environment();
  setenv("OP2_ERROR", "return", 1);
  op_set_error_handler(nullptr, nullptr);
  op_clear_error();
}

void Library::TearDown() {
  EXPECT_EQ(OP_OK, op_exit());
  op_set_error_handler(nullptr, nullptr);
  op_clear_error();
  clear_environment();
}

void InSession::SetUp() {
  Library::SetUp();
  start_world();
}

void InSession::TearDown() {
  end_world();
  Library::TearDown();
}

} // namespace badinput

// SPDX-License-Identifier: MIT
