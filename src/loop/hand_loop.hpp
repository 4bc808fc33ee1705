// A loop that the program runs by itself: what it needs of other processes, and rows on the host.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "loop/args.hpp"
#include "loop/loop_exchange.hpp"

namespace op2::core {

class HandLoop {
 public:
  // Collective.
  HandLoop(Mesh &mesh, HaloExchanges &exchanges, const ExchangeOptions &options, op_set set,
           std::span<const op_arg> args);
  HandLoop(const HandLoop &) = delete;
  HandLoop &operator=(const HandLoop &) = delete;

  bool matches(op_set set, std::span<const op_arg> args) const;
  // How many elements it runs over. Collective.
  int begin();
  // Before those that need others' rows. Collective.
  void finish();

 private:
  void need_dats() const;

  Mesh &mesh_;
  Set &set_;
  std::vector<op_arg> call_args_;
  std::vector<std::string> types_; // of these: their names may be gone
  std::vector<LoopArg> args_;
  LoopExchange exchange_;
  LoopStats stats_; // in no table: the library knows nothing of the loop's own time
  bool exchanges_ = false, copies_ = false;
};

} // namespace op2::core
