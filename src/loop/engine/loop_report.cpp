#include "loop/engine/loop_report.hpp"

#include "base/json.hpp"
#include "base/text.hpp"

namespace op2::core {

namespace {

// "vector x8 (compiled by /usr/bin/c++ in 0.2 s)"
std::string form_of(const Loop &loop) {
  const FastForm &fast = loop.prepared().fast_form();
  std::string form = loop.stats().form;
  if (!fast.how().empty()) form += text(" (", fast.how(), ")");
  if (fast.chosen() && loop.stats().measured.empty()) form += " (chosen before)";
  if (!loop.stats().measured.empty()) form += text(" (the fastest of ", loop.stats().measured, ")");
  const bool own = form.starts_with("own ");
  if (!fast.why().empty()) form += text(own ? " (no code was made: " : " (no vectors: ", fast.why(), ")");
  return form;
}

} // namespace

void LoopReport::prepared(Loop &loop, bool built, double seconds, TraceSpan *preparation) {
  if (preparation) trace_loop(loop, *preparation, built);
  if (log_.wants(OP_LOG_INFO)) log_loop(loop, built, seconds);
  warn_of_form(loop);
}

void LoopReport::form_changed(const Loop &loop) {
  if (log_.wants(OP_LOG_INFO)) log_.write(OP_LOG_INFO, text("loop '", loop.name(), "': now form ", form_of(loop)));
  warn_of_form(loop);
}

void LoopReport::warn_of_form(const Loop &loop) {
  const std::string &on_host = loop.prepared().why_on_host();
  if (!on_host.empty() && warned_.insert(text(loop.name(), ": ", on_host)).second)
    log_.write(OP_LOG_WARN,
               text("loop '", loop.name(), "' runs on the host, and its data goes there and back: ", on_host));
  const FastForm &fast = loop.prepared().fast_form();
  if (fast.warns() && warned_.insert(fast.why()).second)
    log_.write(OP_LOG_WARN, text("loop '", loop.name(), "' runs ",
                                 fast.range() ? "scalar code" : "as compiled with the program", ": ", fast.why()));
}

void LoopReport::trace_loop(Loop &loop, TraceSpan &preparation, bool built) {
  const LoopStats &stats = loop.stats();
  JsonFields facts;
  facts.add("loop", stats.name).add("set", stats.set).add("elements", loop.elements()).add("form", stats.form);
  facts.add("executor", executor_)
      .add("kind", plan_kind_name(loop.prepared().part(0).plan.kind))
      .add("blocks", stats.blocks);
  facts.add("colours", stats.colours).add("plan", built ? "built" : "shared");
  preparation.about(trace_->subject(trace_lane::plans, text("prepare ", loop.name()), facts));
  JsonFields run;
  run.add("set", stats.set).add("elements", loop.elements()).add("bytes", loop.bytes_per_call(), 0);
  run.add("form", stats.form).add("executor", executor_);
  loop.traced = &trace_->subject(trace_lane::loops, loop.name(), run, "call");
}

void LoopReport::log_loop(const Loop &loop, bool built, double seconds) const {
  const LoopStats &stats = loop.stats();
  const double refused = loop.prepared().refused_owner_work();
  log_.write(
      OP_LOG_INFO,
      text("loop '", stats.name, "' on set '", stats.set, "', ", loop.elements(), " elements: form ", form_of(loop),
           "; plan ", built ? "built" : "shared", ", blocks: ", stats.blocks, ", colours: ", stats.colours,
           refused > 0 ? text(" (owners of rows would do ", fixed(refused, 1), " times the work)") : "",
           "; prepared in ", fixed(1e3 * seconds, 3), " ms"));
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
