// Executor "cuda": one NVIDIA GPU. Shared by its files.
//
// The core keeps host copies of all data; dats, maps and plans are in device memory. Kernels are compiled at run time
// from their text. An executor has two streams: loops and copies run on `compute`, in the order of the calls, halo rows
// move on `halo`, concurrently; the plugin orders the two by events. Work without a returned event is ordered before
// all later calls; the host waits only for copies to the host, results of reductions and events.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "code/nvrtc.hpp"
#include "driver.hpp"
#include "launch/graph_cache.hpp"
#include "op2/plugin/exec.h"
#include "plugins/exec_common/arguments.hpp"
#include "plugins/exec_common/host.hpp"
#include "stream.hpp"

namespace op2::exec_cuda {

using exec_common::setting;

class Staging;      // memory.cpp: bulk copies between the device and ordinary host memory
class Halo;         // halo.cpp: kernels that move rows, packs in progress
class Exchanges;    // halo/exchange.hpp: exchanges that kernels start
class RowConverter; // row_converter.cpp: dats in other layouts
class VirtualMemory; // memory/virtual_memory.hpp: addresses of which a part has memory
class ChainRun;     // launch/chain.hpp: loops that go to the device together

// Text of device/<name>.h, embedded when the plugin was built, without its #include "..." lines.
std::string_view device_text(std::string_view name);

// Compiled code on the device. To be made and destroyed with the device current, as in every entry.
class Module {
 public:
  Module(op_exec &exec, const std::string &text, const std::string &name);
  Module(Module &&other) noexcept : driver_(other.driver_), module_(other.module_), name_(std::move(other.name_)) {
    other.module_ = nullptr;
  }
  Module &operator=(Module &&) = delete;
  ~Module();
  CUfunction function(const char *name) const;
  struct Global {
    CUdeviceptr address;
    size_t bytes;
  };
  Global global(const char *name) const; // e.g. a __constant__ variable

 private:
  const Driver *driver_;
  CUmodule module_ = nullptr;
  std::string name_;
};

} // namespace op2::exec_cuda

// close() destroys objects on the device, in reverse order and with the device current.
struct op_exec_s {
  const op_host_v1 *host = nullptr;
  op2::exec_cuda::Driver driver;
  CUdevice device = 0;
  CUcontext context = nullptr; // the primary one, shared with other libraries of the program
  std::string device_name;
  int arch = 0; // 90 for sm_90
  int multiprocessors = 0;
  int most_threads = 1024; // of a block
  int most_shared = 49152; // bytes of shared memory that a block may request by cuFuncSetAttribute
  bool reproducible = false;
  std::string dump;                             // OP2_JIT_DUMP
  std::vector<std::string> options;             // OP2_CUDA_OPTIONS
  std::string libraries;                        // OP2_CUDA_PATH
  std::unique_ptr<op2::exec_cuda::Nvrtc> nvrtc; // from the first compilation on
  std::unique_ptr<op2::exec_cuda::Streams> streams;
  std::unique_ptr<op2::exec_cuda::GraphCache> graphs; // launches of loops
  std::unique_ptr<op2::exec_cuda::Upload> upload;     // on the compute stream
  std::unique_ptr<op2::exec_cuda::Staging> staging;
  std::unique_ptr<op2::exec_cuda::Halo> halo;
  std::unique_ptr<op2::exec_cuda::RowConverter> row_converter;
  std::unique_ptr<op2::exec_cuda::VirtualMemory> virtual_memory; // under OP2_DEVICE_MEMORY_LIMIT
  std::unique_ptr<op2::exec_cuda::Exchanges> exchanges; // with a channel of kind "kernel"
  std::atomic<int> lost{-1};                            // rank of a process that has ended too early
  std::shared_ptr<void> loops;               // kernel.cpp: modules and plans that kernels share
  op2::exec_cuda::ChainRun *chain = nullptr; // that collects the launches of loops just now; NULL: they go at once
  uint64_t moved_rooms = 0;                  // how often room() has moved a block
  op_exec_s();
  ~op_exec_s();
};

// The object that op_event points to.
struct op_event_s;

