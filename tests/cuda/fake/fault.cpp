// fault.cpp: a signal handler that lets a faulting thread go on in another function instead of the faulting
// instruction.
#include "fault.hpp"

#include <ucontext.h>

#include <array>
#include <cstdint>
#include <cstdio>

#include "fiber.hpp"

namespace fake {

namespace {

struct Fault {
  void (*ended)() = nullptr;
  int signal = 0;
  std::uintptr_t address = 0;
};

thread_local Fault fault;
thread_local std::array<char, 64 * 1024> signal_stack, last_stack;

#ifdef __x86_64__
void caught(int signal, siginfo_t *info, void *raw) {
  if (!fault.ended) { // of another thread: it faults again, with the program's own handler
    ::signal(signal, SIG_DFL);
    return;
  }
  fault.signal = signal;
  fault.address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  auto &registers = static_cast<ucontext_t *>(raw)->uc_mcontext.gregs;
  // Another stack, since the fault may be the end of this one. As after a call: aligned, with one word to return to.
  const auto top = reinterpret_cast<std::uintptr_t>(last_stack.data() + last_stack.size());
  registers[REG_RSP] = static_cast<greg_t>((top & ~15ull) - 8);
  registers[REG_RIP] = static_cast<greg_t>(reinterpret_cast<std::uintptr_t>(fault.ended));
}
#endif

} // namespace

FaultCatcher::FaultCatcher([[maybe_unused]] void (*ended)()) {
#ifdef __x86_64__
  fault = Fault{ended, 0, 0};
  forget(last_stack.data(), last_stack.size());
  sigaltstack(nullptr, &old_stack_);
  if (old_stack_.ss_flags & SS_DISABLE) {
    stack_t own = {};
    own.ss_sp = signal_stack.data();
    own.ss_size = signal_stack.size();
    own_stack_ = sigaltstack(&own, nullptr) == 0;
  }
  struct sigaction action = {};
  action.sa_sigaction = caught;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &action, &old_segv_);
  sigaction(SIGBUS, &action, &old_bus_);
  sigaction(SIGFPE, &action, &old_fpe_);
#endif
}

FaultCatcher::~FaultCatcher() {
#ifdef __x86_64__
  sigaction(SIGSEGV, &old_segv_, nullptr);
  sigaction(SIGBUS, &old_bus_, nullptr);
  sigaction(SIGFPE, &old_fpe_, nullptr);
  if (own_stack_) sigaltstack(&old_stack_, nullptr);
  fault = Fault{};
#endif
}

std::string fault_text() {
  if (fault.signal == SIGFPE) return "division of integers by zero";
  if (fault.address == 0)
    return "it uses memory at address 0, or through a pointer that is not one (a device pointer without op2_at?)";
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "it uses memory at %#llx that is not there",
                static_cast<unsigned long long>(fault.address));
  return text.data();
}

} // namespace fake

// SPDX-License-Identifier: MIT
