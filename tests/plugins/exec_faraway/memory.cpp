// memory.cpp: far memory. An address of it is a real one with a bit set that no address of a process has.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "exec_faraway.hpp"

namespace op2::exec_faraway {

namespace {

constexpr std::size_t alignment = 64;
constexpr std::uintptr_t far_bit = std::uintptr_t{1} << 55; // not canonical on x86-64, not mapped on arm64
constexpr int garbage = 0xA5;                               // what fresh far memory holds

std::uintptr_t address_of(const void *p) { return reinterpret_cast<std::uintptr_t>(p); }

} // namespace

bool is_far(const void *p) { return (address_of(p) & far_bit) != 0; }

char *reach(op_exec *exec, const void *p, std::size_t bytes, const char *what) {
  if (!is_far(p)) fault(what);
  const std::uintptr_t address = address_of(p) & ~far_bit;
  const auto next = exec->far_blocks.upper_bound(address);
  if (next == exec->far_blocks.begin()) fault(what);
  const auto &[start, length] = *std::prev(next);
  if (address - start > length || bytes > length - (address - start)) fault(what);
  return reinterpret_cast<char *>(address);
}

char *reach(op_exec *exec, const void *p, std::size_t bytes, op_space space, const char *what) {
  if (space == OP_SPACE_PRIVATE) return reach(exec, p, bytes, what);
  if (space != OP_SPACE_HOST || is_far(p) || !p) fault(what);
  return const_cast<char *>(static_cast<const char *>(p));
}

op_status mem_alloc(op_exec *exec, op_space space, size_t bytes, void **p) {
  if (fails(exec, "mem_alloc")) return failed(exec);
  if (space != OP_SPACE_HOST && space != OP_SPACE_PRIVATE)
    return exec->host->fail(exec->host, OP_ERR_UNSUPPORTED, "there is host memory and far memory");
  if (bytes > SIZE_MAX - alignment) return exec->host->fail(exec->host, OP_ERR_MEMORY, "no address is that far");
  const size_t rounded = (std::max<size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
  void *block = std::aligned_alloc(alignment, rounded);
  if (!block) return exec->host->fail(exec->host, OP_ERR_MEMORY, "no memory is left, near or far");
  if (space == OP_SPACE_HOST) {
    exec->near_blocks[address_of(block)] = bytes;
    *p = block;
  } else {
    std::memset(block, garbage, rounded);
    exec->far_blocks[address_of(block)] = bytes;
    *p = reinterpret_cast<void *>(address_of(block) | far_bit);
  }
  return OP_OK;
}

void mem_free(op_exec *exec, op_space space, void *p) {
  if (finish_all(exec) != OP_OK) fault("work failed that waited when memory was freed");
  auto &blocks = space == OP_SPACE_PRIVATE ? exec->far_blocks : exec->near_blocks;
  if (is_far(p) != (space == OP_SPACE_PRIVATE) || blocks.erase(address_of(p) & ~far_bit) == 0)
    fault("memory is freed that was not allocated in this space");
  std::free(reinterpret_cast<void *>(address_of(p) & ~far_bit));
}

op_status mem_copy(op_exec *exec, void *to, op_space to_space, const void *from, op_space from_space, size_t bytes,
                   op_event *done) {
  if (fails(exec, "mem_copy")) return failed(exec);
  return enqueue(exec, done, [=] {
    if (bytes == 0) return OP_OK;
    char *target = reach(exec, to, bytes, to_space, "mem_copy: the target is not in the space it is said to be in");
    const char *source =
        reach(exec, from, bytes, from_space, "mem_copy: the source is not in the space it is said to be in");
    std::memcpy(target, source, bytes);
    return OP_OK;
  });
}

op_status mem_zero(op_exec *exec, op_space space, void *p, size_t bytes) {
  const op_status status = finish_all(exec); // it has no event, so it is past when it returns
  if (bytes > 0)
    std::memset(reach(exec, p, bytes, space, "mem_zero: the memory is not in the space it is said to be in"), 0, bytes);
  return status;
}

} // namespace op2::exec_faraway

// SPDX-License-Identifier: MIT
