#include "loop/engine/chain_runner.hpp"

#include <algorithm>
#include <vector>

#include "base/clock.hpp"

namespace op2::core {

void ChainRunner::run(const ChainToRun &chain) {
  const std::span<const ChainCall> calls = chain.calls;
  const auto any = [&](auto &&is) {
    return std::ranges::any_of(calls, [&](const ChainCall &call) { return is(*call.loop); });
  };
  // Loops whose ways of threads are being compared by time take a new plan before each run.
  const bool settled = !any([](const Loop &loop) { return loop.prepared().plans_open(); });
  const bool verified = CheckedChains::wanted(*calls.front().loop);
  const bool compared = any([](const Loop &loop) { return loop.wants_recheck(); });
  if (verified && calls.size() > 1) verify(chain);
  Chain *const found = calls.size() > 1 && settled && !verified ? chains_.find(calls) : nullptr;
  Chain *const known = compared ? nullptr : found;
  const double start = now();
  ExecutorGroups *const groups = known ? known->groups() : nullptr;
  // Code that works on another layout may arrive after tiles have been found, and they share rows.
  const bool in_layout = any([](const Loop &loop) { return loop.prepared().in_layout(); });
  const ChainSchedule *const tiles = known && !groups && !in_layout ? known->next_tiles() : nullptr;
  if (groups)
    run_groups(chain, *groups);
  else if (tiles)
    run_schedule(chain, tiles->schedule, tiles->groups);
  else
    for (chain.at = 0; chain.at < calls.size(); ++chain.at) run_alone(calls[chain.at], chain.at);
  context_.recorded.put_before(calls.size());
  if (found && compared) ++record_of(chain, *found).runs;
  if (!known) return;
  if (tiles)
    for (const ChainCall &call : calls) call.loop->ran_in_pieces();
  note_run(chain, *known, tiles != nullptr, now() - start);
}

void ChainRunner::run_alone(const ChainCall &call, std::size_t at) {
  context_.recorded.put_before(at);
  call.loop->make_current(call.call);
  context_.interpreter.run(*call.loop, call.call);
}

void ChainRunner::run_groups(const ChainToRun &chain, ExecutorGroups &groups) {
  for (const ExecutorGroups::Group &group : groups.groups()) {
    chain.at = group.first;
    if (group.together())
      run_schedule(chain, group.schedule, group.chains);
    else
      run_alone(chain.calls[chain.at], chain.at);
  }
}

// Globals get what the program put into them before a call when that call is closed.
void ChainRunner::run_schedule(const ChainToRun &chain, const Schedule &schedule, Interpreter::Groups groups) {
  std::vector<RunningCall> calls;
  for (const ChainCall &call : chain.calls) calls.push_back({call.loop, &call.call});
  context_.interpreter.run(schedule.before_closing(), calls, groups, chain.at);
  for (const Step &step : schedule.closing_steps()) {
    if (step.what == Do::close) context_.recorded.put_before(static_cast<std::size_t>(step.loop));
    context_.interpreter.run({&step, 1}, calls, groups, chain.at);
  }
}

TiledChainStats &ChainRunner::record_of(const ChainToRun &chain, Chain &known) {
  if (!known.record) {
    const std::string ends = text(chain.calls.front().loop->name(), " ... ", chain.calls.back().loop->name());
    known.record = &context_.stats.tiled_chain(chain.name.empty() ? ends : chain.name, std::ssize(chain.calls));
  }
  return *known.record;
}

void ChainRunner::note_run(const ChainToRun &chain, Chain &known, bool in_tiles, double seconds) {
  ++record_of(chain, known).runs;
  known.record->in_tiles += in_tiles;
  if (context_.timing) known.record->seconds += seconds;
  known.record_time(seconds);
  if (known.is_reported()) return;
  known.report(*known.record);
  if (known.decided()) context_.log.write(OP_LOG_INFO, text("chain ", chain.quoted(), "of ", known.text()));
}

// An executor that looks at loops as a whole sees nothing of the order of their pieces.
void ChainRunner::verify(const ChainToRun &chain) {
  const std::string found = checked_.verify(chain.calls, chain.name, chain.at);
  if (!found.empty())
    context_.log.write(OP_LOG_INFO,
                       text("chain ", chain.quoted(), "of ", chain.calls.size(), " loops, order verified: ", found));
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
