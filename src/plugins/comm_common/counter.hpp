// A number in shared memory that one process raises and others wait for.
#pragma once

#include <atomic>
#include <cstdint>

namespace op2::comm_common {

// Zeros are its beginning. The order of the two accesses on both sides keeps a sleeper from missing the bell.
struct alignas(64) Counter {
  uint64_t value;
  uint32_t bell;     // raised with the value while somebody sleeps
  uint32_t sleepers; // who wait for the bell

  uint64_t look() { return std::atomic_ref<uint64_t>(value).load(std::memory_order_acquire); }
  void tell(uint64_t now) {
    std::atomic_ref<uint64_t>(value).store(now, std::memory_order_seq_cst);
    if (std::atomic_ref<uint32_t>(sleepers).load(std::memory_order_seq_cst) > 0) ring();
  }
  void ring();
  // Sleeps until the value is `least` or the time is over; may come back earlier.
  void sleep(uint64_t least, long most_nanoseconds);
};

} // namespace op2::comm_common
