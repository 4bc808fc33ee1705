// virtual_memory.cpp: memory of chunks, all of which have the size that the driver gives it out in.
#include "memory/virtual_memory.hpp"

#include <utility>

#include "event.hpp"

namespace op2::exec_cuda {

VirtualMemory::VirtualMemory(op_exec &exec) : driver_(exec.driver) {
  if (driver_.attribute(exec.device, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED) == 0)
    throw Failure(OP_ERR_UNSUPPORTED, "device " + exec.device_name + " cannot give memory to reserved addresses");
  driver_.find_more("cuMemGetAllocationGranularity", 10020, granularity_);
  driver_.find_more("cuMemAddressReserve", 10020, reserve_);
  driver_.find_more("cuMemAddressFree", 10020, free_);
  driver_.find_more("cuMemCreate", 10020, create_);
  driver_.find_more("cuMemRelease", 10020, release_);
  driver_.find_more("cuMemMap", 10020, map_);
  driver_.find_more("cuMemUnmap", 10020, unmap_);
  driver_.find_more("cuMemSetAccess", 10020, access_);
  kind_.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  kind_.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  kind_.location.id = exec.device;
  driver_.check(granularity_(&chunk_, &kind_, CU_MEM_ALLOC_GRANULARITY_MINIMUM), "ask for the size of chunks");
  copies_.make(driver_, 0, "make the stream of chunks");
  staging_ = std::make_unique<Staging>(driver_, copies_);
}

VirtualMemory::~VirtualMemory() {
  driver_.cuStreamSynchronize(copies_);
  for (const auto &[begin, range] : ranges_) {
    for (size_t i = 0; i < range.chunks.size(); ++i) {
      if (range.chunks[i] == 0) continue;
      unmap_(begin + i * chunk_, chunk_);
      release_(range.chunks[i]);
    }
    free_(begin, range.bytes);
  }
  for (const Memory memory : spare_) release_(memory);
  staging_.reset();
  driver_.cuStreamDestroy(copies_);
}

CUdeviceptr VirtualMemory::reserve(size_t bytes) {
  CUdeviceptr begin = 0;
  driver_.check(reserve_(&begin, bytes, chunk_, 0, 0), "reserve " + std::to_string(bytes) + " bytes of addresses");
  ranges_[begin] = {bytes, std::vector<Memory>(bytes / chunk_, 0)};
  return begin;
}

bool VirtualMemory::end(CUdeviceptr begin) {
  const auto found = ranges_.find(begin);
  if (found == ranges_.end()) return false;
  for (size_t i = 0; i < found->second.chunks.size(); ++i)
    if (found->second.chunks[i] != 0) take_back(begin + i * chunk_, chunk_);
  free_(begin, found->second.bytes);
  ranges_.erase(found);
  return true;
}

VirtualMemory::Memory &VirtualMemory::chunk_at(CUdeviceptr at) {
  auto range = ranges_.upper_bound(at);
  if (range == ranges_.begin()) throw Failure(OP_ERR_PLUGIN, "no reserved addresses");
  --range;
  const size_t offset = at - range->first;
  if (offset >= range->second.bytes || offset % chunk_ != 0)
    throw Failure(OP_ERR_PLUGIN, "not the begin of a chunk of reserved addresses");
  return range->second.chunks[offset / chunk_];
}

VirtualMemory::Memory VirtualMemory::take_memory() {
  if (spare_.empty()) {
    Memory memory = 0;
    driver_.check_memory(create_(&memory, chunk_, &kind_, 0), "device memory", chunk_);
    spare_.push_back(memory);
  }
  const Memory memory = spare_.back();
  spare_.pop_back();
  return memory;
}

void VirtualMemory::commit(CUdeviceptr at, size_t bytes) {
  CUdeviceptr place = at;
  try {
    for (; place < at + bytes; place += chunk_) {
      Memory &chunk = chunk_at(place);
      const Memory memory = take_memory();
      const CUresult status = map_(place, chunk_, 0, memory, 0);
      if (status != CUDA_SUCCESS) spare_.push_back(memory);
      driver_.check(status, "give memory to a chunk");
      chunk = memory;
    }
    CUmemAccessDesc access{};
    access.location = kind_.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    driver_.check(access_(at, bytes, &access, 1), "let the device use a chunk");
  } catch (...) {
    if (place > at) take_back(at, place - at);
    throw;
  }
}

void VirtualMemory::take_back(CUdeviceptr at, size_t bytes) {
  driver_.check(unmap_(at, bytes), "take memory from a chunk");
  for (CUdeviceptr place = at; place < at + bytes; place += chunk_)
    spare_.push_back(std::exchange(chunk_at(place), Memory{0}));
}

void VirtualMemory::load(CUdeviceptr to, const void *from, op_space from_space, size_t bytes) {
  if (from_space == OP_SPACE_HOST) return staging_->to_device(to, static_cast<const char *>(from), bytes);
  driver_.check(driver_.cuMemcpyHtoDAsync(to, from, bytes, copies_), "copy a chunk to the device");
}

void VirtualMemory::store(void *to, CUdeviceptr from, size_t bytes) {
  driver_.check(driver_.cuMemcpyDtoHAsync(to, from, bytes, copies_), "copy a chunk from the device");
}

size_t chunk_of(op_exec &exec) try {
  if (setting(exec.host, "OP2_DEVICE_MEMORY_LIMIT").empty()) return 0;
  const Current current(exec.driver, exec.context);
  if (!exec.virtual_memory) exec.virtual_memory = std::make_unique<VirtualMemory>(exec);
  return exec.virtual_memory->chunk();
} catch (const Failure &failure) {
  exec.host->log(exec.host, OP_LOG_WARN, (std::string("executor cuda: ") + failure.what()).c_str());
  return 0;
}

namespace {

VirtualMemory &need(const op_exec &exec) {
  if (!exec.virtual_memory) throw Failure(OP_ERR_UNSUPPORTED, "OP2_DEVICE_MEMORY_LIMIT is not set");
  return *exec.virtual_memory;
}

} // namespace

op_status mem_reserve(op_exec *exec, size_t bytes, void **p) {
  return entry(exec, [&] {
    *p = reinterpret_cast<void *>(need(*exec).reserve(bytes)); // NOLINT: device addresses are numbers
  });
}

op_status mem_commit(op_exec *exec, void *p, size_t bytes, int32_t on) {
  return entry(exec, [&] {
    if (on)
      need(*exec).commit(device_address(p), bytes);
    else
      need(*exec).take_back(device_address(p), bytes);
  });
}

op_status mem_move(op_exec *exec, void *to, op_space to_space, const void *from, op_space from_space, size_t bytes,
                   op_event *done) {
  return entry(exec, [&] {
    VirtualMemory &memory = need(*exec);
    exec->streams->order(exec->streams->compute, memory.stream());
    if (bytes > 0 && to_space == OP_SPACE_CUDA)
      memory.load(device_address(to), from, from_space, bytes);
    else if (bytes > 0)
      memory.store(to, device_address(from), bytes);
    if (done) finish(*exec, memory.stream(), done);
  });
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
