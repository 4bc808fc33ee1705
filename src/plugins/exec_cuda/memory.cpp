// memory.cpp: blocks of memory and copies between spaces, all in the order of the compute stream.
#include <algorithm>
#include <cstring>

#include "event.hpp"
#include "halo/halo.hpp"
#include "memory/staging.hpp"
#include "memory/virtual_memory.hpp"

namespace op2::exec_cuda {

void check_space(op_space space) {
  if (space != OP_SPACE_HOST && space != OP_SPACE_CUDA && space != OP_SPACE_CUDA_PINNED)
    throw Failure(OP_ERR_UNSUPPORTED, "memory of space " + std::to_string(space) +
                                          ": there is host memory (1), device memory (2) and page-locked memory (3)");
}

namespace {

constexpr size_t alignment = 64;
constexpr size_t small_copy = size_t{32} << 10; // goes through the ring of uploads

void *alloc_device(const Driver &driver, size_t bytes) {
  CUdeviceptr address = 0;
  driver.check_memory(driver.cuMemAlloc(&address, std::max<size_t>(bytes, 1)), "device memory", bytes);
  return reinterpret_cast<void *>(address); // NOLINT: device addresses are numbers
}

void *alloc_pinned(const Driver &driver, size_t bytes) {
  void *p = nullptr;
  driver.check(
      driver.cuMemHostAlloc(&p, std::max<size_t>(bytes, 1), CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP),
      "page-locked host memory, " + std::to_string(bytes) + " bytes");
  return p;
}

void *alloc_host(const op_host_v1 *host, size_t bytes) {
  void *p = host->alloc(std::max<size_t>(bytes, 1), alignment);
  if (!p) throw Failure(OP_ERR_MEMORY, "host memory: there are not " + std::to_string(bytes) + " bytes");
  return p;
}

void copy_to_device(op_exec &exec, CUdeviceptr to, const void *from, op_space from_space, size_t bytes,
                    op_event *done) {
  const Driver &driver = exec.driver;
  const CUstream stream = exec.streams->compute;
  if (from_space == OP_SPACE_CUDA) {
    driver.check(driver.cuMemcpyDtoDAsync(to, device_address(from), bytes, stream), "copy on the device");
  } else if (from_space == OP_SPACE_CUDA_PINNED) {
    driver.check(driver.cuMemcpyHtoDAsync(to, from, bytes, stream), "copy to the device");
    finish(exec, stream, done); // the source may be changed then and not before
  } else if (bytes <= small_copy) {
    exec.upload->put(to, from, bytes);
  } else {
    exec.staging->to_device(to, static_cast<const char *>(from), bytes);
  }
}

void copy_to_host(op_exec &exec, void *to, op_space to_space, CUdeviceptr from, size_t bytes) {
  if (to_space == OP_SPACE_HOST) {
    exec.staging->to_host(static_cast<char *>(to), from, bytes);
    return;
  }
  exec.driver.check(exec.driver.cuMemcpyDtoHAsync(to, from, bytes, exec.streams->compute), "copy from the device");
  finish(exec, exec.streams->compute, nullptr);
}

} // namespace

op_status mem_alloc(op_exec *exec, op_space space, size_t bytes, void **p) {
  return entry(exec, [&] {
    check_space(space);
    if (space == OP_SPACE_CUDA)
      *p = alloc_device(exec->driver, bytes);
    else if (space == OP_SPACE_CUDA_PINNED)
      *p = alloc_pinned(exec->driver, bytes);
    else
      *p = alloc_host(exec->host, bytes);
  });
}

void mem_free(op_exec *exec, op_space space, void *p) {
  if (!p) return;
  if (space == OP_SPACE_HOST) {
    exec->host->free(p);
    return;
  }
  entry(exec, [&] {
    // Work that was queued may still use it. What it failed of is told by the next call that waits.
    exec->driver.cuStreamSynchronize(exec->streams->compute);
    exec->driver.cuStreamSynchronize(exec->streams->halo);
    if (space == OP_SPACE_CUDA && exec->virtual_memory && exec->virtual_memory->end(device_address(p))) return;
    if (space == OP_SPACE_CUDA)
      exec->driver.cuMemFree(device_address(p));
    else
      exec->driver.cuMemFreeHost(p);
  });
}

op_status mem_copy(op_exec *exec, void *to, op_space to_space, const void *from, op_space from_space, size_t bytes,
                   op_event *done) {
  if (done) *done = nullptr;
  return entry(exec, [&] {
    check_space(to_space);
    check_space(from_space);
    if (to_space != OP_SPACE_CUDA && from_space != OP_SPACE_CUDA) {
      if (bytes > 0) std::memmove(to, from, bytes);
      return;
    }
    if (bytes == 0) return;
    before_copy(*exec);
    if (to_space == OP_SPACE_CUDA)
      copy_to_device(*exec, device_address(to), from, from_space, bytes, done);
    else
      copy_to_host(*exec, to, to_space, device_address(from), bytes);
  });
}

op_status mem_zero(op_exec *exec, op_space space, void *p, size_t bytes) {
  return entry(exec, [&] {
    check_space(space);
    if (bytes == 0) return;
    if (space != OP_SPACE_CUDA) {
      std::memset(p, 0, bytes);
      return;
    }
    before_copy(*exec);
    exec->driver.check(exec->driver.cuMemsetD8Async(device_address(p), 0, bytes, exec->streams->compute),
                       "fill device memory with zeros");
  });
}

Device &room(op_exec &exec, std::unique_ptr<Device> &block, size_t bytes) {
  if (block && block->size() >= bytes) return *block;
  if (block) exec.streams->wait_all(); // it may be in use
  block.reset();
  ++exec.moved_rooms;
  block = std::make_unique<Device>(exec.driver, bytes);
  return *block;
}

void fetch(op_exec &exec, void *to, CUdeviceptr from, size_t bytes) {
  exec.staging->to_host(static_cast<char *>(to), from, bytes);
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
