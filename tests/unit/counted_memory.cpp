// counted_memory.cpp: see counted_memory.hpp.
#include "counted_memory.hpp"

#include <malloc.h>

#include <cstdlib>
#include <new>

namespace {

thread_local std::int64_t bytes_now = 0;

void *counted(std::size_t bytes) {
  void *const out = std::malloc(bytes > 0 ? bytes : 1);
  if (out) bytes_now += static_cast<std::int64_t>(malloc_usable_size(out));
  return out;
}
void give_back(void *memory) {
  if (memory) bytes_now -= static_cast<std::int64_t>(malloc_usable_size(memory));
  std::free(memory);
}

} // namespace

namespace unit {
std::int64_t bytes_of_this_thread() { return bytes_now; }
} // namespace unit

void *operator new(std::size_t bytes) {
  if (void *const out = counted(bytes)) return out;
  throw std::bad_alloc();
}
void *operator new(std::size_t bytes, const std::nothrow_t &) noexcept { return counted(bytes); }
void operator delete(void *memory) noexcept { give_back(memory); }
void operator delete(void *memory, std::size_t) noexcept { give_back(memory); }

// SPDX-License-Identifier: MIT
