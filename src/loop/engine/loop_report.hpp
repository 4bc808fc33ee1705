// What the log and the trace say about prepared loops.
#pragma once

#include <set>
#include <string>

#include "base/log.hpp"
#include "base/trace.hpp"
#include "loop/loop.hpp"

namespace op2::core {

class LoopReport {
 public:
  // trace: NULL = none.
  LoopReport(const Log &log, const std::string &executor, Trace *trace)
      : log_(log), executor_(executor), trace_(trace) {}

  // A loop has been prepared. built: its plan is new. preparation: its span in the trace, NULL without a trace.
  void prepared(Loop &loop, bool built, double seconds, TraceSpan *preparation);
  // Code that was compiled in the background has come, or cannot be used.
  void form_changed(const Loop &loop);

 private:
  void warn_of_form(const Loop &loop);
  void trace_loop(Loop &loop, TraceSpan &preparation, bool built);
  void log_loop(const Loop &loop, bool built, double seconds) const;

  const Log &log_;
  const std::string executor_;
  Trace *trace_;
  std::set<std::string> warned_; // warnings about forms, each once
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
