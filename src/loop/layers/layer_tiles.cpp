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
#include "loop/layers/layer_work.hpp"
#include "loop/layers/stretches.hpp"
#include "loop/threads/tasks.hpp"

namespace op2::core {

namespace {

constexpr double most_tiles = 60000;
constexpr const char *cuts_a_block = "some loop reduces in blocks that lie on both sides of the core's end";

int tiles_for(std::span<Loop *const> loops, double tile_bytes) {
  return static_cast<int>(std::min(bytes_of_rows(loops) / tile_bytes + 1, most_tiles));
}

std::string why_not_in_tiles(const Loop &loop) {
  const PreparedLoop &how = loop.prepared();
  const op_exec_caps &caps = how.executor().caps();
  const bool threads = how.executor().runs_chains();
  if ((!caps.host_code && !how.only_verifies_pieces()) || caps.asynchronous || (caps.concurrency != 1 && !threads))
    return text("executor ", how.executor().name(), " runs loops as a whole");
  if (how.verifies()) return text("OP2_JIT=verify compares each call of loop '", loop.name(), "'");
  if (loop.signature().set.particles) return text("loop '", loop.name(), "' is over particles");
  if (loop.signature().shares) return text("elements of loop '", loop.name(), "' use a variable one after another");
  for (std::size_t i = 0; i < loop.signature().args.size(); ++i)
    if (const Dat *const dat = loop.signature().args[i].dat; dat && !dat->layout.aos())
      return text("loop '", loop.name(), "' may work on copies in another layout"); // once it has other code
  for (std::size_t p = 0; p < loop.parts().size(); ++p) {
    const PreparedLoop::Part &part = how.part(static_cast<int>(p));
    const LoopPart &range = loop.parts()[p];
    const bool pieces = part.plan.kind == OP_PLAN_NONE || part.plan.kind == OP_PLAN_BLOCKS ||
                        (threads && is_owner_kind(part.plan.kind));
    if (how.plans_open() || !how.on_executor() || part.in_calls || !pieces || (threads && !part.in_chains) ||
        (range.sequence && (loop.reduces() || range.begin < loop.signature().set.core_size)))
      return text("loop '", loop.name(), "' keeps an order of its own");
    if (threads && loop.reduces_too_much_for_blocks(static_cast<int>(p)))
      return text("loop '", loop.name(), "' reduces too much for a record of each block");
  }
  return "";
}

} // namespace

LayerTiles::LayerTiles(std::span<Loop *const> loops, double tile_bytes, const LayerPaging &paging) {
  const double start = now();
  for (const Loop *loop : loops)
    if (why_.empty()) why_ = why_not_in_tiles(*loop);
  if (why_.empty()) try {
      find(loops, tile_bytes, paging);
    } catch (const std::bad_alloc &) { // other processes ask whether this one has tiles
      refuse("no memory for their order");
    }
  seconds_ = now() - start;
}

LayerTiles::~LayerTiles() = default;

void LayerTiles::find(std::span<Loop *const> loops, double tile_bytes, const LayerPaging &paging) {
  const Executor &executor = loops.front()->prepared().executor();
  const int threads = chain_threads(executor);
  open_layers(schedule_, loops.size());
  schedule_.add(Do::post);
  schedule_.add(Do::send);
  if (paging.pager)
    find_units(loops, tile_bytes, paging, threads);
  else
    find_whole(loops, tile_bytes, threads, threads > 0 && executor.caps().tasks != 0);
  if (!why_.empty()) return;
  if (loops.size() == 1) schedule_.add(Do::agree); // as in loop/schedule.hpp; groups agree behind these steps
  close_layers(schedule_, loops.size());
}

ChainTiles LayerTiles::cut(std::span<Loop *const> loops, const Stretches &all, double tile_bytes) {
  ChainTiles tiles = tile_chain(all.loops(), all.rows(), tiles_for(loops, tile_bytes), all.in_order());
  tiles_ = tiles.tiles();
  pieces_ = tiles.steps.size();
  return tiles;
}

// Where data is partly in a file.
void LayerTiles::find_units(std::span<Loop *const> loops, double tile_bytes, const LayerPaging &paging, int threads) {
  stretches_ = std::make_unique<Stretches>(loops, false);
  if (threads > 0 && stretches_->cuts_sums()) return refuse(cuts_a_block);
  const bool lists = threads > 0 && !stretches_->loops().empty();
  const bool found = find_tile_size(tile_bytes, *paging.pager, [&](double bytes) {
    ChainTiles tiles = cut(loops, *stretches_, bytes);
    const std::unique_ptr<PagedWork> work =
        lists ? list_work(loops, *stretches_, tiles, threads) : tile_work(*stretches_, std::move(tiles));
    if (!units_.find(*work, loops, *paging.pager, paging.kept)) return false;
    units_.add_steps(*work, schedule_, groups_);
    return true;
  });
  too_large_ = !found;
  if (too_large_) refuse("a tile needs more memory than the limit allows");
}

void LayerTiles::find_whole(std::span<Loop *const> loops, double tile_bytes, int threads, bool tasks) {
  auto all = std::make_unique<Stretches>(loops, tasks);
  if (threads == 0) {
    const std::unique_ptr<PagedWork> work = tile_work(*all, cut(loops, *all, tile_bytes));
    return work->add_steps(0, work->pieces(), schedule_, groups_);
  }
  if (tasks)
    find_tasks(loops, std::move(all), std::clamp(tiles_for(loops, tile_bytes), 2 * threads, most_task_parts), threads);
  else
    find_lists(loops, std::move(all), tile_bytes, threads);
}

void LayerTiles::add_threads(std::span<Loop *const> loops, std::unique_ptr<Stretches> all, int threads,
                             const ThreadedChain::MakeLists &make) {
  stretches_ = std::move(all);
  auto made = std::make_unique<ThreadedChain>(stretches_->parts(loops), stretches_->loops(), threads, make);
  threads_ = made.get();
  groups_.push_back(std::move(made));
  schedule_.add(Do::run_group);
}

void LayerTiles::find_lists(std::span<Loop *const> loops, std::unique_ptr<Stretches> all, double tile_bytes,
                            int threads) {
  const ChainTiles tiles = cut(loops, *all, tile_bytes);
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

std::string LayerTiles::form() const {
  if (units_.count() > 0) return core::text("in ", units_.text(), ", ");
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
  units_ = {};
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
