// driver_names.cpp: names of errors, and entry points by name.
#include <dlfcn.h>

#include <map>
#include <string>

#include "call.hpp"

using namespace fake;

namespace {

struct Words {
  const char *name, *text;
};

const Words *words_of(int code) {
  static const std::map<int, Words> all = {
      {success, {"CUDA_SUCCESS", "no error"}},
      {invalid_value, {"CUDA_ERROR_INVALID_VALUE", "invalid argument"}},
      {out_of_memory, {"CUDA_ERROR_OUT_OF_MEMORY", "out of memory"}},
      {not_initialized, {"CUDA_ERROR_NOT_INITIALIZED", "initialization error"}},
      {stub_library, {"CUDA_ERROR_STUB_LIBRARY", "CUDA driver is a stub library"}},
      {no_device, {"CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"}},
      {invalid_device, {"CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"}},
      {invalid_image, {"CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"}},
      {invalid_context, {"CUDA_ERROR_INVALID_CONTEXT", "invalid device context"}},
      {operating_system, {"CUDA_ERROR_OPERATING_SYSTEM", "OS call failed or operation not supported on this OS"}},
      {invalid_handle, {"CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"}},
      {not_found, {"CUDA_ERROR_NOT_FOUND", "named symbol not found"}},
      {not_ready, {"CUDA_ERROR_NOT_READY", "device not ready"}},
      {illegal_address, {"CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"}},
      {host_already_registered, {"CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED", "memory is already registered"}},
      {host_not_registered, {"CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED", "memory is not registered"}},
      {launch_failed, {"CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"}},
      {not_permitted, {"CUDA_ERROR_NOT_PERMITTED", "operation not permitted"}},
      {not_supported, {"CUDA_ERROR_NOT_SUPPORTED", "operation not supported"}},
      {capture_unsupported, {"CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "not permitted while a stream is captured"}},
      {capture_invalidated, {"CUDA_ERROR_STREAM_CAPTURE_INVALIDATED", "the capture failed earlier"}},
      {capture_unmatched, {"CUDA_ERROR_STREAM_CAPTURE_UNMATCHED", "the capture was not begun in this stream"}},
      {capture_unjoined, {"CUDA_ERROR_STREAM_CAPTURE_UNJOINED", "captured work was not joined"}},
      {capture_isolation, {"CUDA_ERROR_STREAM_CAPTURE_ISOLATION", "dependency on work that is not captured"}},
      {timeout, {"CUDA_ERROR_TIMEOUT", "wait operation timed out"}},
      {graph_update_failure, {"CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE", "the graph update was not performed"}},
      {unknown, {"CUDA_ERROR_UNKNOWN", "unknown error"}},
  };
  const auto found = all.find(code);
  return found == all.end() ? nullptr : &found->second;
}

} // namespace

FAKE_ENTRY cuGetErrorName(int code, const char **name) {
  const Words *words = words_of(code);
  *name = words ? words->name : nullptr;
  return words ? success : invalid_value;
}

FAKE_ENTRY cuGetErrorString(int code, const char **text) {
  const Words *words = words_of(code);
  *text = words ? words->text : nullptr;
  return words ? success : invalid_value;
}

// The newest version of a name, as the driver gives it to programs made for this version.
FAKE_ENTRY cuGetProcAddress_v2(const char *symbol, void **function, int, std::uint64_t, int *result) {
  Dl_info info{};
  *function = nullptr;
  if (dladdr(reinterpret_cast<void *>(&cuGetErrorName), &info)) {
    void *self = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
    for (const char *version : {"_v3", "_v2", ""})
      if (self && !*function) *function = dlsym(self, (std::string(symbol) + version).c_str());
    if (self) dlclose(self);
  }
  if (result) *result = *function ? 0 : 1; // found, or no such symbol
  return *function ? success : not_found;
}
FAKE_ENTRY cuGetProcAddress(const char *symbol, void **function, int version, std::uint64_t flags) {
  return cuGetProcAddress_v2(symbol, function, version, flags, nullptr);
}

// SPDX-License-Identifier: MIT
