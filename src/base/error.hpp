// The exception of the library. It never leaves src/api (of libop2_trace: src/tracer/api.cpp): src/api/error.cpp turns
// it into a status, the text of op_last_error() and a call of the error handler.
#pragma once

#include <stdexcept>
#include <string>

#include "base/text.hpp"
#include "op2/types.h"

namespace op2::core {

class Error : public std::runtime_error {
 public:
  Error(op_status status, const std::string &message) : std::runtime_error(message), code(status) {}

  op_status code;
  std::string loop; // name of the loop, when one is involved
  int arg = -1;     // position of its argument, from 0
  std::string file; // place of the call in the program
  int line = 0;
  bool agreed = false;  // every process has been told of this error
  bool silent = false;  // another process prints the message
  bool poisons = false; // data may be partly written, and the context is no longer usable
  // Others wait for this process in the middle of messages, where it cannot tell them: the job ends, also where errors
  // return to the program.
  bool ends_job = false;
};

// Throws Error(code, text(parts...)).
template <class... T>
[[noreturn]] void fail(op_status code, const T &...parts) {
  throw Error(code, text(parts...));
}

// As fail(), for an error that every process finds by itself in the same call.
template <class... T>
[[noreturn]] void fail_on_all(op_status code, const T &...parts) {
  Error error(code, text(parts...));
  error.agreed = true;
  throw error;
}

const char *status_name(op_status status);

} // namespace op2::core

// SPDX-License-Identifier: MIT
