// error.hpp: exceptions instead of statuses and NULL handles.
//
// By default the library ends the job when a call fails, so that no exception occurs. With the setting
// OP2_ERROR=return, or with a handler that returns (op_set_error_handler(op_error_return, NULL)), the classes of
// op2.hpp throw op2::error instead. Loops do not throw: op_par_loop() returns its op_status as in C;
// op2::check(op_par_loop(...)) throws.
#ifndef OP2_CPP_ERROR_HPP
#define OP2_CPP_ERROR_HPP

#include <stdexcept>
#include <string>

#include "op2/error.h"

namespace op2 {

// What a failed call throws. what() returns the library's message, which names the objects involved.
class error : public std::runtime_error {
 public:
  // code: OP_ERR_...; message: the text that what() returns, copied.
  error(op_status code, const std::string &message) : std::runtime_error(message), code_(code) {}

  // OP_ERR_...; op_status_name() returns its name.
  [[nodiscard]] op_status code() const noexcept { return code_; }

 private:
  op_status code_;
};

// Throws op2::error with the library's message unless `result` is OP_OK.
inline void check(op_status result) {
  if (result != OP_OK) throw error(result, op_last_error());
}

// The same for calls that return a handle or a pointer, with NULL on failure. Returns its argument.
template <class T>
T *check(T *result) {
  if (result == nullptr) throw error(op_last_status(), op_last_error());
  return result;
}

} // namespace op2

#endif

// SPDX-License-Identifier: MIT
