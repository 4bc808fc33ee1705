// driver_memory.cpp: entry points that allocate memory and tell what a pointer is.
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "call.hpp"

using namespace fake;

namespace {

DevicePointer device_pointer(const Block &block) { return reinterpret_cast<std::uintptr_t>(block.start) | tag; }

// The live block of the current device that starts at a device pointer.
Block *owned(DevicePointer pointer) {
  Block *block = tagged(pointer) ? state().memory.starting_at(untagged(pointer)) : nullptr;
  return block && block->kind == Kind::device && block->freed == never ? block : nullptr;
}

int allocate(const Call &call, DevicePointer *pointer, std::size_t bytes) {
  State &s = state();
  Device &device = *current_device();
  if (!pointer || bytes == 0) return call.answer(invalid_value);
  if (bytes > s.settings.memory || device.used > s.settings.memory - bytes) return call.answer(out_of_memory);
  const Block *block = s.memory.allocate(bytes, Kind::device, device.ordinal);
  if (!block) return call.answer(out_of_memory);
  device.used += bytes;
  *pointer = device_pointer(*block);
  return call.answer(success);
}

// Older work may still use the block; it stays until that is done.
void free_block(Block &block) {
  State &s = state();
  s.devices[static_cast<std::size_t>(block.device)].used -= block.bytes;
  block.freed = s.serial + 1;
  s.graveyard.push_back(reinterpret_cast<std::uintptr_t>(block.start));
  bury();
}

int allocate_host(const Call &call, void **pointer, std::size_t bytes) {
  if (!pointer || bytes == 0) return call.answer(invalid_value);
  const Block *block = state().memory.allocate(bytes, Kind::pinned, current_device()->ordinal);
  if (!block) return call.answer(out_of_memory);
  *pointer = block->start;
  return call.answer(success);
}

// Pinned memory around an address of the host.
Block *pinned(const void *pointer, std::size_t bytes) {
  Block *block = state().memory.find(reinterpret_cast<std::uintptr_t>(pointer), bytes);
  const bool is = block && (block->kind == Kind::pinned || block->kind == Kind::registered) && block->freed == never;
  return is ? block : nullptr;
}

} // namespace

FAKE_ENTRY cuMemAlloc_v2(DevicePointer *pointer, std::size_t bytes) {
  FAKE_CALL("cuMemAlloc", "bytes", bytes);
  return allocate(call, pointer, bytes);
}

FAKE_ENTRY cuMemAllocAsync(DevicePointer *pointer, std::size_t bytes, void *stream) {
  FAKE_CALL("cuMemAllocAsync", "bytes", bytes, "stream", id_of(stream));
  if (!stream_of(stream)) return call.refuse(invalid_handle, "no such stream");
  return allocate(call, pointer, bytes);
}

FAKE_ENTRY cuMemFree_v2(DevicePointer pointer) {
  FAKE_CALL("cuMemFree");
  if (pointer == 0) return call.answer(success);
  Block *block = owned(pointer);
  if (!block) return call.refuse(invalid_value, "not the start of device memory in use");
  free_block(*block);
  return call.answer(success);
}

FAKE_ENTRY cuMemFreeAsync(DevicePointer pointer, void *stream) {
  FAKE_CALL("cuMemFreeAsync", "stream", id_of(stream));
  if (pointer == 0) return call.answer(success);
  Block *block = owned(pointer);
  if (!block) return call.refuse(invalid_value, "not the start of device memory in use");
  if (!stream_of(stream)) return call.refuse(invalid_handle, "no such stream");
  free_block(*block);
  return call.answer(success);
}

FAKE_ENTRY cuMemGetInfo_v2(std::size_t *left, std::size_t *total) {
  FAKE_CALL("cuMemGetInfo");
  *total = state().settings.memory;
  *left = *total - current_device()->used;
  return call.answer(success);
}

FAKE_ENTRY cuMemHostAlloc(void **pointer, std::size_t bytes, unsigned) {
  FAKE_CALL("cuMemHostAlloc", "bytes", bytes);
  return allocate_host(call, pointer, bytes);
}

FAKE_ENTRY cuMemAllocHost_v2(void **pointer, std::size_t bytes) {
  FAKE_CALL("cuMemAllocHost", "bytes", bytes);
  return allocate_host(call, pointer, bytes);
}

