#include "counter.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>

namespace op2::comm_common {

void Counter::ring() {
  std::atomic_ref<uint32_t>(bell).fetch_add(1, std::memory_order_seq_cst);
  syscall(SYS_futex, &bell, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void Counter::sleep(uint64_t least, long most_nanoseconds) {
  const uint32_t heard = std::atomic_ref<uint32_t>(bell).load(std::memory_order_seq_cst);
  std::atomic_ref<uint32_t>(sleepers).fetch_add(1, std::memory_order_seq_cst);
  const timespec most{most_nanoseconds / 1'000'000'000, most_nanoseconds % 1'000'000'000};
  if (std::atomic_ref<uint64_t>(value).load(std::memory_order_seq_cst) < least)
    syscall(SYS_futex, &bell, FUTEX_WAIT, heard, &most, nullptr, 0);
  std::atomic_ref<uint32_t>(sleepers).fetch_sub(1, std::memory_order_seq_cst);
}

} // namespace op2::comm_common

// SPDX-License-Identifier: MIT
