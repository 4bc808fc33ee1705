#include "loop/schedule.hpp"

#include "base/text.hpp"

namespace op2::core {

Schedule schedule_loop(std::span<const LoopPart> parts, const ScheduleTraits &traits) {
  Schedule out;
  out.steps.reserve(parts.size() + 12);
  if (traits.exchanges) out.add(Do::find_stale);
  if (traits.several) out.add(Do::agree);
  if (traits.exchanges) out.add(Do::exchange);
  out.add(Do::bind);
  if (traits.exchanges) out.add(Do::post);
  bool sent = !traits.exchanges, arrived = !traits.exchanges;
  const auto send = [&] {
    if (!sent) out.add(Do::send);
    sent = true;
  };
  const auto wait = [&] {
    if (!arrived) out.add(Do::wait_messages);
    arrived = true;
  };
  if (traits.reduces) send(); // runs wait for what they reduce
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (parts[p].end > traits.core_size) wait();
    if (parts[p].begin == parts[p].end) continue;
    out.add(Do::run, 0, static_cast<int>(p));
    if (!arrived) send();
  }
  wait();
  if (traits.waits) out.add(Do::wait_executor);
  if (traits.several) out.add(Do::agree);
  if (traits.reduces || (traits.shares && traits.several)) out.add(Do::reduce);
  out.add(Do::mark_written);
  out.first_closing_step = out.steps.size();
  return out;
}

std::string Schedule::text() const {
  static constexpr const char *names[] = {
      "find_stale", "agree", "exchange",  "bind",          "open",          "post",          "send",
      "advance",    "run",   "run_group", "wait_messages", "wait_executor", "combine_parts", "reduce",
      "drop",       "store", "load",      "need",          "mark_written",  "close"};
  std::string out;
  for (const Step &step : steps) {
    if (!out.empty()) out += ", ";
    out += names[static_cast<int>(step.what)];
    const bool moves = step.what >= Do::drop && step.what <= Do::need;
    if (step.what == Do::run || step.what == Do::run_group || moves) out += op2::core::text(" ", step.part);
  }
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
