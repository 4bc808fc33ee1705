#include "distributed/halo/exchange_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace op2::core {

namespace {

template <class Part, class Seconds>
double sum(const std::vector<Part> &parts, const Seconds &of) {
  double seconds = 0;
  for (const Part &part : parts) seconds += of(part);
  return seconds;
}

using Send = ExchangeRound::Send;
using Compute = ExchangeRound::Compute;
using Receive = ExchangeRound::Receive;

} // namespace

double synchronous_seconds(const ExchangeRound &round, int rounds) {
  return rounds * (sum(round.sends, [](const Send &a) { return a.launch + a.host + a.send; }) +
                   sum(round.computes, [](const Compute &b) { return b.launch + b.host; }) +
                   sum(round.receives, [](const Receive &c) { return c.wait + c.host + c.launch; }));
}

double computing_seconds(const ExchangeRound &round, int rounds) {
  const auto kernel = [](const auto &part) { return part.kernel; };
  return rounds * (sum(round.sends, kernel) + sum(round.computes, kernel) + sum(round.receives, kernel));
}

double idle_seconds(const ExchangeRound &round, int rounds) {
  return std::max(0.0, synchronous_seconds(round, rounds) - computing_seconds(round, rounds));
}

double enqueue_seconds(const ExchangeRound &round, int rounds) {
  const auto of_host = [](const auto &part) { return part.launch + part.host; };
  return rounds * (sum(round.sends, of_host) + sum(round.computes, of_host) + sum(round.receives, of_host));
}

double device_seconds(const ExchangeRound &round, int rounds) {
  return computing_seconds(round, rounds) + rounds * (sum(round.sends, [](const Send &a) { return a.send; }) +
                                                      sum(round.receives, [](const Receive &c) { return c.wait; }));
}

double stream_seconds(const ExchangeRound &round, int rounds) {
  return std::max(enqueue_seconds(round, rounds), device_seconds(round, rounds));
}

double kernel_seconds(const ExchangeRound &round, int rounds, double launch, double together) {
  const double sends = sum(round.sends, [](const Send &a) { return a.kernel + a.send; });
  const double computes = sum(round.computes, [](const Compute &b) { return b.kernel; });
  const double receives = sum(round.receives, [](const Receive &c) { return c.wait + c.kernel; });
  return rounds * (launch + std::lerp(sends + computes + receives, std::max({sends, computes, receives}), together));
}

// The device needs its waits in place of the time in which it is idle, or waits for a host that enqueues too slowly.
double ExchangeFigures::gain() const { return idle - waits - std::max(0.0, enqueue - device); }

double ExchangeFigures::rounds_to_gain() const {
  return gain() > 0 ? std::ceil(set_up / gain()) : std::numeric_limits<double>::infinity();
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
