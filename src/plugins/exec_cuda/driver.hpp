// The CUDA driver: a library loaded at run time, never linked, so that the plugin loads on any machine.
#pragma once

#include <cuda.h>
#include <cudaTypedefs.h>

#include <stdexcept>
#include <string>

#include "op2/plugin/plugin.h"

namespace op2::exec_cuda {

// A failure inside the plugin; the entries report it by host->fail().
class Failure : public std::runtime_error {
 public:
  Failure(op_status code, const std::string &message) : std::runtime_error(message), code_(code) {}
  op_status code() const { return code_; }

 private:
  op_status code_;
};

// Entry points that the plugin uses, each with the version of the driver interface that defines its form.
#define OP2_CUDA_GRAPH_ENTRIES(X)          \
  X(cuGraphCreate, 10000)                  \
  X(cuGraphAddKernelNode, 12000)           \
  X(cuGraphInstantiateWithFlags, 11040)    \
  X(cuGraphExecKernelNodeSetParams, 12000) \
  X(cuGraphLaunch, 10000)                  \
  X(cuGraphExecDestroy, 10000)             \
  X(cuGraphDestroy, 10000)

#define OP2_CUDA_ENTRIES(X)            \
  OP2_CUDA_GRAPH_ENTRIES(X)            \
  X(cuInit, 2000)                      \
  X(cuDriverGetVersion, 2020)          \
  X(cuGetErrorName, 6000)              \
  X(cuGetErrorString, 6000)            \
  X(cuDeviceGetCount, 2000)            \
  X(cuDeviceGet, 2000)                 \
  X(cuDeviceGetName, 2000)             \
  X(cuDeviceGetAttribute, 2000)        \
  X(cuDevicePrimaryCtxRetain, 7000)    \
  X(cuDevicePrimaryCtxRelease, 11000)  \
  X(cuCtxPushCurrent, 4000)            \
  X(cuCtxPopCurrent, 4000)             \
  X(cuCtxGetStreamPriorityRange, 5050) \
  X(cuMemGetInfo, 3020)                \
  X(cuMemAlloc, 3020)                  \
  X(cuMemFree, 3020)                   \
  X(cuMemHostAlloc, 2020)              \
  X(cuMemFreeHost, 2000)               \
  X(cuMemcpyHtoDAsync, 3020)           \
  X(cuMemcpyDtoHAsync, 3020)           \
  X(cuMemcpyDtoDAsync, 3020)           \
  X(cuMemsetD8Async, 3020)             \
  X(cuStreamCreateWithPriority, 5050)  \
  X(cuStreamDestroy, 4000)             \
  X(cuStreamSynchronize, 2000)         \
  X(cuStreamWaitEvent, 3020)           \
  X(cuEventCreate, 2000)               \
  X(cuEventDestroy, 4000)              \
  X(cuEventRecord, 2000)               \
  X(cuEventQuery, 2000)                \
  X(cuEventSynchronize, 2000)          \
  X(cuEventElapsedTime, 2000)          \
  X(cuModuleLoadData, 2000)            \
  X(cuModuleUnload, 2000)              \
  X(cuModuleGetFunction, 2000)         \
  X(cuModuleGetGlobal, 3020)           \
  X(cuFuncGetAttribute, 2020)          \
  X(cuFuncSetAttribute, 9000)          \
  X(cuLaunchKernel, 4000)              \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor, 6050)

// The loaded library. It is never unloaded, as it may run its own threads.
struct Driver {
#define OP2_CUDA_MEMBER(name, version) PFN_##name##_v##version name = nullptr;
  OP2_CUDA_ENTRIES(OP2_CUDA_MEMBER)
#undef OP2_CUDA_MEMBER
  std::string path; // as requested
  int version = 0;  // highest CUDA version that it supports: 13000 is 13.0

  // Loads libcuda.so.1, from `folders` (setting OP2_CUDA_PATH) if one has it, and starts it. Throws OP_ERR_BACKEND with
  // a message for the user if there is no driver or only the toolkit's stub, or if it is too old or fails to start.
  static Driver load(const std::string &folders);

  // Throws unless status is CUDA_SUCCESS: "<what>: CUDA_ERROR_...: text" and, if there is one, a remedy.
  void check(CUresult status, const std::string &what) const {
    if (status != CUDA_SUCCESS) fail(status, what);
  }
  [[noreturn]] void fail(CUresult status, const std::string &what) const;
  // The same for allocations: the message has the requested and the free memory.
  void check_memory(CUresult status, const std::string &what, size_t wanted) const;
  std::string describe(CUresult status) const; // "CUDA_ERROR_INVALID_VALUE (invalid argument)"

  int attribute(CUdevice device, CUdevice_attribute which) const;

  // Loads an optional entry point. Throws OP_ERR_UNSUPPORTED if the driver has none.
  template <class Function>
  void find_more(const char *name, int since, Function &function) const {
    function = reinterpret_cast<Function>(find_entry(name, since)); // NOLINT
  }

 private:
  void *find_entry(const char *name, int since) const;
  PFN_cuGetProcAddress_v12000 get_ = nullptr;
};

// Makes a context the current one of the thread during a scope, then restores the previous one, which may belong to
// another library.
class Current {
 public:
  Current(const Driver &driver, CUcontext context) : driver_(driver) {
    driver_.check(driver_.cuCtxPushCurrent(context), "make the device current");
  }
  ~Current() {
    CUcontext before = nullptr;
    driver_.cuCtxPopCurrent(&before);
  }
  Current(const Current &) = delete;
  Current &operator=(const Current &) = delete;

 private:
  const Driver &driver_;
};

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
