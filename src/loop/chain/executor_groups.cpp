#include "loop/chain/executor_groups.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"

namespace op2::core {

ExecutorGroups::ExecutorGroups(std::span<Loop *const> loops) : loops_(loops.begin(), loops.end()) {}

bool ExecutorGroups::possible(std::span<Loop *const> loops) {
  return std::ranges::any_of(loops, [](const Loop *loop) {
    return loop->prepared().on_executor() && loop->prepared().executor().runs_whole_chains();
  });
}

ExecutorGroups::Seen ExecutorGroups::see(const Loop &loop) {
  return {loop.prepared().part(0).kernel.get(), loop.why_not_whole().empty()};
}

std::span<const ExecutorGroups::Group> ExecutorGroups::groups() {
  const auto see_one = [](const Loop *loop) { return see(*loop); };
  if (!std::ranges::equal(seen_, loops_, {}, {}, see_one)) find_groups();
  return groups_;
}

namespace {

ExecutorGroups::Group group_of(std::span<Loop *const> loops, std::size_t first, std::size_t last) {
  ExecutorGroups::Group out{first, last, {}, {}};
  if (last - first == 1) return out;
  std::vector<ChainPart> parts;
  for (std::size_t l = first; l < last; ++l) parts.push_back({loops[l], l});
  out.chains.push_back(std::make_unique<ExecutorChain>(std::move(parts)));
  const auto each = [&](Do what) {
    for (std::size_t l = first; l < last; ++l) out.schedule.add(what, static_cast<int>(l));
  };
  each(Do::open);
  out.schedule.add(Do::run_group, static_cast<int>(first));
  each(Do::mark_written);
  out.schedule.first_closing_step = out.schedule.steps.size();
  each(Do::close);
  return out;
}

} // namespace

void ExecutorGroups::find_groups() {
  groups_.clear();
  seen_.clear(); // after a failure, too
  why_.clear();
  std::vector<Seen> seen;
  for (const Loop *loop : loops_) {
    seen.push_back(see(*loop));
    if (why_.empty()) why_ = loop->why_not_whole();
  }
  for (std::size_t first = 0, last = 0; first < seen.size(); first = last) {
    last = first + 1;
    while (seen[first].fits && last < seen.size() && seen[last].fits) ++last;
    groups_.push_back(group_of(loops_, first, last));
  }
  seen_ = std::move(seen);
}

bool ExecutorGroups::together() const { return std::ranges::any_of(groups_, &Group::together); }

std::string ExecutorGroups::text() const {
  std::string out;
  std::size_t apart = 0;
  for (const Group &group : groups_)
    if (group.together())
      out += core::text(out.empty() ? "" : ", ", group.chains.front()->form());
    else
      ++apart;
  if (out.empty()) return core::text("one after the other: ", why_);
  const auto on_executor =
      std::ranges::find_if(loops_, [](const Loop *loop) { return loop->prepared().on_executor(); });
  out = core::text("on executor ", (*on_executor)->prepared().executor().name(), ": ", out);
  return apart == 0 ? out : core::text(out, "; ", apart, " by themselves: ", why_);
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
