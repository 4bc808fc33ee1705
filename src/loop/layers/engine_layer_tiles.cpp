// Engine: groups of loops of several processes, in tiles.
#include <optional>

#include "loop/engine.hpp"
#include "loop/layers/fail_together.hpp"

namespace op2::core {

void Engine::run_in_tiles(std::span<const ChainCall> calls, const LayerGroup &group, std::size_t &at) {
  const Raise raise(running_);
  Loop &first = *group.loops.front();
  std::vector<int> openings;
  try {
    bool sends = false;
    const auto run = [&] {
      for (at = group.first; at < group.last; ++at) group.loops[at - group.first]->make_current(calls[at].call);
      at = group.first;
      first.pieces().find_copies(first.stats());
      sends = true;
      run_steps(calls, group, openings, at);
    };
    fail_together(mesh_, "a chain of loops in tiles", at, run, [&](Error &error) {
      if (sends) first.pieces().fail(error); // others may wait for its messages
    });
    end_steps(calls, group, openings, at);
  } catch (...) {
    for (Loop *loop : group.loops) loop->abandon_pieces();
    throw;
  }
}

// All elements have run, on all processes.
void Engine::end_steps(std::span<const ChainCall> calls, const LayerGroup &group, std::span<const int> openings,
                       std::size_t &at) {
  for (Loop *const loop : group.loops) loop->note_pieces();
  for (at = group.first; at < group.last; ++at) {
    Loop &loop = *group.loops[at - group.first];
    before_call(loop, at);
    const auto end = [&] { loop.end_pieces(openings[at - group.first], calls[at].call); };
    if (!loop.reduces() || loop.may_reduce_later())
      end();
    else
      fail_together(mesh_, "a loop of a chain", at, end, [](const Error &) {});
    count(loop);
  }
  --at;
}

void Engine::run_on_threads(std::span<const ChainCall> calls, ThreadedChain &threads, std::span<const int> openings,
                            std::size_t &at) {
  const std::size_t first = at;
  std::size_t number = 0;
  try {
    threads.run(calls, openings, trace_, thread_lanes_, number);
  } catch (...) {
    at = first + number;
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
  first.pieces().send_copies();
  if (ThreadedChain *const threads = group.tiles->threads()) {
    first.pieces().finish_copies(first.stats());
    run_on_threads(calls.subspan(group.first), *threads, openings, at);
  }
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
  if (steps.size() <= group.tiles->early() && !group.tiles->threads()) first.pieces().finish_copies(first.stats());
  for (at = group.first; at < group.last; ++at) group.loops[at - group.first]->sum_pieces(openings[at - group.first]);
  --at;
}

} // namespace op2::core