FAKE_ENTRY cuMemFreeHost(void *pointer) {
  FAKE_CALL("cuMemFreeHost");
  if (!pointer) return call.answer(success);
  Block *block = pinned(pointer, 0);
  if (!block || block->start != pointer || block->kind != Kind::pinned)
    return call.refuse(invalid_value, "not the start of pinned memory in use");
  // As the driver: everything that may use it is done first, since the host may not see it half used.
  run_device(block->device);
  state().memory.release(*block);
  return call.answer(current_device()->error);
}

FAKE_ENTRY cuMemHostRegister_v2(void *pointer, std::size_t bytes, unsigned) {
  FAKE_CALL("cuMemHostRegister", "bytes", bytes);
  if (!pointer || bytes == 0) return call.answer(invalid_value);
  if (pinned(pointer, 1)) return call.answer(host_already_registered);
  state().memory.adopt(static_cast<char *>(pointer), bytes, Kind::registered, current_device()->ordinal);
  return call.answer(success);
}

FAKE_ENTRY cuMemHostUnregister(void *pointer) {
  FAKE_CALL("cuMemHostUnregister");
  const Block *block = pinned(pointer, 0);
  if (!block || block->start != pointer || block->kind != Kind::registered) return call.answer(host_not_registered);
  run_device(block->device);
  state().memory.release(*block);
  return call.answer(current_device()->error);
}

FAKE_ENTRY cuMemHostGetDevicePointer_v2(DevicePointer *device, void *host, unsigned) {
  FAKE_CALL("cuMemHostGetDevicePointer");
  if (!pinned(host, 0)) return call.refuse(invalid_value, "not pinned memory");
  *device = reinterpret_cast<std::uintptr_t>(host) | tag;
  return call.answer(success);
}

FAKE_ENTRY cuMemGetAddressRange_v2(DevicePointer *start, std::size_t *bytes, DevicePointer pointer) {
  FAKE_CALL("cuMemGetAddressRange");
  const Block *block = tagged(pointer) ? state().memory.find(untagged(pointer), 0) : nullptr;
  if (!block || block->freed != never) return call.answer(not_found);
  if (start) *start = device_pointer(*block);
  if (bytes) *bytes = block->bytes;
  return call.answer(success);
}

FAKE_ENTRY cuPointerGetAttribute(void *value, int attribute, DevicePointer pointer) {
  const Call call("cuPointerGetAttribute", "attribute", attribute); // no context is needed: libraries ask for it by this
  if (!state().initialised) return call.answer(not_initialized);
  const Block *block = state().memory.find(untagged(pointer), 0);
  if (!block || block->freed != never) return call.answer(invalid_value);
  const bool host = block->kind == Kind::pinned || block->kind == Kind::registered;
  if (!host && !tagged(pointer)) return call.answer(invalid_value);
  switch (attribute) {
    case 1:
      *static_cast<void **>(value) = &state().devices[static_cast<std::size_t>(block->device)];
      break;
    case 2:
      *static_cast<unsigned *>(value) = host ? 1u : 2u;
      break; // CU_MEMORYTYPE_HOST, CU_MEMORYTYPE_DEVICE
    case 3:
      *static_cast<DevicePointer *>(value) = pointer | tag;
      break;
    case 4:
      if (!host) return call.answer(invalid_value);
      *static_cast<DevicePointer *>(value) = untagged(pointer);
      break;
    case 7:
      *static_cast<unsigned long long *>(value) = block->offset + 1;
      break;
    case 8:
      *static_cast<unsigned *>(value) = 0;
      break;
    case 9:
      *static_cast<int *>(value) = block->device;
      break;
    case 10:
      *static_cast<unsigned *>(value) = block->kind == Kind::device;
      break;
    case 11:
      *static_cast<DevicePointer *>(value) = device_pointer(*block);
      break;
    case 12:
      *static_cast<std::size_t *>(value) = block->bytes;
      break;
    case 13:
      *static_cast<unsigned *>(value) = 1;
      break;
    default:
      return call.answer(invalid_value);
  }
  return call.answer(success);
}

FAKE_ENTRY cuPointerGetAttributes(unsigned count, int *attributes, void **values, DevicePointer pointer) {
  for (unsigned i = 0; i < count; i++) // an unknown pointer is no error here: its memory type reads 0
    if (cuPointerGetAttribute(values[i], attributes[i], pointer) != success && attributes[i] == 2)
      *static_cast<unsigned *>(values[i]) = 0;
  return success;
}

// SPDX-License-Identifier: MIT
