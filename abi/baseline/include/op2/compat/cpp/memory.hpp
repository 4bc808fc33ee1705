// memory.hpp: OP2's memory functions: 64-byte aligned memory, which the program may also free with free().
#ifndef OP2_COMPAT_CPP_MEMORY_HPP
#define OP2_COMPAT_CPP_MEMORY_HPP

inline void *op_malloc(size_t size) {
  void *out = NULL;
  return posix_memalign(&out, OP2_ALIGNMENT, size == 0 ? 1 : size) == 0 ? out : NULL;
}

inline void *op_calloc(size_t count, size_t size) {
  if (size != 0 && count > static_cast<size_t>(-1) / size) return NULL;
  void *const out = op_malloc(count * size);
  if (out != NULL) memset(out, 0, count * size);
  return out;
}

// realloc() preserves the values but not the alignment, which a second copy restores.
inline void *op_realloc(void *pointer, size_t size) {
  void *const moved = realloc(pointer, size == 0 ? 1 : size);
  if (moved == NULL || reinterpret_cast<size_t>(moved) % OP2_ALIGNMENT == 0) return moved;
  void *const aligned = op_malloc(size);
  if (aligned != NULL) memcpy(aligned, moved, size);
  free(moved);
  return aligned;
}

inline void op_free(void *pointer) { free(pointer); }

#endif

// SPDX-License-Identifier: MIT
