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
  return mmap(place, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED ||
         (mprotect(place, bytes, PROT_NONE) == 0 && madvise(place, bytes, MADV_DONTNEED) == 0);
}

char *detach_memory(char *place, std::size_t bytes) {
  // First out of reach: what stays at the place until it is given back has no values.
  if (mprotect(place, bytes, PROT_NONE) != 0) return nullptr;
  void *const memory = mremap(place, bytes, bytes, MREMAP_MAYMOVE | MREMAP_DONTUNMAP, nullptr);
  if (memory == MAP_FAILED) return nullptr;
  give_back_memory(place, bytes);
  if (protect_writable(static_cast<char *>(memory), bytes)) return static_cast<char *>(memory);
  end_memory(static_cast<char *>(memory), bytes);
  return nullptr;
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

char *MemoryPool::take(std::size_t bytes) {
  constexpr int most_seen = 64;
  Piece **link = &first_;
  for (int seen = 0; *link && seen < most_seen; ++seen, link = &(*link)->next) {
    Piece *const piece = *link;
    if (piece->bytes < bytes) continue;
    char *const memory = reinterpret_cast<char *>(piece);
    *link = piece->next;
    bytes_ -= piece->bytes;
    if (piece->bytes > bytes) put(memory + bytes, piece->bytes - bytes);
    return memory;
  }
  return nullptr;
}

void MemoryPool::put(char *memory, std::size_t bytes) {
  Piece *const piece = reinterpret_cast<Piece *>(memory);
  *piece = {first_, bytes};
  first_ = piece;
  bytes_ += bytes;
}

void MemoryPool::shrink(std::size_t most) {
  while (bytes_ > most) {
    Piece *const piece = first_;
    first_ = piece->next;
    bytes_ -= piece->bytes;
    end_memory(reinterpret_cast<char *>(piece), piece->bytes);
  }
}

} // namespace op2::core::paging

// SPDX-License-Identifier: MIT
