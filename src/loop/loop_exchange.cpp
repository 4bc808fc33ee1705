#include "loop/loop_exchange.hpp"

#include <algorithm>
#include <utility>

#include "base/clock.hpp"
#include "base/text.hpp"
#include "distributed/halo/partial_halo.hpp"

namespace op2::core {

void LoopExchange::prepare(std::span<const LoopArg> args, bool executes_copies) {
  for (const LoopArg &arg : args) {
    if (!arg.dat || (!arg.through_map() && !executes_copies)) continue;
    const bool sees_row = arg.access == OP_INC && !arg.through_map(); // a direct increment adds to the row itself
    if (arg.access != OP_READ && arg.access != OP_RW && !sees_row) continue;
    const auto same = std::find_if(uses_.begin(), uses_.end(), [&](const Use &use) { return use.dat == arg.dat; });
    Use &use = same == uses_.end() ? uses_.emplace_back(Use{arg.dat}) : *same;
    use.exec = true;
    use.nonexec = use.nonexec || arg.through_map();
  }
  // A dat that is read through one map only, and in no other way: perhaps few of its copies will do.
  for (Use &use : uses_) {
    const Map *only = nullptr;
    bool fits = true;
    for (const LoopArg &arg : args) {
      if (arg.dat != use.dat) continue;
      use.changed = use.changed || writes_new(arg.access);
      fits = fits && arg.access == OP_READ && arg.through_map() && (!only || only == arg.map);
      only = arg.map;
    }
    if (fits && partial_pays(mesh_, *only, options_.partial_percent)) use.only = only;
  }
}

// All processes find the same, since what makes copies stale is what all of them do.
LoopExchange::Needs LoopExchange::stale() const {
  Needs needs;
  for (std::size_t i = 0; i < uses_.size(); ++i) {
    const Use &use = uses_[i];
    const Coherence &state = use.dat->state;
    const std::uint64_t bit = std::uint64_t{1} << i;
    const bool exec = use.exec && state.exec_stale(), nonexec = use.nonexec && state.nonexec_stale();
    if (use.only && (exec || nonexec)) {
      if (state.stale_by(use.only->index)) needs.partial |= bit;
      continue;
    }
    if (exec) needs.exec |= bit;
    if (nonexec) needs.nonexec |= bit;
  }
  return needs;
}

void LoopExchange::open_records(LoopStats &stats) {
  if (!records_.empty()) return;
  for (const Use &use : uses_) records_.push_back(&stats.traffic_of(use.dat->label));
}

void LoopExchange::count_avoided(const Needs &needs, LoopStats &stats) {
  const std::uint64_t stale = needs.exec | needs.nonexec | needs.partial;
  for (std::size_t i = 0; i < uses_.size(); ++i)
    if ((stale >> i & 1) == 0) ++records_[i]->avoided;
  if (stale == 0 && !uses_.empty()) ++stats.avoided;
}

// NULL = nothing to exchange.
LoopExchange::PlannedExchange *LoopExchange::exchange_for(const Needs &needs) {
  if (needs == Needs()) return nullptr;
  for (PlannedExchange &planned : planned_)
    if (planned.needs == needs) return &planned;
  std::vector<HaloItem> items;
  std::vector<DatTraffic *> traffic;
  bool changed = false;
  for (std::size_t i = 0; i < uses_.size(); ++i) {
    const Use &use = uses_[i];
    const auto has = [i](std::uint64_t bits) { return (bits >> i & 1) != 0; };
    if (has(needs.partial))
      items.push_back({use.dat, true, true, use.only});
    else if (has(needs.exec | needs.nonexec))
      items.push_back({use.dat, has(needs.exec), has(needs.nonexec)});
    else
      continue;
    traffic.push_back(records_[i]);
    changed = use.changed;
  }
  // Of several it does not matter: loops may share more. Nor does it to executors with memory of their own, but all
  // processes must find the same exchange.
  if (items.size() == 1) items.front().changed = changed;
  HaloExchange &exchange = exchanges_.get(mesh_, items, on_host_);
  PlannedExchange &made = planned_.emplace_back(PlannedExchange{needs, &exchange, std::move(traffic), {}});
  if (!exchanges_.transport().chooses && exchanges_.log() && exchanges_.log()->wants(OP_LOG_INFO))
    made.probe = probe_for(exchange, ExchangeChoice::length);
  return &made;
}

// Not where the kernel of the loop exchanges, for a mark between them would be an end of the kernel.
std::unique_ptr<ExchangeProbe> LoopExchange::probe_for(const HaloExchange &exchange, int first) const {
  const DeviceChannel *const channel = device_channel();
  if (on_host_ || exchange.through_host() || !mesh_.executor().marks_times() ||
      (channel && channel->kind() == "kernel"))
    return nullptr;
  return std::make_unique<ExchangeProbe>(mesh_.executor(), exchange.by_channel(), exchange.set_up_seconds(), first);
}

// Before a run, in which all processes come here, since all find the same copies stale. They talk to each other in a
// few runs only, and all of them send by the new way from the same run on.
void LoopExchange::choose_way(PlannedExchange &planned, const LoopStats &stats) {
  const std::int64_t run = ++planned.runs;
  if (planned.choice.ends_round(run)) {
    const ExchangeProbe *const probe = planned.probe.get();
    const ExchangeFigures all =
        mean_of_processes(mesh_.communicator(), probe && probe->started() ? &probe->figures() : nullptr);
    planned.probe.reset();
    const bool changes = planned.choice.add(run, all);
    if (changes)
      planned.exchange = &exchanges_.get(mesh_, planned.exchange->items(), on_host_, planned.choice.by_host());
    if (changes || (!planned.told && !planned.choice.undecided() && all.seconds > 0)) {
      planned.told = true;
      tell_measurement(planned, stats,
                       text("mean of all processes: ", conditions_text(all), "; OP2_GPU_DIRECT=auto sends ",
                            changes ? text("from exchange ", run, " on ") : "", planned.exchange->path(on_host_)));
    }
  }
  if (planned.choice.begins_round(run)) planned.probe = probe_for(*planned.exchange, 1);
}

void LoopExchange::tell_measurement(const PlannedExchange &planned, const LoopStats &stats,
                                    const std::string &what) const {
  if (!exchanges_.log()) return;
  std::string dats;
  for (const HaloItem &item : planned.exchange->items()) dats += text(dats.empty() ? "" : ", ", item.dat->label);
  exchanges_.log()->write(OP_LOG_INFO, text("loop '", stats.name, "', exchange of ", dats, ": ", what));
}

// All layers of all dats that are not current, in one message to each neighbour. All processes find the same.
LoopExchange::PlannedExchange *LoopExchange::exchange_for_chain(LoopStats &stats) {
  std::vector<int> current;
  bool all = true;
  for (const CopiesWanted &want : wanted_) {
    current.push_back(std::min(want.dat->state.current_to(), want.level));
    all = all && current.back() == want.level;
    if (current.back() == want.level) ++stats.traffic_of(want.dat->label).avoided;
  }
  if (all) {
    ++stats.avoided;
    return nullptr;
  }
  for (PlannedExchange &planned : planned_)
    if (planned.current == current) return &planned;
  std::vector<HaloItem> items;
  std::vector<DatTraffic *> traffic;
  for (std::size_t i = 0; i < wanted_.size(); ++i)
    for (int layer = 1; 2 * layer - 1 <= wanted_[i].level; ++layer) {
      const bool exec = current[i] < 2 * layer - 1, nonexec = current[i] < 2 * layer && 2 * layer <= wanted_[i].level;
      if (!exec && !nonexec) continue;
      items.push_back({wanted_[i].dat, exec, nonexec, nullptr, true, layer});
      traffic.push_back(&stats.traffic_of(wanted_[i].dat->label));
    }
  HaloExchange &exchange = exchanges_.get(mesh_, items, on_host_);
  return &planned_.emplace_back(PlannedExchange{{}, &exchange, std::move(traffic), std::move(current)});
}

void LoopExchange::complete(LoopStats &stats) {
  PlannedExchange &planned = *coming_;
  const double start = options_.timing ? now() : 0;
  if (measured_) measured_->computed();
  planned.exchange->finish();
  if (measured_) measured_->arrived();
  coming_ = nullptr;
  sent_ = false;
  if (options_.timing) stats.wait_seconds += now() - start;
  if (planned.probe && planned.probe->done() && !exchanges_.transport().chooses) {
    tell_measurement(planned, stats, conditions_text(planned.probe->figures()));
    planned.probe.reset(); // it is told once
  }
  stats.add_path(planned.exchange->path(on_host_));
  ++stats.exchanges;
  stats.messages += planned.exchange->messages();
  stats.sent_bytes += static_cast<double>(planned.exchange->bytes());
  for (std::size_t i = 0; i < planned.traffic.size(); ++i) {
    DatTraffic &record = *planned.traffic[i];
    if (i == 0 || planned.traffic[i - 1] != &record) ++record.exchanges; // else another layer of the same dat
    record.bytes += static_cast<double>(planned.exchange->bytes_of(i));
    if (!planned.exchange->items()[i].through) continue;
    ++record.partial;
    record.saved_bytes += static_cast<double>(planned.exchange->saved_bytes_of(i));
  }
}

void LoopExchange::find_stale(bool on_host, LoopStats &stats) {
  on_host_ = on_host;
  coming_ = nullptr;
  measured_ = nullptr;
  sent_ = false;
  if (!wanted_.empty()) {
    coming_ = exchange_for_chain(stats);
    return;
  }
  open_records(stats);
  const Needs needs = stale();
  count_avoided(needs, stats);
  coming_ = exchange_for(needs);
  if (coming_ && exchanges_.transport().chooses) choose_way(*coming_, stats);
}

void LoopExchange::exchange(LoopStats &stats) {
  if (!coming_ || !coming_->exchange->through_host(on_host_)) return;
  post();
  complete(stats);
}

void LoopExchange::post() {
  if (!coming_) return;
  sent_ = true; // whatever happens: others wait for it
  if (coming_->probe && coming_->probe->begin()) measured_ = coming_->probe.get();
  coming_->exchange->start(on_host_);
  if (measured_) measured_->packed();
}

void LoopExchange::send() {
  if (!coming_) return;
  if (measured_) measured_->sending();
  coming_->exchange->send();
  if (measured_) measured_->sent();
}

void LoopExchange::launched() {
  if (measured_ && !coming_) measured_->launched();
}

void LoopExchange::wait(LoopStats &stats) {
  if (coming_) complete(stats);
}

void LoopExchange::cancel(bool others_wait) {
  PlannedExchange *const left = std::exchange(coming_, nullptr);
  if (left && others_wait) left->exchange->give_up(std::exchange(sent_, false));
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
