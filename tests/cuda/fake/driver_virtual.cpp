// driver_virtual.cpp: addresses without memory, and memory that is put there and taken away, in units of
// FAKE_CUDA_UNIT bytes. Who touches an address without memory fails as beside an allocation.
#include <map>
#include <string>

#include "call.hpp"

using namespace fake;

namespace {

struct Piece {
  std::uint64_t offset = 0; // in the file of all device memory
  std::size_t bytes = 0;
  int device = 0;
  bool mapped = false, released = false;
};

struct Virtual {
  std::map<unsigned long long, Piece> pieces;            // by handle
  std::map<std::uintptr_t, unsigned long long> mappings; // handles, by address
  unsigned long long last = 0;
};
Virtual &all() {
  static Virtual one;
  return one;
}

bool whole_units(std::uint64_t bytes) { return bytes != 0 && bytes % state().settings.unit == 0; }

// Memory counts until its handle and its place are given back.
void end(unsigned long long handle) {
  const Piece piece = all().pieces.at(handle);
  if (piece.mapped || !piece.released) return;
  state().devices[static_cast<std::size_t>(piece.device)].used -= piece.bytes;
  state().memory.end_piece(piece.offset, piece.bytes);
  all().pieces.erase(handle);
}

} // namespace

FAKE_ENTRY cuMemGetAllocationGranularity(std::size_t *unit, const void *, int) {
  FAKE_CALL("cuMemGetAllocationGranularity");
  *unit = state().settings.unit;
  return call.answer(success);
}

FAKE_ENTRY cuMemAddressReserve(DevicePointer *pointer, std::size_t bytes, std::size_t, DevicePointer,
                               unsigned long long) {
  FAKE_CALL("cuMemAddressReserve", "bytes", bytes);
  if (!pointer || !whole_units(bytes)) return call.refuse(invalid_value, "not a multiple of the unit");
  const Block *block = state().memory.reserve_range(bytes, state().settings.unit, current_device()->ordinal);
  if (!block) return call.answer(out_of_memory);
  *pointer = reinterpret_cast<std::uintptr_t>(block->start) | tag;
  return call.answer(success);
}

FAKE_ENTRY cuMemAddressFree(DevicePointer pointer, std::size_t bytes) {
  FAKE_CALL("cuMemAddressFree", "bytes", bytes);
  const Block *block = tagged(pointer) ? state().memory.starting_at(untagged(pointer)) : nullptr;
  if (!block || block->kind != Kind::reserved || block->bytes != bytes)
    return call.refuse(invalid_value, "no such range of addresses");
  const auto inside = all().mappings.lower_bound(untagged(pointer));
  if (inside != all().mappings.end() && block->contains(inside->first, 1))
    return call.refuse(invalid_value, "there is memory in the range");
  state().memory.release(*block);
  return call.answer(success);
}

FAKE_ENTRY cuMemCreate(unsigned long long *handle, std::size_t bytes, const void *, unsigned long long) {
  FAKE_CALL("cuMemCreate", "bytes", bytes);
  State &s = state();
  Device &device = *current_device();
  if (!handle || !whole_units(bytes)) return call.refuse(invalid_value, "not a multiple of the unit");
  if (device.used + bytes > s.settings.memory) return call.answer(out_of_memory);
  Piece piece{0, bytes, device.ordinal};
  if (!s.memory.new_piece(bytes, piece.offset)) return call.answer(out_of_memory);
  device.used += bytes;
  *handle = ++all().last;
  all().pieces[*handle] = piece;
  return call.answer(success);
}

FAKE_ENTRY cuMemRelease(unsigned long long handle) {
  FAKE_CALL("cuMemRelease");
  const auto found = all().pieces.find(handle);
  if (found == all().pieces.end() || found->second.released) return call.refuse(invalid_value, "no such memory");
  found->second.released = true;
  end(handle);
  return call.answer(success);
}

FAKE_ENTRY cuMemMap(DevicePointer pointer, std::size_t bytes, std::size_t offset, unsigned long long handle,
                    unsigned long long) {
  FAKE_CALL("cuMemMap", "bytes", bytes);
  const auto found = all().pieces.find(handle);
  if (found == all().pieces.end() || found->second.mapped || offset != 0 || bytes != found->second.bytes)
    return call.refuse(invalid_value, "not memory that lies nowhere yet");
  const Block *block = tagged(pointer) ? state().memory.find(untagged(pointer), bytes) : nullptr;
  if (!block || block->kind != Kind::reserved || !whole_units(untagged(pointer)) ||
      all().mappings.contains(untagged(pointer)))
    return call.refuse(invalid_value, "no free place for it");
  if (!state().memory.map_piece(untagged(pointer), found->second.offset, bytes)) return call.answer(out_of_memory);
  found->second.mapped = true;
  all().mappings[untagged(pointer)] = handle;
  return call.answer(success);
}

FAKE_ENTRY cuMemUnmap(DevicePointer pointer, std::size_t bytes) {
  FAKE_CALL("cuMemUnmap", "bytes", bytes);
  const std::uintptr_t first = untagged(pointer);
  std::uintptr_t at = first;
  for (auto it = all().mappings.find(at); it != all().mappings.end() && it->first == at && at < first + bytes; ++it)
    at += all().pieces.at(it->second).bytes;
  if (at != first + bytes || bytes == 0) return call.refuse(invalid_value, "not what was put there");
  for (at = first; at < first + bytes;) {
    const auto it = all().mappings.find(at);
    const unsigned long long handle = it->second;
    Piece &piece = all().pieces.at(handle);
    state().memory.unmap_piece(at, piece.bytes);
    at += piece.bytes;
    piece.mapped = false;
    all().mappings.erase(it);
    end(handle);
  }
  return call.answer(success);
}

FAKE_ENTRY cuMemSetAccess(DevicePointer pointer, std::size_t bytes, const void *, std::size_t) {
  FAKE_CALL("cuMemSetAccess", "bytes", bytes);
  const std::uintptr_t first = untagged(pointer);
  for (std::uintptr_t at = first; at < first + bytes;) {
    const auto it = all().mappings.find(at);
    if (it == all().mappings.end()) return call.refuse(invalid_value, "there is no memory at the address");
    at += all().pieces.at(it->second).bytes;
    state().memory.open_piece(it->first, all().pieces.at(it->second).bytes);
  }
  return call.answer(success);
}

// SPDX-License-Identifier: MIT
