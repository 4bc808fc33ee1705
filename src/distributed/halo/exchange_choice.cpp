#include "distributed/halo/exchange_choice.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace op2::core {

// Whole nanoseconds, since their sum does not depend on the order.
ExchangeFigures mean_of_processes(Communicator &communicator, const ExchangeFigures *mine) {
  constexpr double second = 1e9;
  std::array<std::int64_t, 7> sums{};
  if (mine) {
    const double of[] = {mine->enqueue, mine->device, mine->waits, mine->idle, mine->set_up, mine->seconds};
    for (std::size_t i = 0; i < std::size(of); ++i) sums[i] = std::llround(second * of[i]);
    sums.back() = 1;
  }
  communicator.allreduce(sums.data(), sums.size(), OP_TYPE_LL, OP_COMM_SUM);
  const double processes = second * static_cast<double>(std::max<std::int64_t>(sums.back(), 1));
  const auto mean = [&](std::size_t i) { return static_cast<double>(sums[i]) / processes; };
  return {mean(0), mean(1), mean(2), mean(3), mean(4), mean(5)};
}

// By the conditions as long as the host has never sent and waited: another exchange has to be set up for it, which must
// be gained (C3) by at most what enqueuing (C1) and waiting (C2) take too long, in as many runs as there have been.
bool ExchangeChoice::speaks_against(std::int64_t run, const ExchangeFigures &figures) const {
  const double other = seconds_[way_ == streams ? host : streams];
  if (other > 0) return figures.seconds > (1 + margin) * other;
  const bool slow_host = figures.enqueue > (1 + margin) * figures.device;
  const bool long_waits = figures.waits > (1 + margin) * figures.idle;
  const double excess = std::max(figures.enqueue - figures.device, figures.waits - figures.idle);
  return (slow_host || long_waits) && static_cast<double>(run) * excess > figures.set_up;
}

bool ExchangeChoice::add(std::int64_t run, const ExchangeFigures &figures) {
  against_ = figures.seconds > 0 && speaks_against(run, figures) ? against_ + 1 : 0;
  next_ = against_ > 0 ? run + length : 2 * run;
  if (figures.seconds > 0) seconds_[way_] = figures.seconds;
  if (against_ < enough) return false;
  against_ = 0;
  way_ = way_ == streams ? host : streams;
  return true;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
