// The exchanges of a loop: finds which copies of other processes' rows it reads, and updates the stale ones.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "distributed/halo/exchange_choice.hpp"
#include "distributed/halo/halo_exchange.hpp"
#include "loop/exchange_probe.hpp"
#include "loop/form/common.hpp"
#include "loop/signature/args.hpp"
#include "loop/stats/stats.hpp"

namespace op2::core {

// A dat and how far its copies are to be current (Coherence::current_to()).
struct CopiesWanted {
  Dat *dat;
  int level;
  friend bool operator==(const CopiesWanted &, const CopiesWanted &) = default;
};

class LoopExchange {
 public:
  LoopExchange(Mesh &mesh, HaloExchanges &exchanges, const ExchangeOptions &options)
      : mesh_(mesh), exchanges_(exchanges), options_(options) {}

  // executes_copies: the loop also runs copies of other processes' elements. Collective.
  void prepare(std::span<const LoopArg> args, bool executes_copies);
  // In place of that, for the first loop of a chain: what all of its loops read, in one exchange.
  void prepare_for_chain(std::vector<CopiesWanted> wanted) { wanted_ = std::move(wanted); }

  // Drops what was planned, since exchanges may have been forgotten.
  void forget() {
    planned_.clear();
    measured_ = nullptr;
  }

  // The steps of one run (see step.hpp), collective. on_host: the loop runs on the host, not on the mesh's
  // executor.
  void find_stale(bool on_host, LoopStats &stats);
  void exchange(LoopStats &stats);
  void post();
  void send();
  void wait(LoopStats &stats);
  void launched();                                                          // some elements have been
  bool arrived() const { return !coming_ || coming_->exchange->arrived(); } // wait() need not wait
  bool coming() const { return coming_ != nullptr; }
  // Between post() and wait(): the exchange, if it needs calls of progress(); else NULL.
  HaloExchange *to_move_on() const {
    return sent_ && coming_->exchange->wants_progress() ? coming_->exchange : nullptr;
  }
  DeviceChannel *device_channel() const { return exchanges_.transport().device_channel; }
  // After a failure behind find_stale(). others_wait: other processes wait for this one in its exchanges; otherwise
  // none has begun.
  void cancel(bool others_wait);

 private:
  struct Use {
    Dat *dat;
    bool exec = false, nonexec = false; // copies that the loop reads
    bool changed = false;               // by the loop
    const Map *only = nullptr;          // the loop reads only copies that this map reaches
  };
  struct Needs { // bit i: use i has stale copies
    std::uint64_t exec = 0, nonexec = 0, partial = 0;
    friend bool operator==(const Needs &, const Needs &) = default;
  };
  struct PlannedExchange {
    Needs needs;
    HaloExchange *exchange;
    std::vector<DatTraffic *> traffic; // of its items
    std::vector<int> current;          // for a chain: how far the wanted copies were current before
    std::unique_ptr<ExchangeProbe> probe = {}; // NULL: nobody wants to know
    // Where measured conditions choose how messages go (Transport::chooses).
    std::int64_t runs = 0;
    ExchangeChoice choice = {};
    bool told = false; // the choice
  };
  void open_records(LoopStats &stats);
  void count_avoided(const Needs &needs, LoopStats &stats);
  Needs stale() const;
  PlannedExchange *exchange_for(const Needs &needs);
  PlannedExchange *exchange_for_chain(LoopStats &stats);
  void complete(LoopStats &stats);
  std::unique_ptr<ExchangeProbe> probe_for(const HaloExchange &exchange, int first) const;
  void choose_way(PlannedExchange &planned, const LoopStats &stats);
  void tell_measurement(const PlannedExchange &planned, const LoopStats &stats, const std::string &what) const;

  Mesh &mesh_;
  HaloExchanges &exchanges_;
  ExchangeOptions options_;
  std::vector<Use> uses_;
  std::vector<CopiesWanted> wanted_;  // by a chain
  std::vector<DatTraffic *> records_; // of each use, once the loop has run
  std::deque<PlannedExchange> planned_;
  // Of the current run.
  PlannedExchange *coming_ = nullptr;
  ExchangeProbe *measured_ = nullptr; // measures this run
  bool sent_ = false; // post() has begun it
  bool on_host_ = false;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
