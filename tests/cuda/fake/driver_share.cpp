// driver_share.cpp: entry points for memory of other processes and for values that streams wait for.
#include <fcntl.h>
#include <unistd.h>

#include <cstring>

#include "call.hpp"

using namespace fake;

namespace {

// What a handle says: a range in the file of a process' device memory.
struct Shared {
  char mark[8];
  int process, file;
  std::uint64_t offset, bytes;
};
constexpr char mark[8] = {'f', 'a', 'k', 'e', 'i', 'p', 'c', '1'};
static_assert(sizeof(Shared) <= sizeof(IpcHandle));

std::uint32_t *word_at(DevicePointer pointer) {
  const Block *block = tagged(pointer) && pointer % 4 == 0 ? state().memory.find(untagged(pointer), 4) : nullptr;
  return block && block->freed == never ? reinterpret_cast<std::uint32_t *>(untagged(pointer)) : nullptr;
}

bool holds(std::uint32_t found, std::uint32_t value, unsigned flags) {
  switch (flags & 3u) {
    case 0:
      return static_cast<std::int32_t>(found - value) >= 0;
    case 1:
      return found == value;
    case 2:
      return (found & value) != 0;
    default:
      return ~(found | value) != 0;
  }
}

} // namespace

FAKE_ENTRY cuIpcGetMemHandle(IpcHandle *handle, DevicePointer pointer) {
  FAKE_CALL("cuIpcGetMemHandle");
  if (state().settings.ipc == "off") return call.answer(not_supported);
  const Block *block = tagged(pointer) ? state().memory.find(untagged(pointer), 0) : nullptr;
  if (!block || block->kind != Kind::device || block->freed != never)
    return call.refuse(invalid_value, "no device memory of this process");
  Shared shared = {};
  std::memcpy(shared.mark, mark, sizeof mark);
  shared.process = getpid();
  shared.file = state().memory.file();
  shared.offset = block->offset;
  shared.bytes = block->bytes;
  *handle = IpcHandle{};
  std::memcpy(handle, &shared, sizeof shared);
  return call.answer(success);
}

FAKE_ENTRY cuIpcOpenMemHandle_v2(DevicePointer *pointer, IpcHandle handle, unsigned) {
  FAKE_CALL("cuIpcOpenMemHandle");
  if (state().settings.ipc == "closed") return call.answer(not_permitted);
  Shared shared;
  std::memcpy(&shared, &handle, sizeof shared);
  if (std::memcmp(shared.mark, mark, sizeof mark) != 0) return call.refuse(invalid_value, "no handle of memory");
  if (shared.process == getpid()) return call.refuse(invalid_context, "memory of this very process");
  const std::string path = "/proc/" + std::to_string(shared.process) + "/fd/" + std::to_string(shared.file);
  const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return call.refuse(invalid_value, "the process of the memory is gone, or not to be looked into");
  const Block *block = state().memory.map_foreign(file, shared.offset, shared.bytes, current_device()->ordinal);
  if (block) state().neighbours.watch(shared.process, file);
  close(file);
  if (!block) return call.answer(out_of_memory);
  *pointer = reinterpret_cast<std::uintptr_t>(block->start) | tag;
  return call.answer(success);
}

FAKE_ENTRY cuIpcCloseMemHandle(DevicePointer pointer) {
  FAKE_CALL("cuIpcCloseMemHandle");
  const Block *block = tagged(pointer) ? state().memory.starting_at(untagged(pointer)) : nullptr;
  if (!block || block->kind != Kind::foreign) return call.refuse(invalid_value, "not mapped from another process");
  const int code = run_device(block->device);
  state().memory.release(*block);
  return call.answer(code);
}

FAKE_ENTRY cuStreamWriteValue32_v2(void *handle, DevicePointer pointer, std::uint32_t value, unsigned) {
  FAKE_CALL("cuStreamWriteValue32", "stream", id_of(handle), "value", value);
  const auto stream = stream_of(handle);
  if (!stream) return call.refuse(invalid_handle, "no such stream");
  std::uint32_t *word = word_at(pointer);
  if (!word) return call.refuse(invalid_value, "no device memory there");
  Op op{"write value", [=] { return __atomic_store_n(word, value, __ATOMIC_RELEASE), static_cast<int>(success); },
        nullptr, 0, 0};
  op.remote = state().memory.find(untagged(pointer), 4)->kind == Kind::foreign;
  issue(stream, std::move(op));
  return call.answer(success);
}

FAKE_ENTRY cuStreamWaitValue32_v2(void *handle, DevicePointer pointer, std::uint32_t value, unsigned flags) {
  FAKE_CALL("cuStreamWaitValue32", "stream", id_of(handle), "value", value);
  const auto stream = stream_of(handle);
  if (!stream) return call.refuse(invalid_handle, "no such stream");
  const std::uint32_t *word = word_at(pointer);
  if (!word) return call.refuse(invalid_value, "no device memory there");
  State &s = state();
  if (s.settings.fault == "drop_value_wait" && ++s.value_waits % s.settings.fault_every == 0)
    return call.answer(success);
  Op op{"wait value", [] { return static_cast<int>(success); }, nullptr, 0, 0};
  op.ready = [=] { return holds(__atomic_load_n(word, __ATOMIC_ACQUIRE), value, flags); };
  issue(stream, std::move(op));
  return call.answer(success);
}

// SPDX-License-Identifier: MIT
