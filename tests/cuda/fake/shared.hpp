// shared.hpp: shared memory of one block; ends just before a page that nobody may touch.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstring>
#include <new>

#include "memory.hpp"

namespace fake {

class Shared {
 public:
  static constexpr std::size_t capacity = 256 * 1024;
  Shared() {
    void *base = mmap(nullptr, capacity + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED) throw std::bad_alloc();
    end_ = static_cast<char *>(base) + capacity;
    mprotect(end_, 4096, PROT_NONE);
  }
  Shared(const Shared &) = delete;
  Shared &operator=(const Shared &) = delete;
  ~Shared() { munmap(end_ - capacity, capacity + 4096); }
  char *start(std::size_t bytes) {
    char *start = end_ - (bytes + 15) / 16 * 16;
    std::memset(start, poison, bytes);
    return start;
  }
  bool holds(const void *address) const { return address >= end_ - capacity && address < end_; }

 private:
  char *end_;
};

} // namespace fake

// SPDX-License-Identifier: MIT
