// fiber.hpp: threads of a block as fibers: many stacks in one thread of the system, switched by hand.
#pragma once

#include <cstddef>

#if !defined(__x86_64__) && !defined(FAKE_UCONTEXT)
#define FAKE_UCONTEXT 1
#endif
#if defined(__SANITIZE_ADDRESS__)
#define FAKE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FAKE_ASAN 1
#endif
#endif
#ifdef FAKE_UCONTEXT
#include <ucontext.h>
#endif

namespace fake {

inline constexpr std::size_t stack_bytes = 128 * 1024;

// A stack with a page below it that nobody may touch.
class Stack {
 public:
  Stack();
  ~Stack();
  Stack(Stack &&other) noexcept;
  Stack(const Stack &) = delete;
  Stack &operator=(const Stack &) = delete;
  Stack &operator=(Stack &&) = delete;
  char *bottom() const { return bottom_; }
  char *top() const { return bottom_ + stack_bytes - skipped_; }

 private:
  char *bottom_ = nullptr;
  std::size_t skipped_ = 0; // differs, or all stacks would fight for the same lines of the cache
};

// A place where something can go on: a fiber that waits, or the one who started it.
struct Place {
#ifdef FAKE_UCONTEXT
  ucontext_t context;
#else
  void *stack_pointer = nullptr;
#endif
  const void *stack_bottom = nullptr;
  std::size_t stack_size = 0;
  void *asan = nullptr;
};

// Says that nothing on a stack is in use: what left it for good did not clear up.
void forget(char *bottom, std::size_t bytes);

// Makes `place` call `function` on `stack` when it is switched to. `function` must leave by a last switch.
void prepare(Place &place, const Stack &stack, void (*function)());

// Goes on at `to`; `from` is where this call returns. `last`: nobody ever comes back to `from`.
void switch_to(Place &from, Place &to, bool last = false);

// The first call in a new fiber; `back` is where it came from.
void arrived(Place &back);

} // namespace fake

// SPDX-License-Identifier: MIT
