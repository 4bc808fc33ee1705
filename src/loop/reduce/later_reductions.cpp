#include "loop/reduce/later_reductions.hpp"

#include <exception>

#include "base/error.hpp"

namespace op2::core {

void LaterReductions::close() {
  open_ = false;
  clear();
}

void LaterReductions::clear() {
  results_.clear();
  records_.clear();
}

void LaterReductions::add(const Reduction &reduction, const char *result, std::span<const op_arg> args) {
  results_.push_back({&reduction, records_.size(), args, call_});
  records_.insert(records_.end(), result, result + reduction.bytes());
}

namespace {

[[noreturn]] void fail_of(const std::exception_ptr &failure) try {
  std::rethrow_exception(failure);
} catch (const Error &) {
  throw;
} catch (const std::exception &thrown) { // of the program's own function
  fail(OP_ERR_KERNEL, "a reduction threw an exception: ", thrown.what());
} catch (...) {
  fail(OP_ERR_KERNEL, "a reduction threw an exception");
}

} // namespace

void LaterReductions::combine(void *context, void *into, const void *later) {
  LaterReductions &all = *static_cast<LaterReductions *>(context);
  for (const Result &each : all.results_) {
    all.call_ = each.call;
    each.reduction->combine(static_cast<char *>(into) + each.place, static_cast<const char *>(later) + each.place);
  }
}

void LaterReductions::reduce_all(Communicator &communicator, std::size_t &call) try {
  if (empty()) return;
  communicator.allreduce_record(records_.data(), records_.size(), combine, this);
  all_results_ += static_cast<std::int64_t>(results_.size());
  ++times_;
} catch (...) {
  call = call_;
  fail_of(std::current_exception());
}

void LaterReductions::finish(std::size_t call) try {
  for (const Result &each : results_)
    if (each.call == call) each.reduction->finish(records_.data() + each.place, each.args);
} catch (...) {
  fail_of(std::current_exception());
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
