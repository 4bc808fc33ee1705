#include "loop/chain/threaded.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"

namespace op2::core {

ChainColumns columns_of(const ChainPart &part, const ChainLoop &described) {
  ChainColumns out;
  out.order = part.order;
  const Loop &loop = *part.loop;
  const op_exec_plan &plan = loop.prepared().part(part.part).plan;
  if (described.runs_of_element != ElementRuns::by_rows) return out;
  out.group_offset.assign(plan.group_offset, plan.group_offset + plan.ngroups + 1);
  for (int c = 0; c < plan.group_offset[plan.ngroups]; ++c) {
    const int *column = nullptr;
    for (const LoopArg &arg : loop.signature().args)
      if (arg.map && arg.map->index == plan.column_map[c]) column = column_of(arg.map->table.data(), plan.column[c]);
    const auto reach = std::ranges::find_if(
        described.reaches, [&](const Reach &r) { return r.adds && (r.map ? r.map : r.column) == column; });
    if (!column || reach == described.reaches.end()) fail(OP_ERR_INTERNAL, "a chain misses a column of a plan");
    out.map.push_back(plan.column_map[c]);
    out.column.push_back(plan.column[c]);
    out.reach.push_back(static_cast<int>(reach - described.reaches.begin()));
  }
  return out;
}

namespace {

op_exec_plan plan_for(const ChainLoop &loop, const ListedLoop &lists, const int *part_offset, const int *block_offset) {
  static constexpr int one_colour[] = {0, 1}, one_block[] = {0};
  op_exec_plan plan{};
  plan.size = sizeof plan;
  plan.kind = loop.cuts.empty() ? OP_PLAN_OWNER : OP_PLAN_OWNER_BLOCKS;
  plan.end = loop.size;
  plan.nblocks = loop.cuts.empty() ? 1 : static_cast<int>(loop.cuts.size()) - 1;
  plan.block_offset = loop.cuts.empty() ? block_offset : loop.cuts.data();
  if (lists.some_blocks) plan.nblocks = static_cast<int>(lists.blocks.size());
  plan.ncolours = 1;
  plan.colour_offset = one_colour;
  plan.order = one_block;
  plan.nparts = 1;
  plan.part_offset = part_offset;
  plan.segments = lists.segments.data();
  plan.ngroups = static_cast<int>(lists.group_offset.size()) - 1;
  plan.group_offset = lists.group_offset.data();
  plan.column_map = lists.column_map.data();
  plan.column = lists.column.data();
  plan.own = lists.own.data();
  return plan;
}

} // namespace

ThreadedChain::ThreadedChain(std::vector<ChainPart> parts, std::span<const ChainLoop> described, int threads,
                             const MakeLists &make)
    : ExecutorChain(std::move(parts)), threads_(threads) {
  const std::size_t count = this->parts().size();
  std::vector<ChainColumns> columns;
  for (std::size_t l = 0; l < count; ++l) columns.push_back(columns_of(this->parts()[l], described[l]));
  lists_ = make(columns);
  for (std::size_t l = 0; l < count; ++l) {
    part_offset_.insert(part_offset_.end(), {0, static_cast<int>(lists_.loops[l].segments.size())});
    block_offset_.insert(block_offset_.end(), {0, described[l].size});
  }
  for (std::size_t l = 0; l < count; ++l)
    plans_.push_back(
        plan_for(described[l], lists_.loops[l], part_offset_.data() + 2 * l, block_offset_.data() + 2 * l));
  for (const op_exec_plan &plan : plans_) plan_of_.push_back(&plan);
  plan_.nlists = static_cast<int>(lists_.lists.size());
  plan_.plans = plan_of_.data();
  plan_.steps = lists_.steps.data();
  plan_.waits = lists_.waits.data();
  plan_.lists = lists_.lists.data();
  if (lists_.awaits) plan_.await = await, plan_.await_context = static_cast<ThreadedChain *>(this);
}

// For the executor, which knows no exceptions.
std::int32_t ThreadedChain::await(void *chain) {
  auto &self = *static_cast<ThreadedChain *>(chain);
  try {
    Loop &first = *self.running().front().loop;
    return first.loop_run().take_messages(first.stats()) ? 1 : 0;
  } catch (...) {
    self.broken_ = std::current_exception();
    return -1;
  }
}

// Threads work at the same time: a loop took as long as if all of them had shared it evenly.
void ThreadedChain::note_times(std::span<const RunningCall>, std::span<const double> times, Trace *trace,
                               std::vector<int> &lanes) {
  for (std::size_t s = 0; s < lists_.steps.size(); ++s) {
    LoopRun &steps = parts()[static_cast<std::size_t>(lists_.steps[s].loop)].loop->loop_run();
    if (steps.timed()) steps.add_seconds((times[2 * s + 1] - times[2 * s]) / threads_);
  }
  if (!lists_.part.empty() && cost_.empty() && runs_ > first_runs) {
    cost_.resize(static_cast<std::size_t>(std::ranges::max(lists_.part)) + 1);
    for (std::size_t s = 0; s < lists_.steps.size(); ++s)
      cost_[static_cast<std::size_t>(lists_.part[s])] += times[2 * s + 1] - times[2 * s];
  }
  if (trace) show_steps(times, *trace, lanes);
}

void ThreadedChain::show_steps(std::span<const double> times, Trace &trace, std::vector<int> &lanes) {
  while (std::ssize(lanes) < threads_) lanes.push_back(trace.add_lane(core::text("thread ", lanes.size())));
  while (std::ssize(traced_) < threads_) {
    const int lane = lanes[traced_.size()];
    traced_.emplace_back();
    for (const ChainPart &part : parts()) traced_.back().push_back(&trace.subject(lane, part.loop->name()));
  }
  const std::vector<std::int32_t> thread = threads_of_lists();
  for (std::size_t l = 0; l < lists_.lists.size(); ++l) {
    const op_exec_chain_list &list = lists_.lists[l];
    const std::vector<const TraceSubject *> &subjects = traced_[static_cast<std::size_t>(thread[l])];
    for (auto s = static_cast<std::size_t>(list.first_step); s < static_cast<std::size_t>(list.last_step); ++s)
      trace.record(*subjects[static_cast<std::size_t>(lists_.steps[s].loop)], times[2 * s], times[2 * s + 1], 0);
  }
}

std::string ThreadedChain::text(int threads, double longest) {
  return core::text(threads, " threads of which the longest has ", fixed(longest, 3), " of its share, ");
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
