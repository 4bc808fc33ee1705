// Pages of memory by the kernel's functions, all allowed in signal handlers. False: the kernel has no room for one more
// range of pages (vm.max_map_count), or no memory.
#pragma once

#include <cstddef>

namespace op2::core::paging {

std::size_t page_bytes();

bool protect_readable(char *place, std::size_t bytes);
bool protect_writable(char *place, std::size_t bytes);

// Gives the memory back; the range is out of reach then. Neighbours that were given back become one range of the
// kernel.
bool give_back_memory(char *place, std::size_t bytes);
// As give_back_memory(), but keeps the pages: as writable memory elsewhere, or NULL if the kernel cannot do so.
char *detach_memory(char *place, std::size_t bytes);

// New writable memory, NULL if there is none; and its end.
char *new_memory(std::size_t bytes);
void end_memory(char *memory, std::size_t bytes);

// Moves the pages of new_memory(), or a part of it, to a place that is out of reach. Other threads see nothing or all
// of it, which no copy into the place could do. False: the new memory has ended, and the place is as before.
bool move_memory(char *from, char *place, std::size_t bytes, bool writable);

// Pieces of writable memory for later: used again, pages need not be cleared and counted by the kernel, which takes
// longer than to read them. The list of the pieces lies in the pieces.
class MemoryPool {
 public:
  ~MemoryPool() { shrink(0); }
  char *take(std::size_t bytes); // with any values; NULL: has no such piece
  void put(char *memory, std::size_t bytes);
  void shrink(std::size_t most);
  std::size_t bytes() const { return bytes_; }

 private:
  struct Piece {
    Piece *next;
    std::size_t bytes;
  };
  Piece *first_ = nullptr;
  std::size_t bytes_ = 0;
};

} // namespace op2::core::paging

// SPDX-License-Identifier: MIT
