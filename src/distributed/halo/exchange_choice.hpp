// Decides for one exchange between devices who sends and waits, streams or the host: by the conditions of
// exchange_model.hpp, by measured times once both ways have been taken, and with hysteresis.
#pragma once

#include <array>
#include <cstdint>

#include "distributed/halo/exchange_model.hpp"
#include "host/communicator.hpp"

namespace op2::core {

// The mean over the processes that have measured something; seconds is 0 where none has. mine: NULL = this process has
// nothing. All processes get the same bits. Collective.
ExchangeFigures mean_of_processes(Communicator &communicator, const ExchangeFigures *mine);

// Some runs are measured, a round; then the processes agree on figures, and the object on each of them says the same.
// A round that does not speak against the present way is followed by one that ends after twice as many runs, one that
// does by another one at once. Only `enough` rounds against it, one after the other, change the way.
class ExchangeChoice {
 public:
  static constexpr int length = 20;     // runs of a round; as many go before the first one, while executors try ways
  static constexpr int enough = 3;      // rounds
  static constexpr double margin = 0.1; // by which figures must differ to speak against the present way

  bool by_host() const { return way_ == host; } // at first streams
  bool begins_round(std::int64_t run) const { return run == next_ - length; }
  bool ends_round(std::int64_t run) const { return run == next_; }
  // The figures of the round that ends in run `run`. Whether the way changes.
  bool add(std::int64_t run, const ExchangeFigures &figures);
  bool undecided() const { return against_ > 0; } // the last round spoke against the way, which has not changed

 private:
  enum Way { streams, host };
  bool speaks_against(std::int64_t run, const ExchangeFigures &figures) const;

  Way way_ = streams;
  std::int64_t next_ = 2 * length;  // run in which a round ends
  int against_ = 0;                 // rounds, one after the other
  std::array<double, 2> seconds_{}; // of a run, in the last round of each way; 0: never taken
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
