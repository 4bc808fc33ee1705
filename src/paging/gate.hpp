// A lock that signal handlers may take, and a bell on which they may wait: atomic words and the kernel's futex.
#pragma once

#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

namespace op2::core::paging {

inline void futex(std::atomic<std::uint32_t> &word, int operation, std::uint32_t value) {
  static_assert(sizeof word == sizeof(std::uint32_t));
  syscall(SYS_futex, &word, operation | FUTEX_PRIVATE_FLAG, value, nullptr, nullptr, 0);
}

class Gate {
 public:
  void lock() {
    std::uint32_t seen = is_free;
    if (!word_.compare_exchange_strong(seen, is_taken)) {
      if (seen != is_wanted) seen = word_.exchange(is_wanted);
      while (seen != is_free) {
        futex(word_, FUTEX_WAIT, is_wanted);
        seen = word_.exchange(is_wanted);
      }
    }
    owner_.store(this_thread(), std::memory_order_relaxed);
  }
  void unlock() {
    owner_.store(nobody, std::memory_order_relaxed);
    if (word_.exchange(is_free) == is_wanted) futex(word_, FUTEX_WAKE, 1);
  }
  // Whether this thread has it: then a fault is one of the pager's own.
  bool mine() const { return owner_.load(std::memory_order_relaxed) == this_thread(); }

 private:
  static constexpr std::uint32_t is_free = 0, is_taken = 1, is_wanted = 2;
  static constexpr std::uintptr_t nobody = 0;
  // No call of the kernel: the inspection of a chain locks the gate for each row.
  static std::uintptr_t this_thread() { return std::uintptr_t{pthread_self()}; }

  std::atomic<std::uint32_t> word_{is_free};
  std::atomic<std::uintptr_t> owner_{nobody};
};

// All pagers of a process have one, since page faults look for their pager.
inline Gate gate;

// Rings when the state of a chunk has changed. To be used with the gate closed.
class Bell {
 public:
  void ring() {
    ++rings_;
    futex(rings_, FUTEX_WAKE, 1 << 30);
  }
  // Opens the gate, waits for the next ring, and closes the gate.
  void wait() {
    const std::uint32_t seen = rings_.load();
    gate.unlock();
    futex(rings_, FUTEX_WAIT, seen);
    gate.lock();
  }

 private:
  std::atomic<std::uint32_t> rings_{0};
};
inline Bell bell;

} // namespace op2::core::paging

// SPDX-License-Identifier: MIT
