// What a loop needs of other processes: which copies it looks at, and bringing those that are stale up to date around
// it.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "dist/halo_exchange.hpp"
#include "loop/args.hpp"
#include "loop/stats.hpp"

namespace op2::core {

struct ExchangeOptions {
  bool timing = true;
  bool eager = false;       // all copies before each loop that looks at them, dat by dat: a yardstick
  int partial_percent = 30; // see dist/partial_halo.hpp
};

class LoopExchange {
 public:
  LoopExchange(Mesh &mesh, HaloExchanges &exchanges, const ExchangeOptions &options)
      : mesh_(mesh), exchanges_(exchanges), options_(options) {}

  // The arguments of the loop; executes_copies: it runs elements of other processes, too. Collective.
  void prepare(std::span<const LoopArg> args, bool executes_copies);

  // The steps of one run, collective. Before dats are prepared for the loop; when core elements are about to run; and
  // before any other element does, which may be called when all is done.
  void before(LoopStats &stats);
  void start();
  void send(); // when work that does not need it is under way
  void finish(LoopStats &stats);
  // Between these two, what is under way may have to be moved on now and then; NULL = there is no need.
  HaloExchange *to_move_on() const {
    return sent_ && coming_->exchange->wants_progress() ? coming_->exchange : nullptr;
  }
  // With the loop, where the executor has memory of its own.
  void move_to_host(bool there = true) { on_host_ = there; }
  bool on_host() const { return on_host_; }
  // After a failure in or behind before(): others wait for what this process has not yet done of the run's exchanges.
  void give_up();

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
  struct Known {
    Needs needs;
    HaloExchange *exchange;
    std::vector<DatTraffic *> traffic; // of its items
  };
  void open_records(LoopStats &stats);
  void count_avoided(const Needs &needs, LoopStats &stats);
  Needs stale() const;
  const Known *exchange_for(const Needs &needs);
  const Known *eager_exchange(); // of use next_eager_
  void complete(LoopStats &stats);

  Mesh &mesh_;
  HaloExchanges &exchanges_;
  ExchangeOptions options_;
  std::vector<Use> uses_;
  std::vector<DatTraffic *> records_; // of each use, once the loop has run
  std::deque<Known> known_;
  // Of the run that is going on.
  const Known *coming_ = nullptr;
  bool sent_ = false; // it was started
  std::size_t next_eager_ = 0;
  bool on_host_ = false;
};

} // namespace op2::core
