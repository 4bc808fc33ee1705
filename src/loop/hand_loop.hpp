// A loop that the program runs itself: its exchanges with other processes, and its rows on the host.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "loop/loop_exchange.hpp"
#include "loop/signature/signature.hpp"

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

// All such loops of a context, of which one may be open.
class HandLoops {
 public:
  HandLoops(Mesh &mesh, HaloExchanges &exchanges, const ExchangeOptions &options)
      : mesh_(mesh), exchanges_(exchanges), options_(options) {}

  bool open() const { return open_ != nullptr; }       // between begin() and finish()
  int begin(op_set set, std::span<const op_arg> args); // as HandLoop::begin()
  void finish() {
    if (HandLoop *const loop = std::exchange(open_, nullptr)) loop->finish();
  }
  void forget() { known_.clear(); }
  void forget_invalid() {
    std::erase_if(known_, [](const auto &loop) { return !loop->valid(); });
  }

 private:
  Mesh &mesh_;
  HaloExchanges &exchanges_;
  const ExchangeOptions options_;
  std::vector<std::unique_ptr<HandLoop>> known_;
  HandLoop *open_ = nullptr;
};

} // namespace op2::core
