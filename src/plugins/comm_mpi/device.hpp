// Messages in memory of CUDA devices, which MPI gets as they are: no byte of them is touched here.
#pragma once

#include "comm_mpi.hpp"

namespace op2::comm_mpi {

// Whether the MPI in this process takes addresses of devices. What it says may be wrong: probe_space() tells.
bool takes_device_memory();

// The context of the device that some memory belongs to. Executors make theirs current in their own entries only, but
// MPI copies to and from a device in the context of the thread that calls it.
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

// It is current as long as this lives.
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
