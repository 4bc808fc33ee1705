#include "loop/interpreter.hpp"

#include <cstdio>
#include <optional>

#include "base/clock.hpp"

namespace op2::core {

void Interpreter::announce(const Loop &loop) const {
  if (options_.announces)
    std::printf(" kernel routine %s indirection: %s\n", loop.signature().indirect ? "with" : "w/o",
                loop.name().c_str());
}

void Interpreter::count(Loop &loop) {
  if (loop.form_changed()) [[unlikely]]
    options_.form_changed(loop);
  LoopStats &stats = loop.stats();
  ++stats.calls;
  stats.elements += loop.elements();
  stats.bytes += loop.bytes_per_call();
}

// What the trace itself costs is outside the seconds of the loop.
void Interpreter::run(Loop &loop, const LoopCall &call) {
  announce(loop);
  const ScopedFlag running(running_);
  std::optional<TraceSpan> shown;
  if (options_.trace) [[unlikely]]
    shown.emplace(*options_.trace, *loop.traced, loop.stats().calls + 1);
  const double start = options_.timing ? now() : 0.0;
  loop.run(call);
  if (options_.timing) loop.stats().seconds += now() - start;
  shown.reset();
  count(loop);
}

void Interpreter::run(std::span<const Step> steps, std::span<RunningCall> calls, Groups groups, std::size_t &at) {
  const ScopedFlag running(running_);
  with_errors(
      [&] {
        for (const Step &step : steps) perform(step, calls, groups, at);
      },
      [&](Error &error) {
        calls[at].loop->loop_run().fail(error);
        abandon(calls);
      });
}

// The trace shows how long elements wait for their rows.
void Interpreter::move_pages(const Step &step, const UnitPages &pages) const {
  std::optional<TraceSpan> shown;
  if (options_.trace && step.what == Do::need)
    shown.emplace(*options_.trace, options_.trace->subject(trace_lane::data, "wait for rows from the file", {}, "unit"),
                  step.part);
  pages.perform(step);
}

void Interpreter::perform(const Step &step, std::span<RunningCall> calls, Groups groups, std::size_t &at) {
  at = static_cast<std::size_t>(step.loop);
  RunningCall &call = calls[at];
  Loop &loop = *call.loop;
  switch (step.what) {
    case Do::open:
      announce(loop);
      call.opening = loop.open(*call.call);
      return;
    case Do::close:
      loop.close(call.opening, *call.call);
      return count(loop);
    case Do::drop:
    case Do::store:
    case Do::load:
    case Do::need:
      return move_pages(step, *groups.pages);
    case Do::run_group:
      return groups.chains[static_cast<std::size_t>(step.part)]->run(calls, options_.trace, thread_lanes_, at);
    default: {
      std::optional<TraceSpan> shown;
      if (options_.trace && step.what == Do::run)
        shown.emplace(*options_.trace, *loop.traced, loop.stats().calls + 1 + call.opening);
      loop.perform(step, call.opening, *call.call);
    }
  }
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
