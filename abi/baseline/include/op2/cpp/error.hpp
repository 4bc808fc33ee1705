// error.hpp: statuses and NULL handles as exceptions.
//
// By default a failing call ends the job inside the library, so nothing here is reached. With the setting
// OP2_ERROR=return, or a handler that returns (op_set_error_handler(op_error_return, NULL)), the classes of op2.hpp
// throw op2::error instead. Loops do not: op_par_loop() returns its op_status as in C. Write
// op2::check(op_par_loop(...)) to have it throw.
#ifndef OP2_CPP_ERROR_HPP
#define OP2_CPP_ERROR_HPP

#include <stdexcept>
#include <string>

#include "op2/error.h"

namespace op2 {

// What a failed call throws; what() is the library's sentence with the names involved.
class error : public std::runtime_error {
 public:
  // code: OP_ERR_...; message: what what() returns, copied.
  error(op_status code, const std::string &message) : std::runtime_error(message), code_(code) {}

  // OP_ERR_...; op_status_name() prints it.
  [[nodiscard]] op_status code() const noexcept { return code_; }

 private:
  op_status code_;
};

// Throws op2::error with the library's message unless `result` is OP_OK.
inline void check(op_status result) {
  if (result != OP_OK) throw error(result, op_last_error());
}

// The same for calls that return a handle or a pointer, NULL on failure. Returns what it was given.
template <class T>
T *check(T *result) {
  if (result == nullptr) throw error(op_last_status(), op_last_error());
  return result;
}

} // namespace op2

#endif
