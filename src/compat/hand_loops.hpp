// Loops that the program runs itself (op2/hand_loop.h), one at a time: their exchanges with other processes, and their
// rows on the host.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "loop/engine/engine.hpp"
#include "loop/loop_exchange.hpp"

namespace op2::core {

class HandLoop;

class HandLoops {
 public:
  HandLoops(Mesh &mesh, Engine &engine, const ExchangeOptions &options, const Transport &transport, const Log &log);
  ~HandLoops();

  // Returns the number of elements to run. Collective.
  int begin(op_set set, std::span<const op_arg> args);
  // Before the elements that read copies of other processes' rows. Collective.
  void finish() { engine_.finish_outside(); }
  // Updates stale copies, on the host. Collective.
  void update_copies(Dat &dat);

 private:
  HandLoop &find(const LoopCall &call);

  Mesh &mesh_;
  Engine &engine_;
  const ExchangeOptions options_;
  HaloExchanges exchanges_;
  std::vector<std::unique_ptr<HandLoop>> loops_;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
