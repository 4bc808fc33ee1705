// The functions of the system through which the pager reaches its file, in a table: tests put functions there that
// fail.
#pragma once

#include <cstddef>
#include <cstdint>

namespace op2::core::paging {

// As the functions of the system: -1 and errno are an error.
struct SystemCalls {
  int (*open)(const char *path, int flags, unsigned mode);
  int (*reserve)(int file, std::int64_t offset, std::int64_t bytes); // fallocate()
  std::int64_t (*read)(int file, void *to, std::size_t bytes, std::int64_t offset);
  std::int64_t (*write)(int file, const void *from, std::size_t bytes, std::int64_t offset);
  int (*completed)(bool write, int result); // what io_uring says of a request: bytes, or an error < 0
};
SystemCalls &system_calls(); // changed while no pager exists

// Offsets, addresses and sizes are multiples of it, for file systems that move pages past the kernel's cache.
inline constexpr std::size_t block_bytes = 4096;
// An error beside those of errno: the file has fewer bytes than were written.
inline constexpr int file_ended = -1;

// What a read or a write has moved, of which the rest is to be moved.
struct Progress {
  std::size_t done = 0;
  int idle = 0; // times that nothing was moved
  // Counts the result of a system call: bytes, or minus an errno. Returns 0, also for what is to be repeated, or the
  // error.
  int count(bool write, std::int64_t result);
};

// Reads or writes all bytes at once. Returns 0, an errno or file_ended. Allowed in a signal handler.
int transfer(int file, bool write, char *memory, std::size_t bytes, std::int64_t offset);

} // namespace op2::core::paging

// SPDX-License-Identifier: MIT
