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

// New writable memory, NULL if there is none; and its end.
char *new_memory(std::size_t bytes);
void end_memory(char *memory, std::size_t bytes);

// Moves the pages of new_memory(), or a part of it, to a place that is out of reach. Other threads see nothing or all
// of it, which no copy into the place could do. False: the new memory has ended, and the place is as before.
bool move_memory(char *from, char *place, std::size_t bytes, bool writable);

} // namespace op2::core::paging

// SPDX-License-Identifier: MIT
