// Exchanges that kernels start themselves: which work goes into the next launch. A launch is held back from the moment
// an exchange is to begin until the loop that needs it is complete, or until something else needs the stream: at most
// until the end of the call of op_par_loop. All of it runs on the stream of loops.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "halo/halo.hpp"
#include "kernel.hpp"

// Behind halo_parts.h.
#include "device/exchange_parts.h"

namespace op2::exec_cuda {

// The side of an exchange that is the same in every round, in the order of its parameters.
class KernelHalo {
 public:
  virtual ~KernelHalo() = default;
  virtual void describe(op2_exchange_params &params) const = 0; // all of a launch that sends and receives, but rows
  int resident() const { return resident_; }                    // blocks that must be on the device together
  void set_pack(const HaloPlan *plan, std::vector<const char *> dats) {
    pack_ = plan;
    packed_ = std::move(dats);
  }
  void set_unpack(const HaloPlan *plan) { unpack_ = plan; }

 protected:
  int resident_ = 0;
  // Of the current round; NULL: no rows.
  const HaloPlan *pack_ = nullptr, *unpack_ = nullptr;
  std::vector<const char *> packed_; // row 0 of the dats

  friend class Exchanges;
};

class Exchanges {
 public:
  explicit Exchanges(op_exec &exec) : exec_(exec) {}

  void add(CUdeviceptr buffer, KernelHalo &halo) { by_buffer_[buffer] = &halo; }
  void remove(const KernelHalo &halo);
  KernelHalo *find(const void *buffer) const; // NULL: messages of another kind
  // Whether so many blocks of exchanges without elements are on the device together.
  bool fits(int blocks);

  void send(KernelHalo &halo);
  void receive(KernelHalo &halo);
  // Before parameters of a kernel are made: what is held back must not see them.
  void before(const op_exec_kernel &kernel);
  // Whether these elements go into the launch that is held back. loop_end: the last element of the loop, 0 = unknown.
  bool take(op_exec_kernel &kernel, const Range &range, int32_t loop_end);
  // Puts on the stream what is held back.
  void flush();
  std::string report() const;

 private:
  struct Elements {
    LoopModule *module = nullptr; // NULL: none
    CUfunction fused = nullptr;
    unsigned most_blocks = 0;
    LaunchShape alone{};
    std::vector<char> params;
    int32_t begin = 0, end = 0, loop_end = 0, border_end = 0;
    size_t begin_at = 0, end_at = 0; // in params
    const char *name = nullptr;
    bool complete() const { return loop_end <= border_end; }
  };
  bool begin_elements(op_exec_kernel &kernel, const Range &range, int32_t loop_end);
  bool add_border(op_exec_kernel &kernel, const Range &range);
  bool writes_packed(const op_exec_kernel &kernel) const;
  op2_exchange_params params() const;
  void launch_exchange();
  void launch_elements();
  void launch_fused();
  CUfunction kernel();
  unsigned most_blocks(CUfunction function, unsigned &known) const; // known: 0, or the answer

  op_exec &exec_;
  std::map<CUdeviceptr, KernelHalo *> by_buffer_;
  std::unique_ptr<Module> module_;
  CUfunction kernel_ = nullptr; // of module_
  unsigned kernel_blocks_ = 0;
  KernelHalo *held_ = nullptr; // NULL: nothing is held back
  bool sends_ = false, receives_ = false;
  Elements elements_;
  uint64_t fused_ = 0, alone_ = 0;
};

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
