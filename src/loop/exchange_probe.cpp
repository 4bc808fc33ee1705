#include "loop/exchange_probe.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "base/clock.hpp"
#include "base/text.hpp"

namespace op2::core {

namespace {

std::string microseconds(double seconds) {
  char out[32];
  std::snprintf(out, sizeof out, "%.1f us", 1e6 * seconds);
  return out;
}

} // namespace

bool ExchangeProbe::begin() {
  if (done()) return false;
  if (mark_[end] != nullptr) {
    if (!executor_.past(mark_[end]) || !executor_.past(mark_[pack])) return false;
    const ExchangeFigures now = read();
    if (taken_ == 0 || now.seconds < best_.seconds) best_ = now;
    forget();
    if (++taken_ == enough) return false;
  }
  if (++runs_ < first_) return false;
  forget(); // of a run that failed
  note(start);
  return true;
}

void ExchangeProbe::note(Moment moment, bool on_device) {
  at_[moment] = now();
  if (!on_device) return;
  executor_.forget(std::exchange(mark_[moment], nullptr));
  mark_[moment] = executor_.mark(moment == pack ? 1 : 0);
}

void ExchangeProbe::packed() {
  note(pack, streams_);
  send_seconds_ = 0;
}
void ExchangeProbe::sending() { note(send, false); }
void ExchangeProbe::sent() { send_seconds_ = now() - at_[send]; }
void ExchangeProbe::computed() { note(core); }
void ExchangeProbe::arrived() {
  note(wait);
  note(end); // there may be no others
}
void ExchangeProbe::launched() { note(end); }

// The same run in both ways. In that of the host, the host waits for elements behind the messages, since the next
// exchange packs what they write. Packing counts as a part of the messages.
ExchangeFigures ExchangeProbe::read() const {
  const double elements = device(start, core), others = device(wait, end);
  const double messages = streams_ ? device(start, pack) : send_seconds_ + host(core, wait);
  const double launch_pack = host(start, pack), launch_core = host(pack, core) - send_seconds_;
  const double launch_others = host(wait, end), hidden = std::max(messages, elements);
  const ExchangeRound synchronous{
      {{launch_pack, 0, 0, 0}}, {{launch_core, 0, elements}}, {{hidden, others, launch_others, others}}};
  // What a stream waits for beside its elements is measured, or what the host's messages take longer than elements.
  const double waits = streams_ ? device(core, wait) : hidden - elements;
  const ExchangeRound stream{
      {{launch_pack, 0, 0, 0}}, {{launch_core, 0, elements}}, {{waits, 0, launch_others, others}}};
  const double enqueue = enqueue_seconds(stream, 1);
  const double idle = idle_seconds(synchronous, 1), seconds = std::max(enqueue, device(start, end));
  return {enqueue, device_seconds(stream, 1), waits, idle, set_up_, seconds};
}

void ExchangeProbe::forget() noexcept {
  for (op_event &mark : mark_) executor_.forget(std::exchange(mark, nullptr));
}

std::string conditions_text(const ExchangeFigures &figures) {
  const auto holds = [](bool yes) { return yes ? "holds" : "does not hold"; };
  const double rounds = figures.rounds_to_gain();
  return text("enqueued in ", microseconds(figures.enqueue), ", runs ", microseconds(figures.device), " (C1 ",
              holds(figures.enqueues_in_time()), "); the device waits ", microseconds(figures.waits), ", and ",
              microseconds(figures.idle), " if the host waits (C2 ", holds(figures.waits_less()), "); set up in ",
              microseconds(figures.set_up),
              std::isinf(rounds) ? ", never gained" : text(", gained in ", rounds, " exchanges"), " (C3); a run takes ",
              microseconds(figures.seconds));
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
