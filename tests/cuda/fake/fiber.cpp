// fiber.cpp: switching stacks: a few lines of assembler on x86-64, ucontext elsewhere; both tell AddressSanitizer.
#include "fiber.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#ifdef FAKE_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace fake {

namespace {
constexpr std::size_t guard_bytes = 4096;
} // namespace

Stack::Stack() {
  void *base = mmap(nullptr, stack_bytes + guard_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED) throw std::bad_alloc();
  mprotect(base, guard_bytes, PROT_NONE);
  bottom_ = static_cast<char *>(base) + guard_bytes;
  skipped_ = (reinterpret_cast<std::uintptr_t>(base) / (stack_bytes + guard_bytes) % 61) * 64;
}

Stack::~Stack() {
  if (bottom_) munmap(bottom_ - guard_bytes, stack_bytes + guard_bytes);
}

Stack::Stack(Stack &&other) noexcept : bottom_(std::exchange(other.bottom_, nullptr)), skipped_(other.skipped_) {}

#ifdef FAKE_UCONTEXT

void prepare(Place &place, const Stack &stack, void (*function)()) {
  forget(stack.bottom(), stack_bytes);
  getcontext(&place.context);
  place.context.uc_stack.ss_sp = stack.bottom();
  place.context.uc_stack.ss_size = stack_bytes;
  place.context.uc_link = nullptr;
  makecontext(&place.context, function, 0);
  place.stack_bottom = stack.bottom();
  place.stack_size = stack_bytes;
  place.asan = nullptr;
}

namespace {
void change(Place &from, Place &to) { swapcontext(&from.context, &to.context); }
} // namespace

#else

// Keeps what a called function has to keep, on the stack that is left, and takes it from the one that is entered.
extern "C" void op2_fake_change(void **from, void *to);
__asm__(
    ".text\n"
    ".hidden op2_fake_change\n"
    ".globl op2_fake_change\n"
    ".type op2_fake_change,@function\n"
    "op2_fake_change:\n"
    "  pushq %rbp\n"
    "  pushq %rbx\n"
    "  pushq %r12\n"
    "  pushq %r13\n"
    "  pushq %r14\n"
    "  pushq %r15\n"
    "  movq %rsp, (%rdi)\n"
    "  movq %rsi, %rsp\n"
    "  popq %r15\n"
    "  popq %r14\n"
    "  popq %r13\n"
    "  popq %r12\n"
    "  popq %rbx\n"
    "  popq %rbp\n"
    "  ret\n"
    ".size op2_fake_change,.-op2_fake_change\n");

void prepare(Place &place, const Stack &stack, void (*function)()) {
  forget(stack.bottom(), stack_bytes);
  // Six registers, the address to "return" to, and one word that keeps the stack aligned as after a call.
  void *words[8] = {};
  std::memcpy(&words[6], &function, sizeof function);
  char *start = stack.top() - sizeof words;
  std::memcpy(start, words, sizeof words);
  place.stack_pointer = start;
  place.stack_bottom = stack.bottom();
  place.stack_size = stack_bytes;
  place.asan = nullptr;
}

namespace {
void change(Place &from, Place &to) { op2_fake_change(&from.stack_pointer, to.stack_pointer); }
} // namespace

#endif

void forget([[maybe_unused]] char *bottom, [[maybe_unused]] std::size_t bytes) {
#ifdef FAKE_ASAN
  __asan_unpoison_memory_region(bottom, bytes);
#endif
}

void switch_to(Place &from, Place &to, [[maybe_unused]] bool last) {
#ifdef FAKE_ASAN
  __sanitizer_start_switch_fiber(last ? nullptr : &from.asan, to.stack_bottom, to.stack_size);
  change(from, to);
  __sanitizer_finish_switch_fiber(from.asan, nullptr, nullptr);
#else
  change(from, to);
#endif
}

void arrived([[maybe_unused]] Place &back) {
#ifdef FAKE_ASAN
  __sanitizer_finish_switch_fiber(nullptr, &back.stack_bottom, &back.stack_size);
#endif
}

} // namespace fake

// SPDX-License-Identifier: MIT
