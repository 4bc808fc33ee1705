#include "loop/schedule.hpp"

#include "base/text.hpp"

namespace op2::core {

Steps Schedule::add(Do what, Steps after, int part) {
  steps_.push_back({what, part, after});
  return Steps{1} << (steps_.size() - 1);
}

Schedule::Schedule(std::span<const LoopPart> parts, const ScheduleTraits &traits) {
  steps_.reserve(parts.size() + 12);
  Steps before = traits.exchanges ? add(Do::look, 0) : 0;
  if (traits.several) before = add(Do::agree, before);
  if (traits.exchanges) before = add(Do::bring, before);
  const Steps ready = add(Do::ready, before);
  const Steps start = traits.exchanges ? add(Do::start, ready) : 0;
  bool sent = !traits.exchanges;
  const auto send = [&] {
    if (!sent) add(Do::send, start);
    sent = true;
  };
  if (traits.reduces) send(); // runs wait for what they reduce
  Steps ran = 0, arrived = 0;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const bool needs_others = traits.exchanges && parts[p].end > traits.core_size;
    if (needs_others && arrived == 0) arrived = add(Do::finish, start);
    if (parts[p].begin == parts[p].end) continue;
    const bool in_turn = traits.conflicts || traits.reduces || traits.shares;
    ran |= add(Do::run, ready | (needs_others ? arrived : 0) | (in_turn ? ran : 0), static_cast<int>(p));
    if (arrived == 0) send();
  }
  if (traits.exchanges && arrived == 0) arrived = add(Do::finish, start);
  Steps end = ready | ran | arrived;
  if (traits.waits) end |= add(Do::wait, end);
  if (traits.several) end |= add(Do::agree, end);
  if (traits.reduces || (traits.shares && traits.several)) end |= add(Do::reduce, end);
  add(Do::note, end);
}

std::string Schedule::text() const {
  static constexpr const char *names[] = {"look", "agree",  "bring", "ready",  "start", "send",
                                          "run",  "finish", "wait",  "reduce", "note"};
  std::string out;
  for (const Step &step : steps_) {
    if (!out.empty()) out += ", ";
    out += names[static_cast<int>(step.what)];
    if (step.what == Do::run) out += op2::core::text(" ", step.part);
  }
  return out;
}

} // namespace op2::core
