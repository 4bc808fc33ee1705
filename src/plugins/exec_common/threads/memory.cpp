#include <algorithm>
#include <cstring>

#include "threads.hpp"

namespace op2::exec_threads {

namespace {
constexpr size_t small = size_t{1} << 18; // below this, waking the threads costs more than it brings
constexpr size_t page = 4096;             // pieces end at page borders

// Calls piece(first byte, bytes) for the piece of each thread.
template <class Piece>
void by_threads(op_exec *exec, size_t bytes, const Piece &piece) {
  const int threads = bytes < small ? 1 : exec->threads;
  share(exec, threads, threads, [&](int t, int) {
    const Share pages = share_of(static_cast<std::int64_t>((bytes + page - 1) / page), t, threads);
    const size_t first = static_cast<size_t>(pages.first) * page;
    const size_t last = std::min(static_cast<size_t>(pages.last) * page, bytes);
    if (last > first) piece(first, last - first);
  });
}
} // namespace

op_status mem_copy(op_exec *exec, void *to, op_space, const void *from, op_space, size_t bytes, op_event *) {
  by_threads(exec, bytes, [&](size_t first, size_t count) {
    std::memcpy(static_cast<char *>(to) + first, static_cast<const char *>(from) + first, count);
  });
  return OP_OK;
}

op_status mem_zero(op_exec *exec, op_space, void *p, size_t bytes) {
  by_threads(exec, bytes, [&](size_t first, size_t count) { std::memset(static_cast<char *>(p) + first, 0, count); });
  return OP_OK;
}

} // namespace op2::exec_threads
// SPDX-License-Identifier: MIT
