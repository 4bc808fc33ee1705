// Several processes, elements in order: one process after another runs consecutive elements and sends what they have
// written to all others. Nothing runs at the same time.
#include <cstring>

#include "base/error.hpp"
#include "loop/until/until_loop.hpp"

namespace op2::core {

namespace {

struct Head { // of a row in a message
  std::int64_t written, number; // position in WrittenRows::rows(), global number of the row
};

} // namespace

void UntilLoop::share_out_turns() {
  std::string mine;
  for (std::size_t p = 0; p < order_.size();) {
    Turn turn{numbers_.of(order_[p]), 0, mesh_.communicator().rank()};
    while (p < order_.size() && numbers_.of(order_[p]) == turn.first + turn.count) ++turn.count, ++p;
    mine.append(reinterpret_cast<const char *>(&turn), sizeof turn);
  }
  for (const std::string &part : mesh_.communicator().allgather(mine))
    for (std::size_t at = 0; at < part.size(); at += sizeof(Turn))
      std::memcpy(&turns_.emplace_back(), part.data() + at, sizeof(Turn));
  std::ranges::sort(turns_, {}, &Turn::first);
  slots_.resize(slot_bytes_ / sizeof(std::max_align_t) + 1);
  for (const WrittenRows::Row &row : rows_.rows()) {
    const Set &set = row.of->dat->on();
    const ElementNumbers numbers(set);
    auto &places = places_.emplace_back();
    for (int r = 0; r < set.rows(); ++r) places.emplace(numbers.of(r), r);
  }
}

void UntilLoop::run_in_turns(const LoopCall &call) {
  std::string message;
  for (const Turn &turn : turns_) {
    message.clear();
    least_ = static_cast<int>(order_.size());
    changed_ = true;
    const bool mine = turn.rank == mesh_.communicator().rank();
    if (mine) take_turn(turn, message);
    pass_on(turn, call, message);
    if (exit_.last_proc > 0) return;
  }
}

void UntilLoop::take_turn(const Turn &turn, std::string &message) {
  std::vector<op_range_arg> args = ranges_;
  char *const slot = reinterpret_cast<char *>(slots_.data());
  const auto begin = std::ranges::lower_bound(order_, turn.first, {}, [&](int n) { return numbers_.of(n); });
  int p = static_cast<int>(begin - order_.begin());
  for (const int end = p + static_cast<int>(turn.count); p < end && p < least_; ++p) {
    run_element(args, p, slot);
    if (failure_) return;
    if (!records_.empty()) records_.add(slot + rows_.bytes());
    add_rows(order_[static_cast<std::size_t>(p)], message);
  }
}

// Those that the element has written.
void UntilLoop::add_rows(int element, std::string &message) const {
  for (std::size_t i = 0; i < rows_.rows().size(); ++i) {
    const WrittenRows::Row &row = rows_.rows()[i];
    const Head head{static_cast<std::int64_t>(i), ElementNumbers(row.of->dat->on()).of(row.row(element))};
    message.append(reinterpret_cast<const char *>(&head), sizeof head);
    message.append(row.place(element), row.bytes());
  }
}

// Into the rows of this process, owned ones and copies.
void UntilLoop::take_rows(std::string_view message) const {
  while (!message.empty()) {
    Head head;
    std::memcpy(&head, message.data(), sizeof head);
    message.remove_prefix(sizeof head);
    const std::size_t i = static_cast<std::size_t>(head.written);
    const Dat &dat = *rows_.rows()[i].of->dat;
    if (const auto found = places_[i].find(head.number); found != places_[i].end())
      std::memcpy(dat.host.data() + static_cast<std::ptrdiff_t>(found->second) * dat.size, message.data(),
                  rows_.rows()[i].bytes());
    message.remove_prefix(rows_.rows()[i].bytes());
  }
}

// What says stop, the reduced values so far, the variables that the elements share, the rows of the turn.
void UntilLoop::pass_on(const Turn &turn, const LoopCall &call, const std::string &rows) {
  const bool mine = turn.rank == mesh_.communicator().rank();
  std::int64_t said = -1;
  if (mine && least_ < static_cast<int>(order_.size())) said = said_by_least();
  std::vector<std::span<char>> values = {{reinterpret_cast<char *>(&said), sizeof said}, records_.total()};
  for (std::size_t i = 0; i < what_.args.size(); ++i)
    if (what_.args[i].shared() && i != stop_)
      values.emplace_back(call.args[i].data, static_cast<std::size_t>(what_.args[i].dim * what_.args[i].element.size));
  std::string message;
  if (mine)
    for (const std::span<char> value : values) message.append(value.data(), value.size());
  message += rows;
  message = mesh_.communicator().allgather(message)[static_cast<std::size_t>(turn.rank)];
  std::size_t at = 0;
  for (const std::span<char> value : values) {
    if (!value.empty()) std::memcpy(value.data(), message.data() + at, value.size());
    at += value.size();
  }
  if (said >= 0 && said % 2 != 0) give_up(mine);
  if (!mine) take_rows(std::string_view(message).substr(at));
  if (said < 0) return;
  exit_.last_iter = said / 2 + 1;
  exit_.last_stage = static_cast<int>(&turn - turns_.data()) + 1;
  exit_.last_proc = turn.rank + 1;
}

} // namespace op2::core
// SPDX-License-Identifier: MIT
