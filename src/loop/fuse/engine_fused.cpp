// Engine: chains in tiles whose neighbouring loops run as one.
#include <algorithm>
#include <new>

#include "base/text.hpp"
#include "loop/engine.hpp"
#include "loop/fuse/fused_chain.hpp"

namespace op2::core {

namespace {

constexpr double worth_compiling = 0.5; // seconds that a chain has taken in the way that was chosen

} // namespace

// False: this run is not one of merged loops.
bool Engine::run_fused(std::span<const ChainCall> calls, Chain &chain, std::size_t &at) {
  const Fuse wanted = options_.chains.fuse;
  if (wanted == Fuse::off || !chain.as_chosen()) return false;
  if (chain.fused && !chain.fused->fits(chain)) chain.fused.reset();
  if (!chain.fused && wanted == Fuse::by_time && chain.seconds_as_chosen < worth_compiling) return false;
  const auto waiting = [](const ChainCall &call) { return call.loop->how().fast_form().waiting(); };
  if (!chain.fused && std::ranges::any_of(calls, waiting)) return false; // they are merged with all code there
  try {
    if (!chain.fused)
      chain.fused = std::make_unique<FusedChain>(calls, chain, wanted == Fuse::by_time,
                                                 [this](const LoopCall &call) { return prepared(call); });
  } catch (const std::bad_alloc &) { // the loops can do without
    return false;
  }
  FusedChain &fused = *chain.fused;
  if (!fused.next(calls)) return false;
  try {
    run_tiles(fused.calls(), *fused.chain().next_tiles(), fused.chain(), at, fused.reducing());
  } catch (...) { // the place of the first of several loops
    at = fused.first_of(std::min(at, fused.calls().size() - 1));
    throw;
  }
  for (std::size_t k = fused.reducing().back() + 1; k < calls.size(); ++k) recorded_.put_before(k);
  return true;
}

void Engine::note_fused(Chain &chain, double seconds) {
  if (!chain.fused && chain.as_chosen()) chain.seconds_as_chosen += seconds;
  if (!chain.fused) return;
  chain.fused->took(seconds);
  if (chain.fused->told()) return;
  chain.tell(*chain.record);
  chain.fused->tell(*chain.record);
  const std::string found = chain.fused->text();
  if (!found.empty())
    log_.write(OP_LOG_INFO, text("chain ", recording_ > 0 ? text("'", chain_name_, "'") : "", ": ", found));
}

} // namespace op2::core
