// A number in shared memory that one process increases while other processes wait for a value.
#pragma once

#include <atomic>
#include <cstdint>

namespace op2::comm_common {

// Initially all zeros. tell() and sleep() each order two accesses so that no waiting process misses a wake-up.
struct alignas(64) Counter {
  uint64_t value;
  uint32_t bell;     // the futex; incremented if a process sleeps
  uint32_t sleepers; // processes that wait for it

  uint64_t look() { return std::atomic_ref<uint64_t>(value).load(std::memory_order_acquire); }
  void tell(uint64_t now) {
    std::atomic_ref<uint64_t>(value).store(now, std::memory_order_seq_cst);
    if (std::atomic_ref<uint32_t>(sleepers).load(std::memory_order_seq_cst) > 0) ring();
  }
  void ring();
  // Sleeps until the value is at least `least` or the time is over; may return earlier.
  void sleep(uint64_t least, long most_nanoseconds);
};

} // namespace op2::comm_common

// SPDX-License-Identifier: MIT
