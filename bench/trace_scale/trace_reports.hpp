// trace_reports.hpp: counts of finished particles that each process tells all others, without P^2 messages in memory.
#ifndef OP2_BENCH_TRACE_REPORTS_HPP
#define OP2_BENCH_TRACE_REPORTS_HPP

#include <algorithm>
#include <cstddef>
#include <vector>

#include "trace_scale/trace_simulate.hpp"

namespace trace_scale {

// A process sends to ranks 0, 1, ... one after another, so what it begins to send at `begin` is with rank r at begin +
// (r + 1) send + latency: for one rank all reports arrive in the order in which they began. (Each process is taken to
// send to itself, too, which costs it one message in P.)
class Reports {
 public:
  Reports(int processes, const Costs &costs) : costs_(costs), read_(static_cast<std::size_t>(processes), 0) {}

  // Not earlier than any time for which received() was asked. Returns when the sender is done.
  double add(double begin) {
    begin_.insert(std::upper_bound(begin_.begin(), begin_.end(), begin), begin);
    return begin + costs_.send * static_cast<double>(read_.size());
  }
  // What has come to a process by `until`, if it was free at `free`: returns when it has received all of it.
  double received(int rank, double free, double until) {
    std::size_t &at = read_[static_cast<std::size_t>(rank)];
    const double way = (rank + 1) * costs_.send + costs_.latency;
    for (; at < begin_.size() && begin_[at] + way <= until; ++at)
      free = std::max(free, begin_[at] + way) + costs_.receive;
    return free;
  }

 private:
  const Costs &costs_;
  std::vector<double> begin_;     // ascending
  std::vector<std::size_t> read_; // by process
};

} // namespace trace_scale

#endif

// SPDX-License-Identifier: MIT
