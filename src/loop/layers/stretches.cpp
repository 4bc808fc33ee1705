#include "loop/layers/stretches.hpp"

#include <algorithm>
#include <numeric>

namespace op2::core {

namespace {

// Where all rows stay as the program has declared them, the core ends at the first one of the boundary, wherever that
// lies (distributed/halo/halo_build), and all have their places.
int in_place(const Set &set) { return 2 * set.core_size > set.size ? set.core_size : set.size; }

// Borders of blocks within [begin, end), as distances from `begin`.
std::vector<int> cuts_between(const op_exec_plan &plan, int begin, int end) {
  std::vector<int> out;
  if (plan.kind != OP_PLAN_BLOCKS && plan.kind != OP_PLAN_OWNER_BLOCKS) return out;
  for (int b = 0; b <= plan.nblocks; ++b)
    if (const int border = plan.block_offset[b]; begin <= border && border <= end) out.push_back(border - begin);
  return out;
}

} // namespace

Stretches::Stretches(std::span<Loop *const> loops, bool by_data) : by_data_(by_data) {
  for (const Loop *loop : loops)
    for (const LoopArg &arg : loop->signature().args)
      if (arg.dat && arg.access != OP_READ && std::ranges::find(changed_, arg.dat) == changed_.end())
        changed_.push_back(arg.dat);
  for (std::size_t l = 0; l < loops.size(); ++l) add(*loops[l], static_cast<int>(l));
}

void Stretches::add(const Loop &loop, int number) {
  for (std::size_t p = 0; p < loop.parts().size(); ++p)
    if (loop.parts()[p].begin < loop.parts()[p].end) add_part(loop, number, static_cast<int>(p));
}

void Stretches::add_part(const Loop &loop, int number, int part) {
  const LoopPart &range = loop.parts()[static_cast<std::size_t>(part)];
  const Set &set = loop.signature().set;
  const bool blocks = loop.reduces() && range.own; // what copies reduce is dropped
  const op_exec_plan &plan = loop.prepared().part(part).plan;
  int core = range.begin == 0 && !range.sequence ? std::min(in_place(set), range.end) : range.begin;
  std::vector<int> cuts = blocks ? cuts_between(plan, range.begin, core) : std::vector<int>();
  if (blocks && core > range.begin) core = range.begin + (cuts.empty() ? 0 : cuts.back());
  const bool all_own = loop.signature().indirect ? core <= set.core_size : core <= set.size;
  if (core > range.begin) describe(loop, {number, part, nullptr, !all_own}, core - range.begin, std::move(cuts));
  if (core == range.end) return;
  cuts_sums_ = cuts_sums_ || (blocks && core > range.begin);
  const Elements &order = order_of(set, core, range.end, range.sequence);
  describe(loop, {number, part, &order, true}, static_cast<int>(order.size()),
           blocks ? cuts_between(plan, core, range.end) : std::vector<int>());
}

void Stretches::describe(const Loop &loop, const Stretch &stretch, int size, std::vector<int> cuts) {
  ChainLoop out;
  out.size = size;
  if (is_owner_kind(loop.prepared().part(stretch.part).plan.kind)) out.runs_of_element = ElementRuns::by_rows;
  out.bytes = loop.bytes_per_call() * size / std::max(loop.elements(), 1);
  if (!cuts.empty()) out.cuts = cuts_.emplace_back(std::move(cuts));
  reach(loop, stretch, out);
  described_.push_back(std::move(out));
  stretches_.push_back(stretch);
}

void Stretches::reach(const Loop &loop, const Stretch &stretch, ChainLoop &described) {
  for (const LoopArg &arg : loop.signature().args) {
    const auto dat = std::ranges::find(changed_, arg.dat);
    if (!arg.dat || dat == changed_.end()) continue;
    const int set = number_of(arg.map ? arg.map->target() : loop.signature().set);
    for (int c = 0; c < (arg.map ? std::max(arg.count, 1) : 1); ++c) {
      Reach reach{set, nullptr, 0, arg.access != OP_READ, arg.access == OP_READ || arg.access == OP_RW};
      if (by_data_) reach.data = static_cast<int>(dat - changed_.begin());
      if (arg.map) reach.column = column_of(arg.map->table.data(), arg.column + c), reach.step = arg.map->dim;
      if (stretch.order) {
        reach.map = reach.column;
        reach.own = !reach.column;
        reach.column = column_in(*stretch.order, reach.column, reach.step);
        reach.step = 1;
      }
      const auto same = std::ranges::find_if(described.reaches, [&](const Reach &other) {
        return other.set == reach.set && other.column == reach.column && other.data == reach.data;
      });
      if (same == described.reaches.end())
        described.reaches.push_back(reach);
      else
        same->adds = same->adds || reach.adds, same->reads = same->reads || reach.reads;
    }
  }
  if (!described.reaches.empty()) return; // else it changes nothing: its elements have places by themselves
  Reach own{number_of(loop.signature().set)};
  if (stretch.order) own.column = stretch.order->data(), own.step = 1, own.own = true;
  described.reaches.push_back(own);
}

int Stretches::number_of(const Set &set) {
  const auto [at, is_new] = numbers_.insert({&set, static_cast<int>(numbers_.size())});
  if (is_new) rows_.push_back(set.rows()), in_order_.push_back(in_place(set));
  return at->second;
}

const Stretches::Elements &Stretches::order_of(const Set &set, int begin, int end,
                                               const PlanCache::Sequence *sequence) {
  const auto [at, is_new] = orders_.try_emplace({&set, begin, end, sequence});
  Elements &out = at->second;
  if (is_new && sequence)
    for (const SequenceRun &run : *sequence)
      for (int e = run.begin; e < run.end; ++e) out.push_back(e);
  else if (is_new)
    out.resize(static_cast<std::size_t>(end - begin)), std::iota(out.begin(), out.end(), begin);
  return out;
}

const int *Stretches::column_in(const Elements &order, const int *column, int step) {
  if (!column) return order.data();
  const auto [at, is_new] = columns_.try_emplace({&order, column});
  if (is_new)
    for (const int e : order) at->second.push_back(column[static_cast<std::ptrdiff_t>(e) * step]);
  return at->second.data();
}

std::vector<char> Stretches::needing_copies() const {
  std::vector<char> out;
  for (const Stretch &stretch : stretches_) out.push_back(stretch.needs_copies);
  return out;
}

std::vector<ChainPart> Stretches::parts(std::span<Loop *const> loops) const {
  std::vector<ChainPart> out;
  for (const Stretch &stretch : stretches_) {
    const auto number = static_cast<std::size_t>(stretch.loop);
    out.push_back({loops[number], number, stretch.part,
                   stretch.order ? std::span<const int>(*stretch.order) : std::span<const int>()});
  }
  return out;
}

void Stretches::add_steps(const Step &step, std::vector<Step> &out) const {
  const Stretch &stretch = stretches_[static_cast<std::size_t>(step.loop)];
  if (!stretch.order) return out.push_back(run_elements(stretch.loop, step.begin, step.end, stretch.part));
  const std::size_t first = out.size();
  for (int i = step.begin; i < step.end; ++i) {
    const int element = (*stretch.order)[static_cast<std::size_t>(i)];
    if (out.size() > first && out.back().end == element)
      ++out.back().end;
    else
      out.push_back(run_elements(stretch.loop, element, element + 1, stretch.part));
  }
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
