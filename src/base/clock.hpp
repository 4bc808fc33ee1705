// Seconds on the monotonic clock, and the CPU time of this process.
#pragma once

#include <ctime>

namespace op2::core {

inline double seconds_of(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

inline double now() { return seconds_of(CLOCK_MONOTONIC); }
inline double cpu_seconds() { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }

} // namespace op2::core

// SPDX-License-Identifier: MIT
