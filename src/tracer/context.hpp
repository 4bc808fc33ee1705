// The context of libop2 that lines are drawn in, and the border between C callers and the C++ inside.
#pragma once

#include <vector>

#include "host/agreement.hpp"
#include "host/communicator.hpp"
#include "tracer/facts.hpp"
#include "tracer/tracer.hpp"

namespace op2::core::tracer {

// What this library has in a context, from the first call on to op_exit().
struct Context {
  Context();

  Communicator communicator;
  Agreement agreement;
  Tracers tracers;
};
// The current context, as all functions of op2.h find it. Throws OP_ERR_STATE, OP_ERR_THREAD.
Context &context();

// Rows of this process' declared part, in the order of the declaration. Collective.
std::vector<char> fetch_declared(Context &context, const DatFacts &dat);

// As src/api/guard.hpp has them.
op_status report_error(const char *call) noexcept;

template <class Body>
op_status guarded(const char *call, Body &&body) noexcept {
  try {
    body();
    return OP_OK;
  } catch (...) {
    return report_error(call);
  }
}

template <class Value, class Body>
Value guarded_value(const char *call, Value otherwise, Body &&body) noexcept {
  try {
    return body();
  } catch (...) {
    report_error(call);
    return otherwise;
  }
}

// Runs body(context), in which each process calls Agreement::agree(). If body fails on one process before, agree()
// throws on the other processes.
template <class Body>
decltype(auto) collectively(Body &&body) {
  Context &current = context();
  try {
    return body(current);
  } catch (Error &error) {
    current.agreement.tell(error);
    throw;
  }
}

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