namespace op2::exec_cuda {

// Runs the body of an entry; an exception becomes host->fail().
template <class Body>
op_status guarded(const op_host_v1 *host, Body &&body) noexcept {
  try {
    body();
    return OP_OK;
  } catch (const Failure &failure) {
    return host->fail(host, failure.code(), failure.what());
  } catch (const std::bad_alloc &) {
    return host->fail(host, OP_ERR_MEMORY, "no host memory");
  } catch (const std::exception &thrown) {
    return host->fail(host, OP_ERR_PLUGIN, thrown.what());
  } catch (...) {
    return host->fail(host, OP_ERR_PLUGIN, "an unknown exception");
  }
}
// halo/exchange.cpp: what kernels exchange goes on its way. channel_kernel.cpp: throws if a process has ended too
// early.
void flush_exchanges(op_exec &exec);
void need_all_processes(const op_exec &exec);

// The same with the device current, for all entries of an executor that is open.
template <class Body>
op_status entry(op_exec *exec, Body &&body) noexcept {
  return guarded(exec->host, [&] {
    const Current current(exec->driver, exec->context);
    if (exec->exchanges) flush_exchanges(*exec);
    body();
    need_all_processes(*exec);
  });
}
// The same for the calls from the beginning of a loop to its end, which do not send on its way what kernels exchange.
template <class Body>
op_status entry_of_loop(op_exec *exec, Body &&body) noexcept {
  return guarded(exec->host, [&] {
    const Current current(exec->driver, exec->context);
    body();
    need_all_processes(*exec);
  });
}

// module.cpp: `parameters` is the one struct the kernel takes by value.
void launch(const op_exec &exec, CUfunction function, unsigned grid, unsigned block, unsigned shared_bytes,
            CUstream stream, const void *parameters, const char *name);

// loop_run calls it before launches: the compute stream waits for packs that read one of the dats that the loop writes
// (`written`: row 0 of each). It already waits for unpacked rows.
void before_loop(op_exec &exec, std::span<char *const> written);
// The same for all dats, for copies and fills.
void before_copy(op_exec &exec);

// Copies from device to host through pinned memory and waits for the copy. For small data, as reduced values.
void fetch(op_exec &exec, void *to, CUdeviceptr from, size_t bytes);

// memory.cpp Makes `block` at least `bytes` long; it is kept for later calls.
Device &room(op_exec &exec, std::unique_ptr<Device> &block, size_t bytes);
inline CUdeviceptr device_address(const void *p) { return reinterpret_cast<CUdeviceptr>(p); }
void check_space(op_space space); // throws for memory that this executor does not have
op_status mem_alloc(op_exec *exec, op_space space, size_t bytes, void **p);
void mem_free(op_exec *exec, op_space space, void *p);
op_status mem_copy(op_exec *exec, void *to, op_space to_space, const void *from, op_space from_space, size_t bytes,
                   op_event *done);
op_status mem_zero(op_exec *exec, op_space space, void *p, size_t bytes);

// row_converter.cpp
op_status mem_copy_rows(op_exec *exec, const op_exec_rows *rows, op_event *done);

// event.cpp
op_status event_wait(op_exec *exec, op_event event);
int event_query(op_exec *exec, op_event event);
void event_free(op_exec *exec, op_event event);
op_status mark(op_exec *exec, int32_t queue, op_event *event);
op_status elapsed(op_exec *exec, op_event from, op_event to, double *seconds);

// halo.cpp
op_status halo_upload(op_exec *exec, const op_exec_halo_lists *lists, int32_t nlists, op_exec_halo **halo);
void halo_free(op_exec *exec, op_exec_halo *halo);
op_status halo_pack(op_exec *exec, op_exec_halo *halo, const op_exec_halo_item *items, int32_t nitems, void *buffer,
                    op_space space, op_event *done);
op_status halo_unpack(op_exec *exec, op_exec_halo *halo, const op_exec_halo_item *items, int32_t nitems,
                      const void *buffer, op_space space, op_event *done);

// kernel.cpp, loop.cpp, reduce.cpp
op_status kernel_create(op_exec *exec, const op_exec_source *source, const op_exec_signature *signature,
                        op_exec_kernel **kernel);
void kernel_free(op_exec *exec, op_exec_kernel *kernel);
const char *kernel_form(op_exec *exec, const op_exec_kernel *kernel);
op_status kernel_plan_request(op_exec *exec, const op_exec_kernel *kernel, op_exec_plan_request *request);
op_status kernel_plan(op_exec *exec, op_exec_kernel *kernel, const op_exec_plan *plan);
op_status loop_run(op_exec *exec, op_exec_kernel *kernel, const op_exec_call *call);
op_status reduce_wait(op_exec *exec, op_exec_kernel *kernel);

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
