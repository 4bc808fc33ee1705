// abi.hpp: the part of the CUDA driver's binary interface that the fake libraries speak: numbers and shapes only.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fake {

using DevicePointer = unsigned long long;

enum Code : int {
  success = 0,
  invalid_value = 1,
  out_of_memory = 2,
  not_initialized = 3,
  stub_library = 34,
  no_device = 100,
  invalid_device = 101,
  invalid_image = 200,
  invalid_context = 201,
  operating_system = 304,
  invalid_handle = 400,
  not_found = 500,
  not_ready = 600,
  illegal_address = 700,
  host_already_registered = 712,
  host_not_registered = 713,
  launch_failed = 719,
  not_permitted = 800,
  not_supported = 801,
  capture_unsupported = 900,
  capture_invalidated = 901,
  capture_unmatched = 903,
  capture_unjoined = 904,
  capture_isolation = 905,
  timeout = 909,
  graph_update_failure = 910,
  unknown = 999
};

struct Uuid {
  unsigned char bytes[16];
};
struct IpcHandle {
  char bytes[64];
};
struct GraphUpdateInfo { // CUgraphExecUpdateResultInfo
  int result;
  void *error_node, *error_from_node;
};
struct KernelNode { // CUDA_KERNEL_NODE_PARAMS_v2
  void *function;
  unsigned grid_x, grid_y, grid_z, block_x, block_y, block_z, shared;
  void **parameters, **extra;
  void *kernel, *context;
};

inline constexpr unsigned long long tag = 1ull << 62; // makes a device pointer useless on the host

constexpr bool tagged(std::uintptr_t pointer) { return (pointer & tag) != 0; }
constexpr std::uintptr_t untagged(std::uintptr_t pointer) { return pointer & ~tag; }

} // namespace fake

#define FAKE_ENTRY extern "C" __attribute__((visibility("default"))) int

// SPDX-License-Identifier: MIT
