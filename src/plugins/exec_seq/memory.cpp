#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "exec_seq.hpp"

namespace op2::exec_seq {

namespace {
constexpr size_t alignment = 64; // a cache line, and the widest vector
}

op_status mem_alloc(op_exec *, op_space space, size_t bytes, void **p) {
  if (space != OP_SPACE_HOST) return OP_ERR_UNSUPPORTED;
  if (bytes > PTRDIFF_MAX - alignment) return OP_ERR_MEMORY;
  *p = std::aligned_alloc(alignment, (std::max<size_t>(bytes, 1) + alignment - 1) / alignment * alignment);
  return *p ? OP_OK : OP_ERR_MEMORY;
}

void mem_free(op_exec *, op_space, void *p) { std::free(p); }

op_status mem_copy(op_exec *, void *to, op_space, const void *from, op_space, size_t bytes, const op_event *, int32_t,
                   op_event *) {
  if (bytes > 0) std::memcpy(to, from, bytes);
  return OP_OK;
}

op_status mem_zero(op_exec *, op_space, void *p, size_t bytes) {
  if (bytes > 0) std::memset(p, 0, bytes);
  return OP_OK;
}

} // namespace op2::exec_seq
