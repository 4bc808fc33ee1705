// Messages in memory of CUDA devices: MPI receives their addresses, and this plugin does not access them.
#pragma once

#include "comm_mpi.hpp"

namespace op2::comm_mpi {

// Whether the MPI in this process reports that it takes addresses of devices; probe_space() verifies that.
bool takes_device_memory();

// The context of the device that owns some memory. Executors make it current only in their own entries, but MPI copies
// to and from a device in the current context of the calling thread.
class DeviceContext {
 public:
  DeviceContext() = default; // of no device
  DeviceContext(const op_host_v1 *host, const void *memory);

 private:
  friend class CurrentDevice;
  int (*push_)(void *context) = nullptr;
  int (*pop_)(void **context) = nullptr;
  void *context_ = nullptr;
};

// Makes a device context current during its lifetime.
class CurrentDevice {
 public:
  explicit CurrentDevice(const DeviceContext &device)
      : pop_(device.context_ && device.push_(device.context_) == 0 ? device.pop_ : nullptr) {}
  ~CurrentDevice() {
    void *context = nullptr;
    if (pop_) pop_(&context);
  }
  CurrentDevice(const CurrentDevice &) = delete;
  CurrentDevice &operator=(const CurrentDevice &) = delete;

 private:
  int (*pop_)(void **context);
};

} // namespace op2::comm_mpi

// SPDX-License-Identifier: MIT
