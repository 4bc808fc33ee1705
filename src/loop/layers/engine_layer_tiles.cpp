// Engine: groups of loops of several processes, in tiles.
#include <limits>
#include <optional>

#include "loop/engine.hpp"

namespace op2::core {

void Engine::run_in_tiles(std::span<const ChainCall> calls, const LayerGroup &group, std::size_t &at) {
  const Raise raise(running_);
  Loop &first = *group.loops.front();
  std::vector<int> openings;
  try {
    for (at = group.first; at < group.last; ++at) group.loops[at - group.first]->make_current(calls[at].call);
    at = group.first;
    first.pieces().find_copies(first.stats());
    run_steps_together(calls, group, openings, at);
    for (at = group.first; at < group.last; ++at) {
      Loop &loop = *group.loops[at - group.first];
      before_call(loop, at);
      loop.end_pieces(openings[at - group.first], calls[at].call);
      count(loop);
    }
    --at;
  } catch (...) {
    for (Loop *loop : group.loops) loop->abandon_pieces();
    throw;
  }
}

// Whatever fails on one process, all learn which loop it was.
void Engine::run_steps_together(std::span<const ChainCall> calls, const LayerGroup &group, std::vector<int> &openings,
                                std::size_t &at) {
  Agreement &agreement = mesh_.agreement();
  if (!agreement.errors_return()) return run_steps(calls, group, openings, at);
  std::int64_t failed = std::numeric_limits<std::int64_t>::max();
  try {
    agreement.with_others("a chain of loops in tiles", [&] {
      try {
        run_steps(calls, group, openings, at);
      } catch (Error &error) {
        failed = static_cast<std::int64_t>(at);
        group.loops.front()->pieces().fail(error); // others may wait for its messages
        throw;
      }
      agreement.agree("a chain of loops in tiles");
    });
  } catch (...) {
    at = static_cast<std::size_t>(mesh_.communicator().min(failed));
    throw;
  }
}

void Engine::run_steps(std::span<const ChainCall> calls, const LayerGroup &group, std::vector<int> &openings,
                       std::size_t &at) {
  for (at = group.first; at < group.last; ++at) {
    Loop &loop = *group.loops[at - group.first];
    announce(loop);
    openings.push_back(loop.begin_pieces(calls[at].call));
  }
  at = group.first;
  Loop &first = *group.loops.front();
  first.pieces().start_copies();
  const std::span<const LayerStep> steps = group.tiles->steps();
  for (std::size_t s = 0; s < steps.size(); ++s) {
    if (s < group.tiles->early()) first.pieces().move_copies();
    if (s == group.tiles->early()) first.pieces().finish_copies(first.stats());
    const auto number = static_cast<std::size_t>(steps[s].loop);
    at = group.first + number;
    Loop &loop = *group.loops[number];
    std::optional<TraceSpan> shown;
    if (trace_) shown.emplace(*trace_, *loop.traced, loop.stats().calls + 1 + openings[number]);
    loop.run_piece(openings[number], calls[at].call, steps[s].part, group.tiles->ranges_of(steps[s]));
  }
  if (steps.size() <= group.tiles->early()) first.pieces().finish_copies(first.stats());
}

} // namespace op2::core
