#include "loop/layers/layer_tiles.hpp"

#include <algorithm>
#include <map>
#include <new>
#include <set>
#include <tuple>
#include <utility>

#include "base/clock.hpp"
#include "base/text.hpp"
#include "loop/layers/layer_steps.hpp"
#include "loop/layers/stretches.hpp"
#include "loop/threads/tasks.hpp"

namespace op2::core {

namespace {

constexpr double most_tiles = 60000;
constexpr const char *cuts_a_block = "some loop reduces in blocks that lie on both sides of the core's end";

std::string why_not_in_tiles(const Loop &loop) {
  const PreparedLoop &how = loop.prepared();
  const op_exec_caps &caps = how.executor().caps();
  const bool threads = how.executor().runs_chains();
  if (!caps.host_code || caps.asynchronous || (caps.concurrency != 1 && !threads))
    return text("executor ", how.executor().name(), " runs loops as a whole");
  for (std::size_t i = 0; i < loop.signature().args.size(); ++i)
    if (const Dat *const dat = loop.signature().args[i].dat; dat && !dat->layout.aos())
      return text("loop '", loop.name(), "' may work on copies in another layout"); // once it has other code
  for (std::size_t p = 0; p < loop.parts().size(); ++p) {
    const PreparedLoop::Part &part = how.part(static_cast<int>(p));
    const LoopPart &range = loop.parts()[p];
    const bool pieces = part.plan.kind == OP_PLAN_NONE || part.plan.kind == OP_PLAN_BLOCKS ||
                        (threads && is_owner_kind(part.plan.kind));
    if (how.plans_open() || part.in_calls || !pieces || (threads && !part.in_chains) ||
        (range.sequence && (loop.reduces() || range.begin < loop.signature().set.core_size)))
      return text("loop '", loop.name(), "' keeps an order of its own");
    if (threads && loop.reduces_too_much_for_blocks(static_cast<int>(p)))
      return text("loop '", loop.name(), "' reduces too much for a record of each block");
  }
  return "";
}

// Rows that steps have touched which wait for copies.
class Waiting {
 public:
  explicit Waiting(std::span<const int> rows) {
    for (const int count : rows) touched_.emplace_back(static_cast<std::size_t>(count));
  }
  void add(const ChainLoop &loop, int begin, int end) {
    for (const Reach &reach : loop.reaches)
      for (int e = begin; e < end; ++e) at(reach, e) = 1;
  }
  // The first element that meets such a row.
  int first_in(const ChainLoop &loop, int begin, int end) {
    for (int e = begin; e < end; ++e)
      for (const Reach &reach : loop.reaches)
        if (at(reach, e)) return e;
    return end;
  }

