// support.hpp: what the unit tests share: a clean environment, errors that return, plugin folders, exceptions as
// values.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "op2/inspect.h"
#include "op2/op2.h"

// A call must return this status; the library's own words say why it did not.
#define EXPECT_STATUS(status, call) EXPECT_STREQ(op_status_name(status), op_status_name(call)) << op_last_error()
#define EXPECT_OK(call) EXPECT_STATUS(OP_OK, call)

namespace unit {

// Does `whole` contain `part`? Says both when it does not.
inline testing::AssertionResult contains(const std::string &whole, const std::string &part) {
  if (whole.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "'" << part << "' is not in:\n" << whole;
}
inline testing::AssertionResult lacks(const std::string &whole, const std::string &part) {
  if (whole.find(part) == std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "'" << part << "' is in:\n" << whole;
}

// What body() throws must be an op2::core::Error; returned for a look at it.
template <class Body>
op2::core::Error thrown_by(Body &&body) {
  try {
    body();
  } catch (const op2::core::Error &error) {
    return error;
  } catch (const std::exception &other) {
    ADD_FAILURE() << "an exception of another kind: " << other.what();
    return {OP_ERR_INTERNAL, other.what()};
  }
  ADD_FAILURE() << "nothing was thrown";
  return {OP_OK, ""};
}

// Sets environment variables for a scope and restores them afterwards: const Environment environment{{"OP2_LOG",
// "info"}};
class Environment {
 public:
  Environment(std::initializer_list<std::pair<std::string, std::string>> values) {
    for (const auto &[name, value] : values) {
      const char *old = std::getenv(name.c_str());
      before_[name] = old ? std::optional<std::string>(old) : std::nullopt;
      put(name, value);
    }
  }
  ~Environment() {
    for (const auto &[name, value] : before_) put(name, value);
  }
  Environment(const Environment &) = delete;
  Environment &operator=(const Environment &) = delete;

 private:
  static void put(const std::string &name, const std::optional<std::string> &value) {
    if (value)
      setenv(name.c_str(), value->c_str(), 1);
    else
      unsetenv(name.c_str());
  }
  std::map<std::string, std::optional<std::string>> before_;
};

// Removes everything of libop2 from the environment, whatever the shell that runs the tests has set.
inline void clear_environment() {
  std::vector<std::string> names;
  for (char **entry = environ; entry && *entry; ++entry) {
    const std::string line = *entry;
    if (line.rfind("OP2_", 0) == 0 || line.rfind("FAIL_AT", 0) == 0 || line.rfind("FAKE_", 0) == 0)
      names.push_back(line.substr(0, line.find('=')));
  }
  for (const std::string &name : names) unsetenv(name.c_str());
}

#ifdef OP2_TEST_PLUGIN_FOLDER
// The folder of a case of tests/plugins.
inline std::string plugins(const std::string &name) { return std::string(OP2_TEST_PLUGIN_FOLDER) + "/" + name; }
#endif

// Tests of the library through its C interface: errors return, and the library is shut down whatever a test did.
class LibraryTest : public testing::Test {
 protected:
  void SetUp() override {
    clear_environment();
    op_set_error_handler(op_error_return, nullptr);
    op_clear_error();
  }
  void TearDown() override {
    EXPECT_OK(op_exit());
    op_set_error_handler(nullptr, nullptr);
    op_clear_error();
    clear_environment();
  }
  static op_status init(const char *backend, int threads = 0) {
    op_init_params params = OP_INIT_PARAMS;
    params.backend = backend;
    params.threads = threads;
    return op_init_with(&params);
  }
};

// Values of a dat as the library gives them back.
template <class T>
std::vector<T> fetched(op_dat dat) {
  std::vector<T> out(static_cast<std::size_t>(op_get_size(op_dat_set(dat))) *
                     static_cast<std::size_t>(op_dat_dim(dat)));
  EXPECT_OK(op_fetch_data(dat, out.data()));
  return out;
}

// op_par_loop with a lambda without captures.
template <class Kernel>
op_status run(Kernel kernel, const char *name, op_set set, const std::vector<op_arg> &args) {
  return (op_par_loop)(reinterpret_cast<op_kernel_fn>(+kernel), name, set, static_cast<int>(args.size()), args.data());
}

} // namespace unit

// SPDX-License-Identifier: MIT
