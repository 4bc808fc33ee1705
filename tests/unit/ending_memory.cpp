// ending_memory.cpp: see ending_memory.hpp.
#include "ending_memory.hpp"

#include <cstdlib>
#include <new>

namespace {

thread_local long allowed = -1; // allocations, before one fails; negative: all
thread_local bool lasts = false, failed = false;

} // namespace

namespace unit {

EndingMemory::EndingMemory(long allocations, bool lasting) {
  allowed = allocations;
  lasts = lasting;
  failed = false;
}
EndingMemory::~EndingMemory() { allowed = -1; }
bool EndingMemory::ended() { return failed; }

} // namespace unit

void *operator new(std::size_t bytes) {
  if (allowed == 0) {
    failed = true;
    if (!lasts) allowed = -1;
    throw std::bad_alloc();
  }
  if (allowed > 0) --allowed;
  if (void *const out = std::malloc(bytes > 0 ? bytes : 1)) return out;
  throw std::bad_alloc();
}
// Who asks so can do without. A sanitizer has one of its own otherwise, whose memory free() does not take.
void *operator new(std::size_t bytes, const std::nothrow_t &) noexcept { return std::malloc(bytes > 0 ? bytes : 1); }
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }

// SPDX-License-Identifier: MIT
