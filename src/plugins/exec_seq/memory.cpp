#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "exec_seq.hpp"
#include "plugins/exec_common/arguments.hpp"

namespace op2::exec_seq {

using exec_common::round_up;

namespace {
constexpr size_t alignment = 64; // a cache line, and the widest vector
// Large arrays lie on huge pages where the system gives them on request: rows that maps lead to are far apart, and
// looking up their addresses costs more than their data. On shuffled meshes this saves a third of the time.
constexpr size_t huge_page = size_t{2} << 20;
constexpr size_t worth_huge_pages = size_t{4} << 20;

void *allocate_huge(size_t bytes) {
  void *p = std::aligned_alloc(huge_page, round_up(bytes, huge_page));
#if defined(MADV_HUGEPAGE)
  if (p) (void)madvise(p, round_up(bytes, huge_page), MADV_HUGEPAGE); // a wish
#endif
  return p;
}
} // namespace

op_status mem_alloc(op_exec *, op_space space, size_t bytes, void **p) {
  if (space != OP_SPACE_HOST) return OP_ERR_UNSUPPORTED;
  if (bytes > PTRDIFF_MAX - huge_page) return OP_ERR_MEMORY;
  *p = bytes >= worth_huge_pages ? allocate_huge(bytes)
                                 : std::aligned_alloc(alignment, round_up(std::max<size_t>(bytes, 1), alignment));
  return *p ? OP_OK : OP_ERR_MEMORY;
}

void mem_free(op_exec *, op_space, void *p) { std::free(p); }

op_status mem_copy(op_exec *, void *to, op_space, const void *from, op_space, size_t bytes, op_event *) {
  if (bytes > 0) std::memcpy(to, from, bytes);
  return OP_OK;
}

op_status mem_zero(op_exec *, op_space, void *p, size_t bytes) {
  if (bytes > 0) std::memset(p, 0, bytes);
  return OP_OK;
}

} // namespace op2::exec_seq

// SPDX-License-Identifier: MIT
