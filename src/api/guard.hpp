// The border between C callers and the C++ inside: no exception leaves the library. Every error is stored for
// op_last_error() and passed to the handler.
#pragma once

#include <exception>
#include <new>
#include <string>

#include "api/session.hpp"
#include "base/error.hpp"

namespace op2::core {

// Stores the exception being handled as this thread's last error, poisons the context if Error::poisons, calls the
// handler. Returns the status.
op_status report_error(const char *call) noexcept;

// Whether the default handler lets calls return (setting OP2_ERROR); also for errors outside any context.
void remember_error_mode(bool errors_return) noexcept;

// Whether the program continues after an error: it has its own handler, or OP2_ERROR=return.
bool errors_return() noexcept;

// Runs body() and returns OP_OK, or reports what it threw.
template <class Body>
op_status guarded(const char *call, Body &&body) noexcept {
  try {
    body();
    return OP_OK;
  } catch (...) {
    return report_error(call);
  }
}

// Runs body() and returns its value, or reports what it threw and returns `otherwise`.
template <class Value, class Body>
Value guarded_value(const char *call, Value otherwise, Body &&body) noexcept {
  try {
    return body();
  } catch (...) {
    report_error(call);
    return otherwise;
  }
}

// Runs body(mesh), in which each process calls Agreement::agree(). If body fails on one process before, agree() throws
// on the other processes.
template <class Body>
decltype(auto) collectively(Body &&body) {
  Mesh &mesh = *session().mesh;
  try {
    return body(mesh);
  } catch (Error &error) {
    mesh.agreement().tell(error);
    throw;
  }
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
