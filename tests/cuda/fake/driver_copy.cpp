// driver_copy.cpp: copies and fills. Pageable memory of the host is read at the call; pinned memory when the copy's
// turn comes.
#include <cstring>
#include <vector>

#include "call.hpp"

using namespace fake;

namespace {

enum class Where { device, pinned, pageable, nowhere };

struct Range {
  Where where = Where::nowhere;
  char *host = nullptr; // where the bytes really are
};

Range range_of(std::uintptr_t address, std::size_t bytes) {
  const std::uintptr_t plain = untagged(address);
  const Block *block = state().memory.find(plain, bytes);
  char *host = reinterpret_cast<char *>(plain);
  if (tagged(address)) return block && block->freed == never ? Range{Where::device, host} : Range{};
  if (block && (block->kind == Kind::pinned || block->kind == Kind::registered)) return {Where::pinned, host};
  if (block && block->kind != Kind::global) return {}; // device memory by an address that leaked out of a kernel
  return {Where::pageable, host};
}

bool lost(const Range &from) {
  State &s = state();
  return from.where != Where::device && s.settings.fault == "lose_copy" && ++s.copies % s.settings.fault_every == 0;
}

struct Copy {
  std::uintptr_t to, from;
  std::size_t bytes;
  void *stream;
  bool waits; // the call is one that waits for what it does, where it touches the host
};

std::string outside(const char *end, std::uintptr_t address, std::size_t bytes) {
  return std::string(end) + ": " + std::to_string(bytes) + " bytes are not all in memory in use (" +
         state().memory.describe(untagged(address)) + ")";
}

int copy(const Call &call, const Copy &what) {
  const auto stream = stream_of(what.stream);
  if (!stream) return call.refuse(invalid_handle, "no such stream");
  if (what.bytes == 0) return call.answer(success);
  const Range to = range_of(what.to, what.bytes), from = range_of(what.from, what.bytes);
  if (to.where == Where::nowhere) return call.refuse(invalid_value, outside("destination", what.to, what.bytes));
  if (from.where == Where::nowhere) return call.refuse(invalid_value, outside("source", what.from, what.bytes));
  const std::size_t bytes = what.bytes;
  const bool skip = lost(from);
  Op op;
  op.what = "copy bytes=" + std::to_string(bytes);
  if (from.where == Where::pageable && !stream->capture) {
    op.run = [to, skip, kept = std::vector<char>(from.host, from.host + bytes)] {
      if (!skip) std::memcpy(to.host, kept.data(), kept.size());
      return success;
    };
  } else {
    op.run = [to, from, skip, bytes] {
      if (!skip) std::memmove(to.host, from.host, bytes);
      return success;
    };
  }
  const bool host = to.where != Where::device || from.where != Where::device;
  if (stream->capture && (what.waits || to.where == Where::pageable)) {
    stream->capture->spoil();
    return call.answer(capture_unsupported);
  }
  issue(stream, std::move(op));
  const bool wait = (what.waits && host) || to.where == Where::pageable;
  return call.answer(wait ? run_all(stream) : static_cast<int>(success));
}

int fill(const Call &call, DevicePointer pointer, std::uint32_t pattern, std::size_t width, std::size_t count,
         void *handle) {
  const auto stream = stream_of(handle);
  if (!stream) return call.refuse(invalid_handle, "no such stream");
  if (count == 0) return call.answer(success);
  const Range range = range_of(pointer, width * count);
  if (range.where != Where::device || pointer % width != 0)
    return call.refuse(invalid_value, outside("destination", pointer, width * count));
  issue(stream, Op{"fill bytes=" + std::to_string(width * count),
                   [=] {
                     for (std::size_t i = 0; i < count; i++) std::memcpy(range.host + i * width, &pattern, width);
                     return success;
                   },
                   nullptr, 0, 0});
  return call.answer(success);
}

std::uintptr_t address(const void *pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

} // namespace

FAKE_ENTRY cuMemcpyHtoD_v2(DevicePointer to, const void *from, std::size_t bytes) {
  FAKE_CALL("cuMemcpyHtoD", "bytes", bytes);
  return copy(call, {to, address(from), bytes, nullptr, true});
}
FAKE_ENTRY cuMemcpyDtoH_v2(void *to, DevicePointer from, std::size_t bytes) {
  FAKE_CALL("cuMemcpyDtoH", "bytes", bytes);
  return copy(call, {address(to), from, bytes, nullptr, true});
}
FAKE_ENTRY cuMemcpyDtoD_v2(DevicePointer to, DevicePointer from, std::size_t bytes) {
  FAKE_CALL("cuMemcpyDtoD", "bytes", bytes);
  return copy(call, {to, from, bytes, nullptr, true});
}
FAKE_ENTRY cuMemcpy(DevicePointer to, DevicePointer from, std::size_t bytes) {
  FAKE_CALL("cuMemcpy", "bytes", bytes);
  return copy(call, {to, from, bytes, nullptr, true});
}
FAKE_ENTRY cuMemcpyHtoDAsync_v2(DevicePointer to, const void *from, std::size_t bytes, void *stream) {
  FAKE_CALL("cuMemcpyHtoDAsync", "bytes", bytes, "stream", id_of(stream));
  return copy(call, {to, address(from), bytes, stream, false});
}
FAKE_ENTRY cuMemcpyDtoHAsync_v2(void *to, DevicePointer from, std::size_t bytes, void *stream) {
  FAKE_CALL("cuMemcpyDtoHAsync", "bytes", bytes, "stream", id_of(stream));
  return copy(call, {address(to), from, bytes, stream, false});
}
FAKE_ENTRY cuMemcpyDtoDAsync_v2(DevicePointer to, DevicePointer from, std::size_t bytes, void *stream) {
  FAKE_CALL("cuMemcpyDtoDAsync", "bytes", bytes, "stream", id_of(stream));
  return copy(call, {to, from, bytes, stream, false});
}
FAKE_ENTRY cuMemcpyAsync(DevicePointer to, DevicePointer from, std::size_t bytes, void *stream) {
  FAKE_CALL("cuMemcpyAsync", "bytes", bytes, "stream", id_of(stream));
  return copy(call, {to, from, bytes, stream, false});
}
FAKE_ENTRY cuMemcpyPeerAsync(DevicePointer to, void *, DevicePointer from, void *, std::size_t bytes, void *stream) {
  FAKE_CALL("cuMemcpyPeerAsync", "bytes", bytes, "stream", id_of(stream));
  return copy(call, {to, from, bytes, stream, false});
}

FAKE_ENTRY cuMemsetD8_v2(DevicePointer to, unsigned char value, std::size_t count) {
  FAKE_CALL("cuMemsetD8", "bytes", count);
  return fill(call, to, value, 1, count, nullptr);
}
FAKE_ENTRY cuMemsetD8Async(DevicePointer to, unsigned char value, std::size_t count, void *stream) {
  FAKE_CALL("cuMemsetD8Async", "bytes", count, "stream", id_of(stream));
  return fill(call, to, value, 1, count, stream);
}
FAKE_ENTRY cuMemsetD32_v2(DevicePointer to, unsigned value, std::size_t count) {
  FAKE_CALL("cuMemsetD32", "bytes", 4 * count);
  return fill(call, to, value, 4, count, nullptr);
}
FAKE_ENTRY cuMemsetD32Async(DevicePointer to, unsigned value, std::size_t count, void *stream) {
  FAKE_CALL("cuMemsetD32Async", "bytes", 4 * count, "stream", id_of(stream));
  return fill(call, to, value, 4, count, stream);
}

// SPDX-License-Identifier: MIT
