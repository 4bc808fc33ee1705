#include "loop/engine/layered_runner.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "loop/layers/fail_together.hpp"
#include "loop/verify/paged_rows.hpp"
#include "mesh/paged/kept_rows.hpp"

namespace op2::core {

namespace {

struct Exchanged { // by this process so far
  std::int64_t exchanges = 0, messages = 0;
  double waited = 0;
};

Exchanged exchanged(const StatsTable &stats) {
  Exchanged out;
  for (const LoopStats &loop : stats.all()) {
    out.exchanges += loop.exchanges;
    out.messages += loop.messages;
    out.waited += loop.wait_seconds;
  }
  return out;
}

std::int64_t executed_by(const Loop &loop) {
  std::int64_t out = 0;
  for (const LoopPart &part : loop.parts()) out += part.end - part.begin;
  return out;
}

void count_elements(std::span<const ChainCall> calls, const LayerGroup &group, ChainStats &record) {
  for (std::size_t i = group.first; i < group.last; ++i) {
    const std::int64_t executed = executed_by(group.together() ? *group.loops[i - group.first] : *calls[i].loop);
    record.elements += executed;
    record.again += executed - calls[i].loop->signature().set.size;
  }
}

void poison(Error &error) { error.poisons = true; }
void leave(const Error &) {}

bool reduces_at_once(const Loop &loop) { return loop.reduces() && !loop.may_reduce_later(); }

} // namespace

void LayeredRunner::run(const ChainToRun &chain) {
  chain.at = 0;
  if (chain.calls.size() == 1) {
    context_.recorded.put_before(0);
    run_one(*chain.calls[0].loop, chain, 0);
    return context_.recorded.put_before(1);
  }
  const struct Open { // also after a failure
    LaterReductions &later;
    explicit Open(LaterReductions &l) : later(l) { later.open(); }
    ~Open() { later.close(); }
    Open(const Open &) = delete;
    Open &operator=(const Open &) = delete;
  } open(later_);
  settled_ = 0;
  context_.recorded.put_before(0);
  run_chain(chain);
}

// Where processes have recorded other loops than others, they would wait for each other.
void LayeredRunner::agree_on(const ChainToRun &chain) {
  std::string names;
  for (const ChainCall &call : chain.calls) names += text(names.empty() ? "'" : ", '", call.loop->name(), "'");
  context_.mesh.agreement().agree(text("a chain of loops ", names));
}

// What an executor has put off would count for a later run.
void LayeredRunner::finish_executor(const ChainToRun &chain) {
  const auto finish = [&] {
    if (context_.mesh.executor().caps().asynchronous) context_.mesh.executor().finish();
  };
  fail_together(context_.mesh, "a chain of loops in layers", chain.at, finish, poison);
}

void LayeredRunner::run_chain(const ChainToRun &chain) {
  bool is_new = false;
  LayeredChain *known = &layered_.find(chain.calls, is_new);
  if (is_new) agree_on(chain);
  Communicator &communicator = context_.mesh.communicator();
  if (known->next_groups(chain.calls, communicator, layers_in_memory()) && known->depth() > setup_.halo_depth())
    known = &deepen(chain, *known);
  find_units(chain, *known);
  const bool compares = known->compares();
  chain.at = 0;
  if (compares) finish_executor(chain);
  const double start = now();
  const Exchanged before = exchanged(context_.stats);
  const std::int64_t results = later_.results(), times = later_.times();
  std::vector<LayerGroup> *const groups = known->next_groups(chain.calls, communicator, layers_in_memory());
  if (groups)
    for (LayerGroup &group : *groups) run_group(chain, group, known->tile_bytes());
  else
    for (chain.at = 0; chain.at < chain.calls.size(); ++chain.at) run_one(*chain.calls[chain.at].loop, chain, chain.at);
  settle_globals(chain.calls.size(), chain.at);
  const Exchanged after = exchanged(context_.stats);
  const std::int64_t exchanges = after.exchanges - before.exchanges, messages = after.messages - before.messages;
  if (groups) {
    note_run(chain, *known, *groups);
    ChainStats &record = context_.stats.chain_of(chain.name, std::ssize(chain.calls));
    record.exchanges += exchanges;
    record.messages += messages;
    record.saved_messages += known->messages_apart() - messages;
    record.reduced += later_.results() - results;
    record.reductions += later_.times() - times;
  }
  chain.at = chain.calls.size() - 1;
  if (compares) finish_executor(chain);
  // The host may go on while messages travel.
  const bool waits = context_.timing && !context_.mesh.executor().caps().asynchronous;
  known->record_time({now() - start, waits ? after.waited - before.waited : -1, exchanges, messages}, communicator);
  if (!known->to_report()) return;
  context_.log.write(OP_LOG_INFO, text("chain ", chain.quoted(), "of ", known->text()));
  if (options_.at_once) context_.stats.chain_of(chain.name, std::ssize(chain.calls)).form = known->on_executor();
}

void LayeredRunner::note_run(const ChainToRun &chain, LayeredChain &known, std::span<const LayerGroup> groups) {
  ChainStats &record = context_.stats.chain_of(chain.name, std::ssize(chain.calls));
  ++record.runs;
  record.layers = known.depth();
  for (const LayerGroup &group : groups) {
    count_elements(chain.calls, group, record);
    record.in_tiles += group.in_tiles();
    record.at_once += group.at_once;
  }
}

// What was put into globals, and what the calls before this one have reduced into them.
void LayeredRunner::settle_globals(std::size_t end, std::size_t &at) {
  const auto settle = [&] {
    later_.reduce_all(context_.mesh.communicator(), at);
    for (at = settled_; at < end; ++at) {
      later_.finish(at);
      context_.recorded.put_before(at + 1);
    }
  };
  if (later_.empty())
    settle();
  else // the loops have run
    fail_together(context_.mesh, "what loops of a chain reduce", at, settle, poison);
  settled_ = end;
  later_.clear();
}

void LayeredRunner::before_results(Loop &loop, std::size_t at) {
  if (!loop.reduces()) return;
  if (!loop.may_reduce_later()) settle_globals(at, at);
  loop.loop_run().reduce_later(loop.may_reduce_later() ? &later_ : nullptr);
  later_.set_call(at);
}

void LayeredRunner::run_one(Loop &loop, const ChainToRun &chain, std::size_t at) {
  before_results(loop, at);
  const LoopCall &call = chain.calls[at].call;
  const auto run = [&] {
    loop.make_current(call);
    run_loop(loop, call);
  };
  if (chain.calls.size() == 1 || !reduces_at_once(loop))
    run();
  else
    fail_together(context_.mesh, "a loop of a chain", chain.at, run, leave);
}

// Each process by itself: exchanges, reductions and agreements of the loop are the same in both ways.
void LayeredRunner::run_loop(Loop &loop, const LoopCall &call) {
  const LayerTiles *const units = pager() ? units_of(loop) : nullptr;
  if (!units) return context_.interpreter.run(loop, call);
  RunningCall running[] = {{&loop, &call}};
  std::size_t at = 0;
  const auto run = [&](std::span<const Step> steps) { context_.interpreter.run(steps, running, units->groups(), at); };
  const auto failed = [&](Error &error) {
    loop.loop_run().fail(error);
    Interpreter::abandon(running);
  };
  with_errors(
      [&] {
        run_units(*units, run);
        run(units->schedule().closing_steps());
      },
      failed);
  loop.ran_in_pieces();
}

// NULL: the loop runs as a whole, and brings its rows by page faults.
const LayerTiles *LayeredRunner::units_of(Loop &loop) {
  if (loop.prepared().plans_open()) return nullptr;
  const bool verified = loop.prepared().only_verifies_pieces();
  std::unique_ptr<LayerTiles> &units = units_[&loop];
  if (!units) {
    Loop *const loops[] = {&loop};
    const int threads = chain_threads(loop.prepared().executor());
    const double bytes = options_.tile_bytes > 0 ? options_.tile_bytes : tile_sizes(options_.caches, threads)[1];
    units = std::make_unique<LayerTiles>(loops, bytes, LayerPaging{pager(), kept_bytes()});
    const std::string form = units->why().empty() ? text(units->tiles(), " tiles ", units->form())
                                                  : text("rows come by page faults: ", units->why(), ", ");
    context_.log.write(OP_LOG_INFO, text("loop '", loop.name(), "' by itself: ", form, "found in ",
                                         fixed(1e3 * units->seconds(), 1), " ms"));
    std::size_t at = 0;
    if (verified && units->in_units()) verify_units(loops, "", *units, at);
  }
  return units->in_units() && !verified ? units.get() : nullptr;
}

void LayeredRunner::run_group(const ChainToRun &chain, LayerGroup &group, double tile_bytes) {
  chain.at = group.first;
  if (!group.together()) return run_one(*chain.calls[chain.at].loop, chain, chain.at);
  if (group.loops.empty()) {
    settle_globals(chain.at, chain.at); // what has run counts, should this fail
    prepare(chain, group);
  }
  if (tile_bytes > 0 && !group.tiles) find_tiles(chain, group, tile_bytes);
  if (group.in_tiles()) {
    run_in_tiles(chain, group);
  } else if (group.at_once = options_.at_once && update_executor(chain, group); group.at_once) {
    run_at_once(chain, group);
  } else {
    for (chain.at = group.first; chain.at < group.last; ++chain.at)
      run_one(*group.loops[chain.at - group.first], chain, chain.at);
    --chain.at;
  }
  note_copies(chain, group);
}

// How far copies are current now.
void LayeredRunner::note_copies(const ChainToRun &chain, const LayerGroup &group) {
  const std::vector<DatLevel> &left = group.plan.left;
  for (const DatLevel &dat : left) context_.mesh.copies().note_current(dat_of(chain.calls, dat.dat), dat.level);
  for (const DatLevel &dat : group.plan.brought) {
    Dat &object = dat_of(chain.calls, dat.dat);
    if (std::ranges::find(left, dat.dat, &DatLevel::dat) == left.end())
      context_.mesh.copies().note_current(object, std::max(dat.level, object.state.current_to()));
  }
}

std::size_t LayeredRunner::kept_bytes() const {
  std::size_t out = 0;
  for (const auto &dat : context_.mesh.dats())
    if (pager()) out += pager()->bytes_of(kept_chunks(*dat, *pager()));
  return out;
}

// All processes or none: those in tiles agree less often. Whether units of chunks fit into memory, on all of them.
bool LayeredRunner::find_tiles(const ChainToRun &chain, LayerGroup &group, double tile_bytes) {
  auto tiles = std::make_shared<LayerTiles>(group.loops, tile_bytes, LayerPaging{pager(), kept_bytes()});
  constexpr int none = 0, too_large = 1, all = 2;
  const bool verified = group.loops.front()->prepared().only_verifies_pieces();
  const int found = tiles->too_large() ? too_large : verified || !tiles->why().empty() ? none : all;
  const auto on_all = context_.mesh.communicator().min(found);
  chain.at = group.first;
  if (verified && tiles->in_units()) verify_units(group.loops, chain.quoted(), *tiles, chain.at);
  if (on_all != all) tiles->refuse("some process cannot cut its loops");
  group.tiles = std::move(tiles);
  return on_all != too_large;
}

// Where data is partly in a file: fewer layers make shorter groups, of which units may fit where those of longer ones
// do not.
void LayeredRunner::find_units(const ChainToRun &chain, LayeredChain &known) {
  Communicator &communicator = context_.mesh.communicator();
  for (bool fit = false; !fit && known.paged();) {
    fit = true;
    std::vector<LayerGroup> *const groups = known.next_groups(chain.calls, communicator, layers_in_memory());
    if (!groups) return;
    for (LayerGroup &group : *groups) {
      if (!group.together() || group.tiles) continue;
      if (group.loops.empty()) prepare(chain, group);
      fit = find_tiles(chain, group, known.tile_bytes()) && fit;
    }
    if (!fit) known.take_fewer_layers(chain.calls, communicator);
  }
}

// On an executor that runs loops as a whole: that rows would be in memory.
void LayeredRunner::verify_units(std::span<Loop *const> loops, const std::string &chain, const LayerTiles &tiles,
                                 std::size_t &at) {
  const PagedSteps steps{tiles.schedule().steps, tiles.pages().units, tiles.pages().start};
  const std::int64_t uses = verify_rows(loops, *tiles.pages().pager, steps, text("chain ", chain), at);
  context_.log.write(OP_LOG_INFO,
                     text("chain ", chain, "from loop '", loops.front()->name(), "' on: ", uses, uses_verified));
}

// So that copies take a small part of the memory, beside what chunks have of other rows; 0: all data is in memory.
int LayeredRunner::layers_in_memory() const {
  constexpr double part_for_copies = 0.125;
  constexpr int most = 1024;
  if (!pager()) return 0;
  const PagerOptions &memory = pager()->options();
  double copies = 0, dats = 0;
  for (const auto &dat : context_.mesh.dats()) {
    if (dat->host.paged().number() < 0) continue;
    copies += static_cast<double>(dat->bytes() - dat->own_bytes());
    ++dats;
  }
  const double room = part_for_copies * static_cast<double>(memory.limit) - dats * static_cast<double>(memory.chunk);
  return static_cast<int>(std::clamp(room * setup_.halo_depth() / std::max(copies, 1.0), 1.0, double{most}));
}

void LayeredRunner::prepare(const ChainToRun &chain, LayerGroup &group) {
  std::vector<CopiesWanted> wanted;
  for (const DatLevel &dat : group.plan.brought) wanted.push_back({&dat_of(chain.calls, dat.dat), dat.level});
  std::vector<Loop *> loops;
  bool early = true; // the loop's core may run while messages travel
  for (chain.at = group.first; chain.at < group.last; ++chain.at) {
    const ChainCall &call = chain.calls[chain.at];
    const bool first = chain.at == group.first;
    loops.push_back(&loops_.in_layers(call, group.plan.executed[chain.at - group.first], early,
                                      first ? std::move(wanted) : std::vector<CopiesWanted>()));
    early = early && options_.at_once && !call.loop->signature().indirect; // see ExecutorLayers
  }
  group.loops = std::move(loops);
}

// Whether the executor takes the loops together. Processes need not find the same: they exchange and reduce the same in
// both ways. Where errors return, they also agree before each loop, or once.
bool LayeredRunner::update_executor(const ChainToRun &chain, LayerGroup &group) {
  if (!group.whole) group.whole = std::make_shared<ExecutorLayers>(group.loops);
  bool fits = false;
  const auto update = [&] {
    for (chain.at = group.first; chain.at < group.last; ++chain.at)
      group.loops[chain.at - group.first]->make_current(chain.calls[chain.at].call);
    chain.at = group.first;
    fits = group.whole->update().empty();
  };
  fail_together(context_.mesh, "a chain of loops in layers", chain.at, update, leave);
  const bool returns = context_.mesh.agreement().errors_return();
  return returns ? context_.mesh.communicator().min(fits ? 1 : 0) == 1 : fits;
}

// main(run) performs the steps of a group up to the first closing, by run(steps, chains); all processes learn when it
// fails on one of them.
template <class Main>
void LayeredRunner::run_steps(const ChainToRun &chain, const LayerGroup &group, const Schedule &schedule,
                              const Main &main) {
  std::vector<RunningCall> calls;
  for (std::size_t i = group.first; i < group.last; ++i)
    calls.push_back({group.loops[i - group.first], &chain.calls[i].call});
  bool sends = false; // others may wait for messages of this process
  const auto run = [&](std::span<const Step> steps, Interpreter::Groups groups) {
    std::size_t number = 0;
    sends = true;
    try {
      context_.interpreter.run(steps, calls, groups, number);
    } catch (...) {
      chain.at = group.first + number;
      throw;
    }
    chain.at = group.last - 1;
  };
  try {
    fail_together(
        context_.mesh, "a group of loops of a chain", chain.at, [&] { main(run); },
        [&](Error &error) {
          if (sends) group.loops.front()->loop_run().fail(error);
        });
    close(chain, group, schedule, calls);
  } catch (...) {
    Interpreter::abandon(calls);
    throw;
  }
}

// All elements have run, on all processes.
void LayeredRunner::close(const ChainToRun &chain, const LayerGroup &group, const Schedule &schedule,
                          std::span<RunningCall> calls) {
  for (const Step &step : schedule.closing_steps()) {
    std::size_t number = static_cast<std::size_t>(step.loop);
    chain.at = group.first + number;
    Loop &loop = *group.loops[number];
    const auto perform = [&] { context_.interpreter.run({&step, 1}, calls, {}, number); };
    if (step.what == Do::close) before_results(loop, chain.at);
    if (step.what == Do::close && reduces_at_once(loop))
      fail_together(context_.mesh, "a loop of a chain", chain.at, perform, leave);
    else
      perform();
  }
}

// The steps before closing, by run(steps). Rows that are sent come by page faults, where there is room for them until
// the first unit.
template <class Run>
void LayeredRunner::run_units(const LayerTiles &tiles, const Run &run) {
  const std::span<const Step> steps = tiles.schedule().before_closing();
  const auto sent = static_cast<std::size_t>(std::ranges::find(steps, Do::send, &Step::what) - steps.begin()) + 1;
  pager()->keep_only(tiles.pages().start);
  run(steps.first(sent));
  tiles.pages().begin();
  run(steps.subspan(sent));
}

void LayeredRunner::run_in_tiles(const ChainToRun &chain, const LayerGroup &group) {
  const Schedule &schedule = group.tiles->schedule();
  run_steps(chain, group, schedule, [&](const auto &run) {
    for (chain.at = group.first; chain.at < group.last; ++chain.at)
      group.loops[chain.at - group.first]->make_current(chain.calls[chain.at].call);
    chain.at = group.first;
    const auto perform = [&](std::span<const Step> steps) { run(steps, group.tiles->groups()); };
    if (group.tiles->in_units()) return run_units(*group.tiles, perform);
    perform(schedule.before_closing());
  });
}

void LayeredRunner::run_at_once(const ChainToRun &chain, const LayerGroup &group) {
  const ExecutorLayers &layers = *group.whole;
  Loop &first = *group.loops.front();
  run_steps(chain, group, layers.without_exchange(), [&](const auto &run) {
    run(layers.opening().steps, layers.chains());
    const bool exchanges = first.loop_run().awaits_messages();
    run((exchanges ? layers.with_exchange() : layers.without_exchange()).before_closing(), layers.chains());
  });
}

// Halos of more layers: rows stay where they are, loops are prepared anew.
LayeredChain &LayeredRunner::deepen(const ChainToRun &chain, LayeredChain &known) {
  std::list<LayeredChain> kept = layered_.take_last();
  deepen_(known.depth());
  return layered_.adopt(std::move(kept), chain.calls);
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
