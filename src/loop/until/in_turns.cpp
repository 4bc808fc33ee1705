// Several processes, elements in order: one process after another runs consecutive elements and sends what they have
// written to all others. Nothing runs at the same time.
#include <array>
#include <cstring>

#include "base/error.hpp"
#include "loop/until/until_loop.hpp"

namespace op2::core {

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
    messages_->add(order_[static_cast<std::size_t>(p)], message);
  }
}

// The rows of the turn, the reduced values so far, the variables that the elements share.
void UntilLoop::pass_on(const Turn &turn, const LoopCall &call, std::string &message) {
  const bool mine = turn.rank == mesh_.communicator().rank();
  std::vector<std::span<char>> values = {records_.total()};
  for (std::size_t i = 0; i < what_.args.size(); ++i)
    if (what_.args[i].shared() && i != stop_)
      values.emplace_back(call.args[i].data, static_cast<std::size_t>(what_.args[i].dim * what_.args[i].element.size));
  const std::size_t rows = message.size();
  if (mine)
    for (const std::span<char> value : values) message.append(value.data(), value.size());
  std::array<std::int64_t, 3> head = {static_cast<std::int64_t>(message.size()), static_cast<std::int64_t>(rows), -1};
  const bool ends = mine && least_ < static_cast<int>(order_.size());
  if (ends) head[2] = 2 * numbers_.of(order_[static_cast<std::size_t>(least_)]) + (failure_ ? 1 : 0);
  mesh_.communicator().bcast(head.data(), sizeof head, turn.rank);
  if (head[2] >= 0 && head[2] % 2 != 0) give_up(mine);
  message.resize(static_cast<std::size_t>(head[0]));
  mesh_.communicator().bcast(message.data(), message.size(), turn.rank);
  if (!mine) messages_->apply(std::string_view(message).substr(0, static_cast<std::size_t>(head[1])));
  std::size_t at = static_cast<std::size_t>(head[1]);
  for (const std::span<char> value : values) {
    if (!mine && !value.empty()) std::memcpy(value.data(), message.data() + at, value.size());
    at += value.size();
  }
  if (head[2] < 0) return;
  exit_.last_iter = head[2] / 2 + 1;
  exit_.last_stage = static_cast<int>(&turn - turns_.data()) + 1;
  exit_.last_proc = turn.rank + 1;
}

} // namespace op2::core
