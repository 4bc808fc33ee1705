// fault.hpp: memory faults of emulated device code: caught, so that the kernel can be named, on x86-64 Linux.
#pragma once

#include <signal.h>

#include <string>

namespace fake {

// While it lives, a fault of this thread goes on in `ended`, on a stack of its own; it must not return.
class FaultCatcher {
 public:
  explicit FaultCatcher(void (*ended)());
  ~FaultCatcher();
  FaultCatcher(const FaultCatcher &) = delete;
  FaultCatcher &operator=(const FaultCatcher &) = delete;

 private:
  struct sigaction old_segv_ = {}, old_bus_ = {}, old_fpe_ = {};
  stack_t old_stack_ = {};
  bool own_stack_ = false;
};

std::string fault_text();

} // namespace fake

// SPDX-License-Identifier: MIT
