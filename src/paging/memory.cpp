#include "paging/memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

namespace op2::core::paging {

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

bool protect_readable(char *place, std::size_t bytes) { return mprotect(place, bytes, PROT_READ) == 0; }
bool protect_writable(char *place, std::size_t bytes) { return mprotect(place, bytes, PROT_READ | PROT_WRITE) == 0; }

// A new mapping, not madvise(): pages that were moved here would keep the range from joining its neighbours.
bool give_back_memory(char *place, std::size_t bytes) {
  return mmap(place, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
}

char *new_memory(std::size_t bytes) {
  void *const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<char *>(memory);
}

void end_memory(char *memory, std::size_t bytes) { munmap(memory, bytes); }

bool move_memory(char *from, char *place, std::size_t bytes, bool writable) {
  if ((writable || protect_readable(from, bytes)) &&
      mremap(from, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, place) != MAP_FAILED)
    return true;
  end_memory(from, bytes);
  give_back_memory(place, bytes); // the kernel may have ended what was there
  return false;
}

} // namespace op2::core::paging

// SPDX-License-Identifier: MIT
