// Detects whether a sequence of launches is periodic, and predicts its next members.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace op2::exec_cuda {

class Repeats {
 public:
  static constexpr size_t longest = 256; // period
  static constexpr size_t most_times = 3;

  // Appends a member to the sequence; not 0.
  void add(uint32_t token) {
    if (tokens_.size() == 8 * most_times * longest) forget_old();
    tokens_.push_back(token);
  }

  // The shortest period whose last `times` rounds were equal, with at least `least` members after the first round, and
  // that predicts `next`; 0: there is none. Nested rounds have several periods.
  size_t period(uint32_t next, size_t times, size_t least) const;

  // The distance back to the member that the period predicts `ahead` members from now; 1 is the last member.
  static size_t back(size_t period, size_t ahead) { return period - ahead % period; }
  uint32_t last(size_t back) const { return tokens_[tokens_.size() - back]; }

 private:
  void forget_old();
  std::vector<uint32_t> tokens_ = std::vector<uint32_t>(most_times * longest); // never shorter
};

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
