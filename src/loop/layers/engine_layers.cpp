// Engine: chains of several processes, in layers of copies.
#include <algorithm>

#include "base/clock.hpp"
#include "loop/engine.hpp"
#include "loop/layers/fail_together.hpp"

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
    record.again += executed - calls[i].loop->what().set.size;
  }
}

} // namespace

// Where processes have recorded other loops than others, they would wait for each other.
void Engine::agree_on_chain(std::span<const ChainCall> calls) {
  std::string names;
  for (const ChainCall &call : calls) names += text(names.empty() ? "'" : ", '", call.loop->name(), "'");
  mesh_.agreement().agree(text("a chain of loops ", names));
}

void Engine::run_in_layers(std::span<const ChainCall> calls, std::size_t &at) {
  at = 0;
  if (calls.size() == 1) {
    recorded_.put_before(0);
    run_one(*calls[0].loop, calls, 0);
    return recorded_.put_before(1);
  }
  const struct Open { // also after a failure
    LaterReductions &later;
    explicit Open(LaterReductions &l) : later(l) { later.open(); }
    ~Open() { later.close(); }
    Open(const Open &) = delete;
    Open &operator=(const Open &) = delete;
  } open(later_);
  settled_ = 0;
  recorded_.put_before(0);
  run_chain_in_layers(calls, at);
}

// What was put into globals, and what the calls before this one have reduced into them.
void Engine::settle_globals(std::size_t end, std::size_t &at) {
  const auto settle = [&] {
    later_.across(mesh_.communicator(), at);
    for (at = settled_; at < end; ++at) {
      later_.finish(at);
      recorded_.put_before(at + 1);
    }
  };
  if (later_.empty())
    settle();
  else // the loops have run
    fail_together(mesh_, "what loops of a chain reduce", at, settle, [](Error &error) { error.poisons = true; });
  settled_ = end;
  later_.clear();
}

void Engine::before_call(Loop &loop, std::size_t at) {
  if (!loop.reduces()) return;
  if (!loop.may_reduce_later()) settle_globals(at, at);
  loop.pieces().reduce_later(loop.may_reduce_later() ? &later_ : nullptr);
  later_.at(at);
}

void Engine::run_chain_in_layers(std::span<const ChainCall> calls, std::size_t &at) {
  bool is_new = false;
  LayeredChain *chain = &layered_.find(calls, is_new);
  if (is_new) agree_on_chain(calls);
  Communicator &communicator = mesh_.communicator();
  if (chain->next_groups(calls, communicator) && chain->depth() > options_.halo_depth) chain = &deepen(calls, *chain);
  // What an executor has put off would count for a later run.
  const bool asynchronous = mesh_.executor().caps().asynchronous, compares = chain->compares();
  const auto finish = [&] {
    if (asynchronous) mesh_.executor().finish();
  };
  const auto poison = [](Error &error) { error.poisons = true; };
  at = 0;
  if (compares) fail_together(mesh_, "a chain of loops in layers", at, finish, poison);
  const double start = now();
  const Exchanged before = exchanged(stats_);
  const std::int64_t results = later_.results(), times = later_.times();
  if (std::vector<LayerGroup> *const groups = chain->next_groups(calls, communicator))
    for (LayerGroup &group : *groups) run_group(calls, group, chain->tile_bytes(), at);
  else
    for (at = 0; at < calls.size(); ++at) run_one(*calls[at].loop, calls, at);
  settle_globals(calls.size(), at);
  const Exchanged after = exchanged(stats_);
  if (const std::vector<LayerGroup> *const groups = chain->next_groups(calls, communicator)) {
    ChainStats &record = stats_.chain_of(chain_name_, static_cast<std::int64_t>(calls.size()));
    ++record.runs;
    record.layers = chain->depth();
    record.exchanges += after.exchanges - before.exchanges;
    record.messages += after.messages - before.messages;
    record.saved_messages += chain->messages_apart() - (after.messages - before.messages);
    record.reduced += later_.results() - results;
    record.reductions += later_.times() - times;
    for (const LayerGroup &group : *groups) {
      count_elements(calls, group, record);
      record.in_tiles += group.in_tiles();
      record.at_once += group.at_once;
    }
  }
  at = calls.size() - 1;
  if (compares) fail_together(mesh_, "a chain of loops in layers", at, finish, poison);
  // The host may go on while messages travel.
  const double waited = options_.loops.exchange.timing && !asynchronous ? after.waited - before.waited : -1;
  chain->took({now() - start, waited, after.exchanges - before.exchanges, after.messages - before.messages},
              communicator);
  if (!chain->tells()) return;
  log_.write(OP_LOG_INFO, text("chain ", recording_ > 0 ? text("'", chain_name_, "' ") : "", "of ", chain->text()));
  if (options_.layers.at_once)
    stats_.chain_of(chain_name_, static_cast<std::int64_t>(calls.size())).form = chain->on_executor();
}

