// Engine: loops that are recorded, and run together.
#include <algorithm>
#include <cstring>
#include <optional>

#include "base/clock.hpp"
#include "loop/engine.hpp"
#include "loop/fuse/fused_chain.hpp"

namespace op2::core {

// Several processes run each loop when it is called, unless the program has opened a chain: otherwise a call that one
// of them makes alone must not make loops run.
bool Engine::keeps(const Loop &loop) const {
  if (loop.what().set.particles || (mesh_.several() && !options_.layers.possible)) return false;
  if (mesh_.several() && mesh_.dialect().reads_rows_in_place) return false; // deeper halos move them
  if (recording_ > 0 || mesh_.several()) return recording_ > 0;
  // A kernel without text may do anything; a program that reads rows in place may do so after any loop.
  return options_.chains.automatic && loop.how().from_text() && !mesh_.dialect().reads_rows_in_place;
}

namespace {

bool changes(const Constant &known, const void *value, std::size_t bytes) {
  return known.value.size() != bytes || std::memcmp(known.value.data(), value, bytes) != 0;
}

// Puts a value into a variable for as long as it lives.
class Instead {
 public:
  Instead(void *variable, std::span<const char> value) : variable_(static_cast<char *>(variable)) {
    kept_.assign(variable_, variable_ + value.size());
    std::ranges::copy(value, variable_);
  }
  ~Instead() { std::ranges::copy(kept_, variable_); }
  Instead(const Instead &) = delete;
  Instead &operator=(const Instead &) = delete;

