// All loops of a context that stop early, prepared at the first call.
#pragma once

#include <memory>
#include <vector>

#include "loop/until/until_loop.hpp"

namespace op2::core {

class UntilLoops {
 public:
  UntilLoops(Mesh &mesh, HaloExchanges &exchanges, StatsTable &stats, const UntilOptions &options)
      : mesh_(mesh), exchanges_(exchanges), stats_(stats), options_(options) {}

  // A call whose arguments have an op_arg_stop(). Puts the number of the element that stopped, or -1, into its
  // variable. Collective.
  void run(const LoopCall &call);
  bool running() const { return running_; }

  void forget_all() { loops_.clear(); }
  void forget_changed() {
    std::erase_if(loops_, [](const auto &loop) { return !loop->valid(); });
  }

 private:
  UntilLoop &find(const LoopCall &call, int stop);

  Mesh &mesh_;
  HaloExchanges &exchanges_;
  StatsTable &stats_;
  const UntilOptions options_;
  std::vector<std::unique_ptr<UntilLoop>> loops_;
  bool running_ = false;
};

} // namespace op2::core
// SPDX-License-Identifier: MIT