void Engine::run_one(Loop &loop, std::span<const ChainCall> calls, std::size_t at) {
  before_call(loop, at);
  const auto run = [&] {
    loop.make_current(calls[at].call);
    execute(loop, calls[at].call);
  };
  if (calls.size() == 1 || !loop.reduces() || loop.may_reduce_later())
    run();
  else
    fail_together(mesh_, "a loop of a chain", at, run, [](const Error &) {});
}

void Engine::run_group(std::span<const ChainCall> calls, LayerGroup &group, double tile_bytes, std::size_t &at) {
  at = group.first;
  if (!group.together()) return run_one(*calls[at].loop, calls, at);
  if (group.loops.empty()) {
    settle_globals(at, at); // what has run counts, should this fail
    prepare_group(calls, group, at);
  }
  if (tile_bytes > 0 && !group.tiles) find_tiles(group, tile_bytes);
  if (group.in_tiles()) {
    run_in_tiles(calls, group, at);
  } else if (group.at_once = options_.layers.at_once && goes_at_once(calls, group, at); group.at_once) {
    run_at_once(calls, group, at);
  } else {
    for (at = group.first; at < group.last; ++at) run_one(*group.loops[at - group.first], calls, at);
    --at;
  }
  for (const DatLevel &dat : group.plan.left) mesh_.copies().note_current(dat_of(calls, dat.dat), dat.level);
  for (const DatLevel &dat : group.plan.brought) {
    Dat &object = dat_of(calls, dat.dat);
    if (std::ranges::find(group.plan.left, dat.dat, &DatLevel::dat) == group.plan.left.end())
      mesh_.copies().note_current(object, std::max(dat.level, object.state.current_to()));
  }
}

// All processes or none: those in tiles agree less often.
void Engine::find_tiles(LayerGroup &group, double tile_bytes) {
  auto tiles = std::make_shared<LayerTiles>(group.loops, tile_bytes);
  if (mesh_.communicator().min(tiles->why().empty() ? 1 : 0) == 0) tiles->refuse("some process cannot cut its loops");
  group.tiles = std::move(tiles);
}

void Engine::prepare_group(std::span<const ChainCall> calls, LayerGroup &group, std::size_t &at) {
  std::vector<CopiesWanted> wanted;
  for (const DatLevel &dat : group.plan.brought) wanted.push_back({&dat_of(calls, dat.dat), dat.level});
  std::vector<Loop *> loops;
  bool early = true; // the loop's core may run while messages travel
  for (at = group.first; at < group.last; ++at) {
    const bool first = at == group.first;
    loops.push_back(&loop_in_layers(calls[at], group.plan.executed[at - group.first], early,
                                    first ? std::move(wanted) : std::vector<CopiesWanted>()));
    early = early && options_.layers.at_once && !calls[at].loop->what().indirect; // see WholeLayers
  }
  group.loops = std::move(loops);
}

Loop &Engine::loop_in_layers(const ChainCall &call, int level, bool first, std::vector<CopiesWanted> wanted) {
  for (const LoopInLayers &known : loops_in_layers_)
    if (known.base == call.loop && known.level == level && known.first == first && known.wanted == wanted)
      return *known.loop;
  const double start = now();
  LoopOptions options = options_.loops;
  options.layers = true;
  std::unique_ptr<Loop> made = mesh_.agreement().together(text("loop '", call.loop->name(), "' in layers"), [&] {
    LoopLayers layers = layer_parts_.of(*call.loop, level, first);
    layers.wanted = wanted;
    return std::make_unique<Loop>(mesh_, plans_, plans_, exchanges_, stats_, call.call, options, &layers);
  });
  made->stats().plan_seconds += now() - start;
  made->traced = call.loop->traced;
  loops_in_layers_.push_back({call.loop, level, first, std::move(wanted), std::move(made)});
  return *loops_in_layers_.back().loop;
}

// Halos of more layers: rows stay where they are, loops are prepared anew.
LayeredChain &Engine::deepen(std::span<const ChainCall> calls, LayeredChain &chain) {
  options_.halo_depth = chain.depth();
  std::list<LayeredChain> kept = layered_.take_last();
  place({});
  for (std::size_t i = 0; i < recorded_.calls().size(); ++i)
    recorded_.replace(i, find_by_hash(recorded_.calls()[i].call));
  return layered_.adopt(std::move(kept), calls);
}

} // namespace op2::core