 private:
  char *variable_;
  std::vector<char> kept_;
};

} // namespace

void Engine::run_before_constant(const char *constant, const void *variable, std::size_t bytes) {
  need_known_variable(constant, variable, bytes);
  if (recorded_.empty() || !constant || !variable) return;
  const std::string label = constant_label(constant);
  for (const Constant &known : mesh_.objects().constants()) {
    if (known.name != label || known.variable != variable || known.value.size() != bytes) continue;
    if (!changes(known, variable, bytes)) return;
    const std::vector<char> before = known.value;
    const Instead value(const_cast<void *>(variable), before); // which the program has changed: it can be written
    return flush();
  }
}

// Several processes decide together: their loops may have other forms.
void Engine::need_known_variable(const char *constant, const void *variable, std::size_t bytes) const {
  if (recorded_.empty() || !mesh_.several()) return look_for_variable(constant, variable, bytes);
  mesh_.agreement().together("a constant inside a chain", [&] {
    look_for_variable(constant, variable, bytes);
    return 0;
  });
}

void Engine::look_for_variable(const char *constant, const void *variable, std::size_t bytes) const {
  if (!constant || !variable || bytes == 0) return; // the declaration will tell
  const auto own = std::ranges::find_if(
      recorded_.calls(), [](const ChainCall &recorded) { return recorded.loop->how().may_run_as_compiled(); });
  if (own == recorded_.calls().end()) return;
  const std::string label = constant_label(constant);
  const auto is_lost = [&](const Constant &known) { // what the code reads
    if (known.name != label || !changes(known, variable, bytes)) return false;
    return known.variable == variable ? known.value.size() != bytes : !may_be_variable(variable, label);
  };
  if (std::ranges::any_of(mesh_.objects().constants(), is_lost))
    fail(
        OP_ERR_STATE, "constant '", label, "' changes inside a chain, in which loop '", own->loop->name(),
        "' is recorded and may run as compiled with the program, and is declared with another size or from memory that "
        "is not the variable; end the chain before, or pass the address of the variable");
}

void Engine::end_chain() {
  if (recording_ == 0) fail(OP_ERR_STATE, "no chain is open; each op_chain_end() belongs to an op_chain_begin()");
  const struct Close { // also after a failure
    int &open;
    ~Close() { --open; }
  } close{recording_};
  if (recording_ == 1) flush();
}

void Engine::run_recorded(std::size_t count) {
  const Raise raise(flushing_);
  const std::span<const ChainCall> calls = recorded_.calls().first(count);
  std::size_t at = 0;
  try {
    if (mesh_.several() && mesh_.agreement().errors_return())
      mesh_.agreement().with_others("a chain of loops", [&] { run_in_layers(calls, at); });
    else if (mesh_.several())
      run_in_layers(calls, at);
    else
      run_chain(calls, at);
  } catch (Error &error) { // what was to follow is not run
    at = std::min(at, calls.size() - 1);
    tell_place(error, *calls[at].call.site, calls[at].call.name);
    recorded_.give_up();
    throw;
  } catch (...) {
    recorded_.give_up();
    throw;
  }
  recorded_.drop(count);
}

void Engine::run_chain(std::span<const ChainCall> calls, std::size_t &at) {
  // Loops whose ways of threads are being compared by time take a new plan before each run.
  const bool settled = std::ranges::none_of(calls, [](const ChainCall &call) { return call.loop->how().plans_open(); });
  const bool verified = CheckedChains::wanted(*calls.front().loop);
  const bool compared = std::ranges::any_of(calls, [](const ChainCall &call) { return call.loop->wants_recheck(); });
  if (verified && calls.size() > 1) verify_chain(calls, at);
  Chain *const found = calls.size() > 1 && settled && !verified ? chains_.find(calls) : nullptr;
  Chain *const chain = compared ? nullptr : found;
  const double start = now();
  WholeChain *const whole = chain ? chain->whole() : nullptr;
  // Code that works on another layout may arrive after tiles have been found, and they share rows.
  const bool in_layout = std::ranges::any_of(calls, [](const ChainCall &call) { return call.loop->how().in_layout(); });
  const ChainSchedule *const tiles = chain && !whole && !in_layout ? chain->next_tiles() : nullptr;
  const bool fused = chain && !whole && !in_layout && run_fused(calls, *chain, at);
  if (whole)
    run_whole(calls, *whole, at);
  else if (tiles && !fused)
    run_tiles(calls, *tiles, *chain, at);
  else if (!fused)
    for (at = 0; at < calls.size(); ++at) run_alone(calls[at], at);
  recorded_.put_before(calls.size());
  if (found && compared) ++record_of(calls, *found).runs;
  if (!chain) return;
  if (tiles || fused)
    for (const ChainCall &call : calls) call.loop->ran_in_pieces();
  const double seconds = now() - start;
  note_run(calls, *chain, tiles != nullptr, seconds);
  note_fused(*chain, seconds);
}

TiledChainStats &Engine::record_of(std::span<const ChainCall> calls, Chain &chain) {
  if (!chain.record) {
    const std::string ends = text(calls.front().loop->name(), " ... ", calls.back().loop->name());
    chain.record = &stats_.tiled_chain(recording_ > 0 ? chain_name_ : ends, std::ssize(calls));
  }
  return *chain.record;
}

void Engine::note_run(std::span<const ChainCall> calls, Chain &chain, bool in_tiles, double seconds) {
  ++record_of(calls, chain).runs;
  chain.record->in_tiles += in_tiles;
  if (options_.loops.exchange.timing) chain.record->seconds += seconds;
  if (!chain.fused || !chain.fused->ran()) chain.took(seconds);
  if (chain.told()) return;
  chain.tell(*chain.record);
  if (chain.fused) chain.fused->tell(*chain.record);
  if (!chain.decided()) return;
  log_.write(OP_LOG_INFO, text("chain ", recording_ > 0 ? text("'", chain_name_, "' ") : "", "of ", chain.text()));
}

// An executor that looks at loops as a whole sees nothing of the order of their pieces.
void Engine::verify_chain(std::span<const ChainCall> calls, std::size_t &at) {
  const std::string &name = recording_ > 0 ? chain_name_ : std::string();
  const std::string found = checked_.verify(calls, name, at);
  if (!found.empty())
    log_.write(OP_LOG_INFO, text("chain ", name.empty() ? "" : text("'", name, "' "), "of ", calls.size(),
                                 " loops, order verified: ", found));
}

void Engine::run_alone(const ChainCall &call, std::size_t at) {
  recorded_.put_before(at);
  call.loop->make_current(call.call);
  execute(*call.loop, call.call);
}

void Engine::run_whole(std::span<const ChainCall> calls, WholeChain &chain, std::size_t &at) {
  for (const auto &group : chain.groups())
    if (group->together())
      run_together(calls, *group, at);
    else
      at = group->first(), run_alone(calls[at], at);
}

void Engine::run_together(std::span<const ChainCall> calls, WholeGroup &group, std::size_t &at) {
  const Raise raise(running_);
  const std::size_t first = group.first(), last = group.last();
  std::vector<int> openings(last - first);
  try {
    for (at = first; at < last; ++at) {
      announce(*calls[at].loop);
      openings[at - first] = calls[at].loop->begin_pieces(calls[at].call);
    }
    group.run(calls, openings, trace_, at);
    for (at = first; at < last; ++at) {
      recorded_.put_before(at);
      calls[at].loop->note_pieces();
      calls[at].loop->end_pieces(openings[at - first], calls[at].call);
      count(*calls[at].loop);
    }
  } catch (...) {
    for (const ChainCall &call : calls) call.loop->abandon_pieces();
    throw;
  }
}

void Engine::run_phase(std::span<const ChainCall> calls, std::span<const int> openings,
                       const ChainSchedule::Phase &phase, AheadOfTiles *ahead, std::size_t &at) {
  if (phase.threads) return phase.threads->run(calls, openings, ahead, trace_, thread_lanes_, at);
  for (std::size_t s = 0; s < phase.tiles.steps.size(); ++s) {
    const ChainStep &step = phase.tiles.steps[s];
    if (ahead) ahead->before(0, s);
    at = phase.first + static_cast<std::size_t>(step.loop);
    Loop &loop = *calls[at].loop;
    std::optional<TraceSpan> shown;
    if (trace_) shown.emplace(*trace_, *loop.traced, loop.stats().calls + 1 + openings[at]);
    const ElementRange range{step.begin, step.end};
    loop.run_piece(openings[at], calls[at].call, 0, {&range, 1});
  }
}

void Engine::run_tiles(std::span<const ChainCall> calls, const ChainSchedule &tiles, Chain &chain, std::size_t &at,
                       std::span<const std::size_t> settle) {
  const Raise raise(running_);
  std::vector<int> openings(calls.size());
  try {
    for (at = 0; at < calls.size(); ++at) {
      announce(*calls[at].loop);
      openings[at] = calls[at].loop->begin_pieces(calls[at].call);
    }
    for (std::size_t p = 0; p < tiles.phases.size(); ++p) {
      const std::unique_ptr<AheadOfTiles> ahead = chain.ask_ahead(calls, p);
      run_phase(calls, openings, tiles.phases[p], ahead.get(), at);
    }
    std::size_t put = 0;
    for (at = 0; at < calls.size(); ++at) {
      while (put <= (settle.empty() ? at : settle[at])) recorded_.put_before(put++);
      calls[at].loop->note_pieces();
      calls[at].loop->end_pieces(openings[at], calls[at].call);
      count(*calls[at].loop);
    }
  } catch (...) {
    for (const ChainCall &call : calls) call.loop->abandon_pieces();
    throw;
  }
}

} // namespace op2::core
