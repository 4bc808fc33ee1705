#include <algorithm>
#include <cstring>

#include "exec_openmp.hpp"

namespace op2::exec_openmp {

namespace {
constexpr size_t small = size_t{1} << 18; // below this, waking the threads costs more than it brings
constexpr size_t page = 4096;             // pieces end at page borders
} // namespace

op_status mem_copy(op_exec *exec, void *to, op_space, const void *from, op_space, size_t bytes, const op_event *,
                   int32_t, op_event *) {
  if (bytes == 0) return OP_OK;
  if (bytes < small) {
    std::memcpy(to, from, bytes);
    return OP_OK;
  }
  const int threads = exec->threads;
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int t = 0; t < threads; ++t) {
    const Share pages = share_of(static_cast<std::int64_t>((bytes + page - 1) / page), t, threads);
    const size_t first = static_cast<size_t>(pages.first) * page;
    const size_t last = std::min(static_cast<size_t>(pages.last) * page, bytes);
    if (last > first)
      std::memcpy(static_cast<char *>(to) + first, static_cast<const char *>(from) + first, last - first);
  }
  return OP_OK;
}

op_status mem_zero(op_exec *exec, op_space, void *p, size_t bytes) {
  if (bytes == 0) return OP_OK;
  const int threads = bytes < small ? 1 : exec->threads;
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int t = 0; t < threads; ++t) {
    const Share pages = share_of(static_cast<std::int64_t>((bytes + page - 1) / page), t, threads);
    const size_t first = static_cast<size_t>(pages.first) * page;
    const size_t last = std::min(static_cast<size_t>(pages.last) * page, bytes);
    if (last > first) std::memset(static_cast<char *>(p) + first, 0, last - first);
  }
  return OP_OK;
}

} // namespace op2::exec_openmp
