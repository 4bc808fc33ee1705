// Addresses on the device of which a part has memory (the driver's virtual memory), and copies beside the loops: for
// dats and maps that are larger than the device's memory.
#pragma once

#include <map>
#include <vector>

#include "exec_cuda.hpp"
#include "memory/staging.hpp"

namespace op2::exec_cuda {

class VirtualMemory {
 public:
  // Throws OP_ERR_UNSUPPORTED if the device or its driver cannot do this.
  explicit VirtualMemory(op_exec &exec);
  ~VirtualMemory(); // nothing uses the memory any more
  VirtualMemory(const VirtualMemory &) = delete;
  VirtualMemory &operator=(const VirtualMemory &) = delete;

  size_t chunk() const { return chunk_; }
  CUdeviceptr reserve(size_t bytes);
  bool end(CUdeviceptr begin); // false: not a result of reserve()
  void commit(CUdeviceptr at, size_t bytes); // after a failure there is memory in none of the chunks
  // The memory is kept, to be given to other chunks.
  void take_back(CUdeviceptr at, size_t bytes);
  // On stream(). from: page-locked memory, or ordinary memory, which is read at once. to: page-locked.
  void load(CUdeviceptr to, const void *from, op_space from_space, size_t bytes);
  void store(void *to, CUdeviceptr from, size_t bytes);
  CUstream stream() const { return copies_; }

 private:
  using Memory = CUmemGenericAllocationHandle;
  struct Range {
    size_t bytes;
    std::vector<Memory> chunks; // 0: without memory
  };
  Memory &chunk_at(CUdeviceptr at);
  Memory take_memory();

  const Driver &driver_;
  CUmemAllocationProp kind_{};
  size_t chunk_ = 0;
  std::map<CUdeviceptr, Range> ranges_;
  std::vector<Memory> spare_;
  Queue copies_;
  std::unique_ptr<Staging> staging_;
  PFN_cuMemGetAllocationGranularity_v10020 granularity_ = nullptr;
  PFN_cuMemAddressReserve_v10020 reserve_ = nullptr;
  PFN_cuMemAddressFree_v10020 free_ = nullptr;
  PFN_cuMemCreate_v10020 create_ = nullptr;
  PFN_cuMemRelease_v10020 release_ = nullptr;
  PFN_cuMemMap_v10020 map_ = nullptr;
  PFN_cuMemUnmap_v10020 unmap_ = nullptr;
  PFN_cuMemSetAccess_v10020 access_ = nullptr;
};

// 0 without OP2_DEVICE_MEMORY_LIMIT, and where the device cannot do this, which the log says.
size_t chunk_of(op_exec &exec);
op_status mem_reserve(op_exec *exec, size_t bytes, void **p);
op_status mem_commit(op_exec *exec, void *p, size_t bytes, int32_t on);
op_status mem_move(op_exec *exec, void *to, op_space to_space, const void *from, op_space from_space, size_t bytes,
                   op_event *done);

} // namespace op2::exec_cuda
// SPDX-License-Identifier: MIT
