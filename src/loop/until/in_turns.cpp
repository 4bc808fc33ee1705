// Several processes, elements in order: one process after another runs consecutive elements and sends what they have
// written to all others. Nothing runs at the same time.
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
  if (!mine) messages_->apply(std::string_view(message).substr(at));
  if (said < 0) return;
  exit_.last_iter = said / 2 + 1;
  exit_.last_stage = static_cast<int>(&turn - turns_.data()) + 1;
  exit_.last_proc = turn.rank + 1;
}

} // namespace op2::core
