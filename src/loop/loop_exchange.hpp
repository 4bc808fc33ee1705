// What a loop needs of other processes: which copies it looks at, and bringing those that are stale up to date around
// it.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "distributed/halo/halo_exchange.hpp"
#include "loop/args.hpp"
#include "loop/stats/stats.hpp"

namespace op2::core {

struct ExchangeOptions {
  bool timing = true;
  bool eager = false;       // all copies before each loop that looks at them, dat by dat: a yardstick
  int partial_percent = 30; // see distributed/halo/partial_halo.hpp
};

class LoopExchange {
 public:
  LoopExchange(Mesh &mesh, HaloExchanges &exchanges, const ExchangeOptions &options)
      : mesh_(mesh), exchanges_(exchanges), options_(options) {}

  // The arguments of the loop; executes_copies: it runs elements of other processes, too. Collective.
  void prepare(std::span<const LoopArg> args, bool executes_copies);

  // The steps of one run (see schedule.hpp), collective. on_host: so does the loop, though the executor has memory of
  // its own.
  void look(bool on_host, LoopStats &stats);
  void bring(LoopStats &stats);
  void start();
  void send();
  void finish(LoopStats &stats);
  // Between these two, what is under way may have to be moved on now and then; NULL = there is no need.
  HaloExchange *to_move_on() const {
    return sent_ && coming_->exchange->wants_progress() ? coming_->exchange : nullptr;
  }
  DeviceChannel *device_channel() const { return exchanges_.transport().device_channel; }
  // After a failure behind look(). others_wait: for what this process has not yet done of the run's exchanges;
  // otherwise none has begun.
  void give_up(bool others_wait);

 private:
  struct Use {
    Dat *dat;
    bool exec = false, nonexec = false; // copies that the loop looks at
    bool changed = false;               // by the loop
    const Map *only = nullptr;          // those that this map reaches will do
  };
  struct Needs { // which uses have stale copies, bit by bit
    std::uint64_t exec = 0, nonexec = 0, partial = 0;
    friend bool operator==(const Needs &, const Needs &) = default;
  };
  struct PlannedExchange {
    Needs needs;
    HaloExchange *exchange;
    std::vector<DatTraffic *> traffic; // of its items
  };
  void open_records(LoopStats &stats);
  void count_avoided(const Needs &needs, LoopStats &stats);
  Needs stale() const;
  const PlannedExchange *exchange_for(const Needs &needs);
  const PlannedExchange *next_eager();
  void complete(LoopStats &stats);

  Mesh &mesh_;
  HaloExchanges &exchanges_;
  ExchangeOptions options_;
  std::vector<Use> uses_;
  std::vector<DatTraffic *> records_; // of each use, once the loop has run
  std::deque<PlannedExchange> planned_;
  // Of the run that is going on.
  const PlannedExchange *coming_ = nullptr;
  bool sent_ = false; // it was started
  std::size_t next_eager_ = static_cast<std::size_t>(-1);
  bool on_host_ = false;
};

} // namespace op2::core
