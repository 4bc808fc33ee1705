#include "loop/engine/chain_runner.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "loop/verify/paged_rows.hpp"

namespace op2::core {

void ChainRunner::run(const ChainToRun &chain) {
  const bool verified = chain.calls.front().loop->prepared().only_verifies_pieces();
  if (pages() && !verified) {
    each_paged(chain, [&](auto first, auto last, PagedChain &known) { run_paged(chain, first, last, known); });
    return context_.recorded.put_before(chain.calls.size());
  }
  const std::span<const ChainCall> calls = chain.calls;
  const auto any = [&](auto &&is) {
    return std::ranges::any_of(calls, [&](const ChainCall &call) { return is(*call.loop); });
  };
  // Loops whose ways of threads are being compared by time take a new plan before each run.
  const bool settled = !any([](const Loop &loop) { return loop.prepared().plans_open(); });
  const bool compared = any([](const Loop &loop) { return loop.wants_recheck(); });
  if (verified && calls.size() > 1) verify(chain);
  if (verified && pages())
    each_paged(chain, [&](auto first, auto, PagedChain &paged) { verify_paged(chain, first, paged); });
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
void ChainRunner::run_schedule(const ChainToRun &chain, const Schedule &schedule, Interpreter::Groups groups,
                               std::size_t first) {
  std::vector<RunningCall> calls;
  for (const ChainCall &call : chain.calls) calls.push_back({call.loop, &call.call});
  context_.interpreter.run(schedule.before_closing(), calls, groups, chain.at);
  for (const Step &step : schedule.closing_steps()) {
    if (step.what == Do::close) context_.recorded.put_before(first + static_cast<std::size_t>(step.loop));
    context_.interpreter.run({&step, 1}, calls, groups, chain.at);
  }
}

// Calls act(first, last, known) for the parts of the chain that run in units, or as a loop.
template <class Act>
void ChainRunner::each_paged(const ChainToRun &chain, const Act &act) {
  const auto in_pieces = [&](std::size_t l) { return chain.calls[l].loop->why_not_in_pieces().empty(); };
  for (std::size_t first = 0, last = 0; first < chain.calls.size(); first = last) {
    last = first + 1;
    while (in_pieces(first) && last < chain.calls.size() && in_pieces(last)) ++last;
    each_paged(chain, first, last, act);
  }
}

// A chain of which no tile fits runs in two halves.
template <class Act>
void ChainRunner::each_paged(const ChainToRun &chain, std::size_t first, std::size_t last, const Act &act) {
  PagedChain &known = paged_chain(chain, first, last);
  if (known.fits() || last - first == 1) return act(first, last, known);
  const std::size_t middle = (first + last) / 2;
  each_paged(chain, first, middle, act);
  each_paged(chain, middle, last, act);
}

// Devices have no page faults: dats and maps of a loop that runs as a whole are there before.
void ChainRunner::bring_whole(const Loop &loop) {
  DevicePager *const device = context_.mesh.device_pager();
  if (!device || !loop.prepared().on_executor()) return;
  std::vector<int> read, written;
  for (const DatUse &use : loop.signature().dats)
    (use.access == OP_READ ? read : written).push_back(use.dat->paged_number());
  for (const LoopArg &arg : loop.signature().args)
    if (arg.map && std::ranges::find(read, arg.map->paged_number()) == read.end())
      read.push_back(arg.map->paged_number());
  device->check_whole(read, written, "the loop");
  for (const DatUse &use : loop.signature().dats) context_.mesh.copies().prepare_exec(*use.dat, use.access, true);
  device->need_whole(read, written);
}

// Loops that run as a whole bring their rows by page faults.
void ChainRunner::run_paged(const ChainToRun &chain, std::size_t first, std::size_t last, PagedChain &known) {
  chain.at = first;
  if (!known.fits()) {
    bring_whole(*chain.calls[first].loop);
    return run_alone(chain.calls[first], first);
  }
  const double start = now();
  known.pages().begin();
  std::size_t at = 0;
  try {
    run_schedule({chain.calls.subspan(first, last - first), chain.name, at}, known.schedule(), known.groups(), first);
  } catch (...) {
    chain.at = first + at;
    throw;
  }
  for (std::size_t l = first; l < last; ++l) chain.calls[l].loop->ran_in_pieces();
  note_paged(chain, known, first, last, now() - start);
}

void ChainRunner::note_paged(const ChainToRun &chain, const PagedChain &known, std::size_t first, std::size_t last,
                             double seconds) {
  if (last - first == 1) return; // a loop
  const auto name_of = [&](std::size_t l) { return chain.calls[l].loop->name(); };
  const std::string ends = text(name_of(first), " ... ", name_of(last - 1));
  TiledChainStats &record =
      context_.stats.tiled_chain(chain.name.empty() ? ends : chain.name, static_cast<std::int64_t>(last - first));
  ++record.runs;
  ++record.in_tiles;
  if (context_.timing) record.seconds += seconds;
  known.report(record);
}

PagedChain &ChainRunner::paged_chain(const ChainToRun &chain, std::size_t first, std::size_t last) {
  constexpr std::size_t most = 64;
  const std::span<const ChainCall> calls = chain.calls.subspan(first, last - first);
  const auto known = std::ranges::find_if(paged_, [&](const PagedChain &other) { return other.is(calls); });
  if (known != paged_.end()) {
    paged_.splice(paged_.begin(), paged_, known);
    return paged_.front();
  }
  if (paged_.size() == most) paged_.pop_back();
  paged_.emplace_front(calls, *context_.mesh.chunks(), paging_);
  const PagedChain &made = paged_.front();
  const std::string what = made.fits() ? made.text() : text("not in units: ", made.why());
  context_.log.write(OP_LOG_INFO,
                     text("chain ", chain.quoted(), "from loop '", calls.front().loop->name(), "' on: ", what));
  return paged_.front();
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

// The units are those of executor seq; here loops run one by one, and bring their rows by page faults.
void ChainRunner::verify_paged(const ChainToRun &chain, std::size_t first, PagedChain &known) {
  if (!known.fits() || std::exchange(known.verified, true)) return;
  const PagedSteps steps{known.schedule().steps, known.pages().units, known.pages().start};
  chain.at = first;
  const std::int64_t uses =
      verify_rows(known.loops(), *known.pages().pager, steps, text("chain ", chain.quoted()), chain.at);
  context_.log.write(OP_LOG_INFO, text("chain ", chain.quoted(), "from loop '", chain.calls[first].loop->name(),
                                       "' on: ", uses, uses_verified));
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
