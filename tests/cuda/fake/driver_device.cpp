// driver_device.cpp: entry points about the driver, devices and contexts.
#include <unistd.h>

#include <cstring>
#include <map>

#include "call.hpp"
#include "module.hpp"

using namespace fake;

namespace fake {

int unready() {
  if (!state().initialised || state().process != getpid()) return not_initialized;
  const Device *device = current_device();
  return device ? device->error : static_cast<int>(invalid_context);
}

namespace {

bool known(int device) {
  return state().initialised && device >= 0 && static_cast<std::size_t>(device) < state().devices.size();
}
int device_code(int device) {
  return !state().initialised ? not_initialized : known(device) ? success : invalid_device;
}

void *context_of(int device) { return &state().devices[static_cast<std::size_t>(device)]; }
int device_of(void *context) {
  for (const Device &device : state().devices)
    if (&device == context) return device.ordinal;
  return -1;
}

// What the last reference to a context leaves behind is freed, as by the driver.
void clear(Device &device) {
  State &s = state();
  run_device(device.ordinal);
  s.neighbours.stop();
  report_leaks(device.ordinal);
  std::erase_if(s.streams, [&](const auto &entry) { return entry.second->device == device.ordinal; });
  std::erase_if(s.orphans, [&](const auto &stream) { return stream->device == device.ordinal; });
  s.events.clear();
  s.graphs.clear();
  s.executables.clear();
  s.modules.clear();
  std::vector<Block> mine;
  for (const auto &[address, block] : s.memory.blocks())
    if (block.device == device.ordinal) mine.push_back(block);
  for (const Block &block : mine) s.memory.release(block);
  std::erase_if(s.graveyard, [&](std::uintptr_t address) { return !s.memory.starting_at(address); });
  device.used = 0;
  device.error = success;
}

int attribute(int which, int device) {
  const int arch = state().settings.arch;
  const std::map<int, int> values = {{1, 1024},
                                     {2, 1024},
                                     {3, 1024},
                                     {4, 64},
                                     {5, 2147483647},
                                     {6, 65535},
                                     {7, 65535},
                                     {8, 49152},
                                     {9, 65536},
                                     {10, 32},
                                     {12, 65536},
                                     {13, 1000000},
                                     {16, multiprocessors},
                                     {19, 1},
                                     {31, 1},
                                     {33, 10 + device},
                                     {34, 0},
                                     {36, 1000000},
                                     {37, 1024},
                                     {38, 1 << 20},
                                     {39, 2048},
                                     {40, 2},
                                     {41, 1},
                                     {50, 0},
                                     {75, arch / 10},
                                     {76, arch % 10},
                                     {78, 1},
                                     {81, 233472},
                                     {82, 65536},
                                     {92, 1},
                                     {93, 1},
                                     {94, 1},
                                     {95, 1},
                                     {97, 232448},
                                     {99, 1},
                                     {102, 1},
                                     {106, 32},
                                     {111, 1024},
                                     {115, 1},
                                     {116, 1},
                                     {122, 1},
                                     {123, 1}};
  const auto found = values.find(which);
  return found == values.end() ? 0 : found->second;
}

} // namespace
} // namespace fake

FAKE_ENTRY cuInit(unsigned flags) {
  const Call call("cuInit");
  State &s = state();
  if (s.settings.init != success) return call.answer(s.settings.init);
  if (flags != 0) return call.answer(invalid_value);
  if (s.settings.devices <= 0) return call.answer(no_device);
  if (s.initialised) return call.answer(s.process == getpid() ? success : not_initialized);
  for (int i = 0; i < s.settings.devices; i++) {
    Device device;
    device.ordinal = i;
    device.legacy = std::make_shared<Stream>();
    device.legacy->device = i;
    s.devices.push_back(device);
  }
  s.initialised = true;
  s.process = getpid();
  return call.answer(success);
}

FAKE_ENTRY cuDriverGetVersion(int *version) {
  const Call call("cuDriverGetVersion");
  *version = 13000;
  return call.answer(success);
}

FAKE_ENTRY cuDeviceGetCount(int *count) {
  const Call call("cuDeviceGetCount");
  *count = static_cast<int>(state().devices.size());
  return call.answer(state().initialised ? success : not_initialized);
}

FAKE_ENTRY cuDeviceGet(int *device, int ordinal) {
  const Call call("cuDeviceGet", "ordinal", ordinal);
  *device = ordinal;
  return call.answer(device_code(ordinal));
}

FAKE_ENTRY cuDeviceGetName(char *name, int bytes, int device) {
  const Call call("cuDeviceGetName");
  if (!known(device) || bytes < 1) return call.answer(known(device) ? invalid_value : device_code(device));
  std::snprintf(name, static_cast<std::size_t>(bytes), "Fake device %d", device);
  return call.answer(success);
}

