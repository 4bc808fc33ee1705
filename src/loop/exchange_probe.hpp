// Measures some runs of an exchange between devices: does it pay that no host waits for its messages?
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "distributed/halo/exchange_model.hpp"
#include "host/executor.hpp"

namespace op2::core {

// Moments of a run are told in the order of the functions. It neither waits nor talks to other processes.
class ExchangeProbe {
 public:
  // streams: the device sends and waits; else the host. set_up: seconds that making the exchange took. first: the run
  // from which on it measures; before, executors may try ways.
  ExchangeProbe(Executor &executor, bool streams, double set_up, int first)
      : executor_(executor), streams_(streams), set_up_(set_up), first_(first) {}
  ~ExchangeProbe() { forget(); }
  ExchangeProbe(const ExchangeProbe &) = delete;
  ExchangeProbe &operator=(const ExchangeProbe &) = delete;

  bool started() const { return taken_ > 0; } // there are figures
  bool done() const { return taken_ == enough; }
  // A run begins. Is it to be measured? Not the first ones, nor while the last measured one is not complete.
  bool begin();
  void packed();   // pack has been asked for; a channel has been asked to send and wait as well
  void sending();  // before or after the elements that need no messages are launched
  void sent();     // the messages are on their way
  void computed(); // the elements that need no messages have been launched
  void arrived();  // the others may be launched
  void launched(); // some of them have been

  // Of the measured run that took the least time.
  const ExchangeFigures &figures() const { return best_; }

 private:
  static constexpr int enough = 5; // runs
  enum Moment { start, pack, send, core, wait, end, moments };
  void note(Moment moment, bool on_device = true);
  double host(Moment from, Moment to) const { return at_[to] - at_[from]; }
  double device(Moment from, Moment to) const { return executor_.elapsed(mark_[from], mark_[to]); }
  ExchangeFigures read() const;
  void forget() noexcept;

  Executor &executor_;
  const bool streams_;
  const double set_up_;
  const int first_;
  int runs_ = 0, taken_ = 0;
  std::array<double, moments> at_{};     // seconds of the host's clock
  std::array<op_event, moments> mark_{}; // pack: on the queue of halos, when messages have come
  double send_seconds_ = 0;
  ExchangeFigures best_{};
};

std::string conditions_text(const ExchangeFigures &figures); // for people

} // namespace op2::core

// SPDX-License-Identifier: MIT
