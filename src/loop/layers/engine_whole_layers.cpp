// Engine: groups of loops of several processes, on executors that take loops whole.
#include "loop/engine.hpp"
#include "loop/layers/fail_together.hpp"

namespace op2::core {

// Processes need not find the same: they exchange and reduce the same in both ways. Where errors return, they also
// agree before each loop, or once.
bool Engine::goes_at_once(std::span<const ChainCall> calls, LayerGroup &group, std::size_t &at) {
  if (!group.whole) group.whole = std::make_shared<WholeLayers>(group.loops, group.first);
  bool fits = false;
  const auto look = [&] {
    for (at = group.first; at < group.last; ++at) group.loops[at - group.first]->make_current(calls[at].call);
    at = group.first;
    fits = group.whole->look().empty();
  };
  fail_together(mesh_, "a chain of loops in layers", at, look, [](const Error &) {});
  return mesh_.agreement().errors_return() ? mesh_.communicator().min(fits ? 1 : 0) == 1 : fits;
}

void Engine::run_at_once(std::span<const ChainCall> calls, const LayerGroup &group, std::size_t &at) {
  const Raise raise(running_);
  Loop &first = *group.loops.front();
  std::vector<int> openings;
  bool sends = false;
  const auto run = [&] {
    at = group.first;
    first.pieces().find_copies(first.stats());
    sends = true;
    for (; at < group.last; ++at) {
      Loop &loop = *group.loops[at - group.first];
      announce(loop);
      openings.push_back(loop.begin_pieces(calls[at].call));
    }
    at = group.first;
    if (first.pieces().awaits_copies()) {
      first.pieces().start_copies();
      group.whole->run_early(calls, openings, trace_, at);
      at = group.first;
      first.pieces().send_copies();
      first.pieces().finish_copies(first.stats());
      group.whole->run_late(calls, openings, trace_, at);
    } else {
      group.whole->run_all(calls, openings, trace_, at);
    }
    for (at = group.first; at < group.last; ++at) group.loops[at - group.first]->sum_pieces(openings[at - group.first]);
    at = group.first;
  };
  try {
    fail_together(mesh_, "a chain of loops in layers", at, run, [&](Error &error) {
      if (sends) first.pieces().fail(error); // others may wait for its messages
    });
    end_steps(calls, group, openings, at);
  } catch (...) {
    for (Loop *loop : group.loops) loop->abandon_pieces();
    throw;
  }
}

} // namespace op2::core
