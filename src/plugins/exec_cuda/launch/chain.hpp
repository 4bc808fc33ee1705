// Loops that go to the device together (op_exec_ops_v1.chain_run). Their launches are collected first, with the places
// on the device of what each loop takes and gives: values too large for its parameters, which are sent before the first
// launch, and partial results, for which the host waits once, after the last one.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernel.hpp"
#include "launch/graph_cache.hpp"

namespace op2::exec_cuda {

// Device memory that all loops of a chain take their places in.
class Places {
 public:
  void clear() { filled_ = 0; }
  // Of a place. If there is no room for it, it is none: see grow().
  CUdeviceptr take(size_t bytes);
  // Makes room for all that was taken; returns whether addresses have changed. Nothing may be using the memory.
  bool grow(op_exec &exec);
  bool lacks_room() const { return filled_ > (memory_ ? memory_->size() : 0); }
  CUdeviceptr address() const { return memory_->address(); }
  size_t filled() const { return filled_; }

 private:
  std::unique_ptr<Device> memory_;
  size_t filled_ = 0;
};

// The calls of a chain, from the first loop that is collected to the last result.
class ChainRun {
 public:
  explicit ChainRun(op_exec &exec);
  ~ChainRun();
  ChainRun(const ChainRun &) = delete;
  ChainRun &operator=(const ChainRun &) = delete;

  // What runs of loops do while exec.chain is this object, in place of what they do alone:
  void launch(const LaunchShape &shape, const void *parameters, const char *name);
  CUdeviceptr send(const void *values, size_t bytes); // they are on the device before the first launch
  CUdeviceptr results(size_t bytes);                  // memory for partial results
  void reduce_later(op_exec_kernel &kernel, const op_exec_call &call, const PartialResults &partial);

  // times: NULL, or when each loop began and ended. After a failure, `failed` is the number of the loop.
  void run(std::span<op_exec_kernel *const> kernels, const op_exec_call *calls, double *times, int32_t &failed);
  const std::string &form() const { return form_; }

 private:
  struct Reduced {
    int32_t loop;
    op_exec_kernel *kernel;
    const op_exec_call *call;
    PartialResults partial;
  };
  void collect(std::span<op_exec_kernel *const> kernels, const op_exec_call *calls, double *times, int32_t &failed);
  void send_values();
  void launch_all(int32_t &failed);
  void take_results(int32_t &failed);

  op_exec &exec_;
  Pattern &pattern_;
  std::string form_;
  // Of the present run.
  int32_t loop_ = 0; // that is being collected
  LaunchList launches_;
  std::vector<int32_t> loop_of_; // of each launch
  Places values_, results_;
  std::vector<char> to_send_, there_; // values, and what is on the device
  std::vector<char> arrived_;         // partial results
  std::vector<Reduced> reduced_;
};

op_status chain_create(op_exec *exec, const op_exec_chain_plan *plan, op_exec_chain **chain);
void chain_free(op_exec *exec, op_exec_chain *chain);
op_status chain_run(op_exec *exec, op_exec_chain *chain, const op_exec_call *calls, double *times, int32_t *failed);
const char *chain_form(op_exec *exec, const op_exec_chain *chain);

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