FAKE_ENTRY cuDeviceGetUuid(Uuid *uuid, int device) {
  const Call call("cuDeviceGetUuid");
  if (!known(device)) return call.answer(device_code(device));
  std::memset(uuid, 0xFA, sizeof *uuid);
  uuid->bytes[15] = static_cast<unsigned char>(device);
  return call.answer(success);
}
FAKE_ENTRY cuDeviceGetUuid_v2(Uuid *uuid, int device) { return cuDeviceGetUuid(uuid, device); }

FAKE_ENTRY cuDeviceGetPCIBusId(char *id, int bytes, int device) {
  const Call call("cuDeviceGetPCIBusId");
  if (!known(device) || bytes < 13) return call.answer(known(device) ? invalid_value : device_code(device));
  std::snprintf(id, static_cast<std::size_t>(bytes), "0000:%02X:00.0", static_cast<unsigned>(10 + device) & 0xFFu);
  return call.answer(success);
}

FAKE_ENTRY cuDeviceTotalMem_v2(std::size_t *bytes, int device) {
  const Call call("cuDeviceTotalMem");
  *bytes = state().settings.memory;
  return call.answer(device_code(device));
}

FAKE_ENTRY cuDeviceGetAttribute(int *value, int which, int device) {
  const Call call("cuDeviceGetAttribute", "attribute", which);
  if (which < 1 || which > 147) return call.answer(invalid_value);
  *value = attribute(which, device);
  return call.answer(device_code(device));
}

FAKE_ENTRY cuDeviceCanAccessPeer(int *can, int device, int peer) {
  const Call call("cuDeviceCanAccessPeer");
  *can = device != peer;
  return call.answer(known(device) ? device_code(peer) : device_code(device));
}

FAKE_ENTRY cuDevicePrimaryCtxRetain(void **context, int device) {
  const Call call("cuDevicePrimaryCtxRetain", "device", device);
  if (!known(device)) return call.answer(device_code(device));
  state().devices[static_cast<std::size_t>(device)].retained++;
  *context = context_of(device);
  return call.answer(success);
}

FAKE_ENTRY cuDevicePrimaryCtxRelease_v2(int device) {
  const Call call("cuDevicePrimaryCtxRelease", "device", device);
  if (!known(device)) return call.answer(device_code(device));
  Device &one = state().devices[static_cast<std::size_t>(device)];
  if (one.retained == 0) return call.answer(invalid_context);
  if (one.retained == 1) clear(one);
  one.retained--;
  return call.answer(success);
}

FAKE_ENTRY cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active) {
  const Call call("cuDevicePrimaryCtxGetState");
  if (!known(device)) return call.answer(device_code(device));
  *flags = 0;
  *active = state().devices[static_cast<std::size_t>(device)].retained > 0;
  return call.answer(success);
}
FAKE_ENTRY cuDevicePrimaryCtxSetFlags_v2(int device, unsigned) { return known(device) ? success : device_code(device); }

FAKE_ENTRY cuCtxPushCurrent_v2(void *context) {
  const Call call("cuCtxPushCurrent");
  const int device = device_of(context);
  return call.answer(device < 0 ? static_cast<int>(invalid_context) : push_current(device));
}

FAKE_ENTRY cuCtxPopCurrent_v2(void **context) {
  const Call call("cuCtxPopCurrent");
  int device = -1;
  const int code = pop_current(&device);
  if (context) *context = device < 0 ? nullptr : context_of(device);
  return call.answer(code);
}

FAKE_ENTRY cuCtxGetCurrent(void **context) {
  const Call call("cuCtxGetCurrent");
  *context = current_device();
  return call.answer(state().initialised ? success : not_initialized);
}

FAKE_ENTRY cuCtxSetCurrent(void *context) {
  const Call call("cuCtxSetCurrent");
  const int device = context ? device_of(context) : -1;
  if (context && device < 0) return call.answer(invalid_context);
  set_current(device);
  return call.answer(success);
}

FAKE_ENTRY cuCtxGetDevice(int *device) {
  FAKE_CALL("cuCtxGetDevice");
  *device = current_device()->ordinal;
  return call.answer(success);
}

FAKE_ENTRY cuCtxSynchronize() {
  FAKE_CALL("cuCtxSynchronize");
  return call.answer(run_device(current_device()->ordinal));
}

FAKE_ENTRY cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  FAKE_CALL("cuCtxGetStreamPriorityRange");
  if (least) *least = 0;
  if (greatest) *greatest = -5;
  return call.answer(success);
}

FAKE_ENTRY cuCtxEnablePeerAccess(void *context, unsigned) {
  FAKE_CALL("cuCtxEnablePeerAccess");
  return call.answer(device_of(context) < 0 ? invalid_context : success);
}

// SPDX-License-Identifier: MIT
