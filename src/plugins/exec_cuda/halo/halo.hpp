// Rows that processes exchange: lists on the device, the kernels that move rows, and pending requests.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "device/halo_parts.h"
#include "exec_cuda.hpp"

namespace op2::exec_cuda {

// Segments of one combination of items, on the device.
struct HaloPlan {
  std::unique_ptr<Device> segments;
  unsigned nsegments = 0;
  unsigned blocks = 0;
  size_t bytes = 0;               // of the buffer
  std::unique_ptr<Device> chunks; // of messages by themselves: blocks for each
};

// State of an executor; its members are used in the order of the halo stream.
class Halo {
 public:
  explicit Halo(op_exec &exec) : exec_(exec), upload_(exec.driver, exec.streams->halo) {}

  Upload &upload() { return upload_; }
  CUfunction kernel(bool pack); // compiled at its first use
  // Device memory for messages in host memory.
  CUdeviceptr scratch(size_t bytes);
  // Page-locked memory of at least `bytes`. The caller gives it back when only `stream`, if any, still uses it.
  std::unique_ptr<Pinned> take_pinned(size_t bytes);
  void give_back(std::unique_ptr<Pinned> pinned, CUstream stream = nullptr);

  // Packs on the halo stream read these dats until event last_pack_.
  void note_pack(const op_exec_halo_item *items, int32_t nitems);
  // Makes the compute stream wait for packs that read the dats about to be written; `all`: for all packs.
  void before_writing(std::span<char *const> written, bool all);

 private:
  op_exec &exec_;
  Upload upload_;
  std::unique_ptr<Module> module_;
  CUfunction pack_ = nullptr, unpack_ = nullptr; // of module_
  std::unique_ptr<Device> scratch_;
  struct Spare {
    std::unique_ptr<Pinned> memory;
    std::unique_ptr<Event> used; // complete when the memory is free; NULL: it is free
  };
  std::vector<Spare> spare_;
  std::vector<const char *> packing_; // row 0 of dats
  std::unique_ptr<Event> last_pack_;
};

} // namespace op2::exec_cuda

struct op_exec_halo_s {
  struct List {
    std::vector<int32_t> offset; // [neighbours + 1]
    size_t first;                // of its rows in `rows`
  };
  std::vector<List> lists;
  int32_t neighbours = 0;
  std::unique_ptr<op2::exec_cuda::Device> rows;
  // By the items (addresses, lengths of rows, lists) and the alignment of the buffer.
  std::map<std::vector<size_t>, op2::exec_cuda::HaloPlan> plans;
};

namespace op2::exec_cuda {

// halo_lists.cpp: the plan for these items, made at their first use. Throws OP_ERR_ARGUMENT for invalid items.
const HaloPlan &plan_of(op_exec &exec, op_exec_halo &halo, std::span<const op_exec_halo_item> items,
                        CUdeviceptr buffer);
// The same for kernels that exchange: each message begins at a place of its own, and launches are on the stream of
// loops.
const HaloPlan &plan_by_message(op_exec &exec, op_exec_halo &halo, std::span<const op_exec_halo_item> items);

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
