// A loop that the program runs itself: its exchanges with other processes, and its rows on the host.
#pragma once

#include "loop/loop_exchange.hpp"
#include "loop/signature.hpp"

namespace op2::core {

class HandLoop {
 public:
  // Collective.
  HandLoop(Mesh &mesh, HaloExchanges &exchanges, const ExchangeOptions &options, const LoopCall &call);
  HandLoop(const HandLoop &) = delete;
  HandLoop &operator=(const HandLoop &) = delete;

  bool matches(const LoopCall &call) const { return what_.matches(call); }
  bool valid() const { return what_.revision() == revision_; } // as Loop::valid()
  // Returns the number of elements to run. Collective.
  int begin();
  // Before the elements that read copies. Collective.
  void finish();

 private:
  Mesh &mesh_;
  const LoopSignature what_;
  const Revision revision_;
  const bool exchanges_;
  LoopExchange exchange_;
  LoopStats stats_; // in no table: the library cannot measure the loop
};

} // namespace op2::core
