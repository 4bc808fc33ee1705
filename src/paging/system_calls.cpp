#include "paging/system_calls.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace op2::core::paging {

namespace {

constexpr int most_idle = 100;

int open_file(const char *path, int flags, unsigned mode) { return ::open(path, flags, mode); }
int reserve_room(int file, std::int64_t offset, std::int64_t bytes) { return ::fallocate(file, 0, offset, bytes); }
std::int64_t read_file(int file, void *to, std::size_t bytes, std::int64_t offset) {
  return ::pread(file, to, bytes, offset);
}
std::int64_t write_file(int file, const void *from, std::size_t bytes, std::int64_t offset) {
  return ::pwrite(file, from, bytes, offset);
}
int as_it_is(bool, int result) { return result; }

SystemCalls calls_of_all = {open_file, reserve_room, read_file, write_file, as_it_is};

} // namespace

SystemCalls &system_calls() { return calls_of_all; }

int Progress::count(bool write, std::int64_t result) {
  if (result == 0) return write ? ENOSPC : file_ended;
  if (result < 0 && result != -EINTR && result != -EAGAIN) return static_cast<int>(-result);
  // The rest begins at a whole block again.
  const std::size_t moved = result > 0 ? static_cast<std::size_t>(result) / block_bytes * block_bytes : 0;
  done += moved;
  idle = moved > 0 ? 0 : idle + 1;
  return idle < most_idle ? 0 : EIO;
}

int transfer(int file, bool write, char *memory, std::size_t bytes, std::int64_t offset) {
  const SystemCalls &calls = system_calls();
  Progress progress;
  while (progress.done < bytes) {
    char *const at = memory + progress.done;
    const std::size_t rest = bytes - progress.done;
    const std::int64_t from = offset + static_cast<std::int64_t>(progress.done);
    const std::int64_t result = write ? calls.write(file, at, rest, from) : calls.read(file, at, rest, from);
    if (const int error = progress.count(write, result < 0 ? -errno : result)) return error;
  }
  return 0;
}

} // namespace op2::core::paging

// SPDX-License-Identifier: MIT
