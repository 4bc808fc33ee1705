// repeats.cpp: members are only written down as they come; the period is looked for when somebody asks.
#include "launch/repeats.hpp"

#include <algorithm>
#include <cstring>

namespace op2::exec_cuda {

void Repeats::forget_old() {
  tokens_.erase(tokens_.begin(), tokens_.end() - static_cast<std::ptrdiff_t>(most_times * longest));
}

size_t Repeats::period(uint32_t next, size_t times, size_t least) const {
  const uint32_t *const end = tokens_.data() + tokens_.size();
  for (size_t p = 1; p <= longest; ++p) {
    if (end[-static_cast<std::ptrdiff_t>(p)] != next) continue;
    const std::ptrdiff_t length = static_cast<std::ptrdiff_t>(std::max((times - 1) * p, least));
    if (std::memcmp(end - length, end - length - p, static_cast<size_t>(length) * sizeof(uint32_t)) == 0) return p;
  }
  return 0;
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