 private:
  char &at(const Reach &reach, int e) {
    const int row = reach.column ? reach.column[static_cast<std::ptrdiff_t>(e) * reach.step] : e;
    return touched_[static_cast<std::size_t>(reach.set)][static_cast<std::size_t>(row)];
  }
  std::vector<std::vector<char>> touched_;
};

// The steps of the first tile, those first that need no copies, nor what steps before them make of copies. Returns
// their number.
std::size_t put_early_first(ChainTiles &tiles, const Stretches &all) {
  Waiting waiting(all.rows());
  std::vector<Step> early, late;
  for (std::size_t s = 0; s < tiles.first[1]; ++s) {
    const Step step = tiles.steps[s];
    const ChainLoop &loop = all.loops()[static_cast<std::size_t>(step.loop)];
    int ready = step.begin;
    if (!all.needs_copies(step.loop)) {
      ready = waiting.first_in(loop, step.begin, step.end);
      if (!loop.cuts.empty() && ready < step.end) ready = *(std::ranges::upper_bound(loop.cuts, ready) - 1);
      ready = std::max(ready, step.begin);
    }
    if (ready > step.begin) early.push_back(run_elements(step.loop, step.begin, ready));
    if (ready == step.end) continue;
    waiting.add(loop, ready, step.end);
    late.push_back(run_elements(step.loop, ready, step.end));
  }
  const std::size_t out = early.size();
  early.insert(early.end(), late.begin(), late.end());
  early.insert(early.end(), tiles.steps.begin() + static_cast<std::ptrdiff_t>(tiles.first[1]), tiles.steps.end());
  tiles.steps = std::move(early);
  return out;
}

} // namespace

LayerTiles::LayerTiles(std::span<Loop *const> loops, double tile_bytes) {
  const double start = now();
  for (const Loop *loop : loops)
    if (why_.empty()) why_ = why_not_in_tiles(*loop);
  if (why_.empty()) try {
      find(loops, tile_bytes);
    } catch (const std::bad_alloc &) { // other processes ask whether this one has tiles
      refuse("no memory for their order");
    }
  seconds_ = now() - start;
}

LayerTiles::~LayerTiles() = default;

void LayerTiles::find(std::span<Loop *const> loops, double tile_bytes) {
  const Executor &executor = loops.front()->prepared().executor();
  const int threads = chain_threads(executor);
  const bool tasks = threads > 0 && executor.caps().tasks != 0;
  auto all = std::make_unique<Stretches>(loops, tasks);
  const int wanted = static_cast<int>(std::min(bytes_of_rows(loops) / tile_bytes + 1, most_tiles));
  open_layers(schedule_, loops.size());
  schedule_.add(Do::post);
  schedule_.add(Do::send);
  if (tasks) {
    find_tasks(loops, std::move(all), std::clamp(wanted, 2 * threads, most_task_parts), threads);
  } else {
    ChainTiles tiles = tile_chain(all->loops(), all->rows(), wanted, all->in_order());
    tiles_ = tiles.tiles();
    pieces_ = tiles.steps.size();
    if (threads > 0)
      find_lists(loops, std::move(all), tiles, threads);
    else
      find_pieces(*all, std::move(tiles));
  }
  close_layers(schedule_, loops.size());
}

void LayerTiles::find_pieces(const Stretches &all, ChainTiles tiles) {
  const std::size_t early = tiles.tiles() > 0 ? put_early_first(tiles, all) : 0;
  std::vector<Step> pieces;
  for (std::size_t s = 0; s < tiles.steps.size(); ++s) {
    if (s == early) schedule_.add(Do::wait_messages);
    pieces.clear();
    all.add_steps(tiles.steps[s], pieces);
    if (s < early) schedule_.add(Do::advance);
    schedule_.steps.insert(schedule_.steps.end(), pieces.begin(), pieces.end());
  }
  if (tiles.steps.size() <= early) schedule_.add(Do::wait_messages);
}

void LayerTiles::add_threads(std::span<Loop *const> loops, std::unique_ptr<Stretches> all, int threads,
                             const ThreadedChain::MakeLists &make) {
  stretches_ = std::move(all);
  auto made = std::make_unique<ThreadedChain>(stretches_->parts(loops), stretches_->loops(), threads, make);
  threads_ = made.get();
  groups_.push_back(std::move(made));
  schedule_.add(Do::run_group);
}

void LayerTiles::find_lists(std::span<Loop *const> loops, std::unique_ptr<Stretches> all, const ChainTiles &tiles,
                            int threads) {
  if (all->cuts_sums()) return refuse(cuts_a_block);
  schedule_.add(Do::wait_messages);
  if (all->loops().empty()) return; // this process has no elements
  const Stretches &what = *all;
  add_threads(loops, std::move(all), threads, [&](const auto &columns) {
    return list_chain(what.loops(), columns, tiles, part_chain(what.loops(), what.rows(), threads, what.in_order()));
  });
}

// The group takes the messages.
void LayerTiles::find_tasks(std::span<Loop *const> loops, std::unique_ptr<Stretches> all, int parts, int threads) {
  if (all->cuts_sums()) return refuse(cuts_a_block);
  if (all->loops().empty()) return schedule_.add(Do::wait_messages);
  const Stretches &what = *all;
  add_threads(loops, std::move(all), threads, [&](const auto &columns) {
    const std::vector<char> late = what.needing_copies();
    return task_chain(what.loops(), columns,
                      deal_tasks(what.loops(), what.rows(), equal_borders(parts), what.in_order(), late), threads);
  });
  tiles_ = parts;
  pieces_ = threads_->lists().steps.size();
}

std::string LayerTiles::threads_text() const {
  if (!threads_) return "";
  const ChainLists &lists = threads_->lists();
  if (!lists.awaits) return threads_->text();
  const auto early = std::ranges::count_if(lists.lists, [&](const op_exec_chain_list &list) {
    return list.first_step < list.last_step &&
           (list.first_wait == list.last_wait || lists.waits[static_cast<std::size_t>(list.first_wait)].list != 0);
  });
  return core::text(early, " of them while messages travel, ");
}

void LayerTiles::refuse(const std::string &why) {
  if (why_.empty()) why_ = why;
  tiles_ = 0;
  pieces_ = 0;
  threads_ = nullptr;
  groups_.clear();
  stretches_.reset();
  schedule_ = {};
}

int chain_threads(const Executor &executor) { return executor.runs_chains() ? executor.caps().concurrency : 0; }

double bytes_of_rows(std::span<Loop *const> loops) {
  std::set<const Dat *> seen;
  double out = 0;
  for (const Loop *loop : loops)
    for (const LoopArg &arg : loop->signature().args)
      if (arg.dat && seen.insert(arg.dat).second) out += static_cast<double>(arg.dat->bytes());
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
