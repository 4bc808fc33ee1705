// A loop of the program on the device: its code, and its data that is kept from call to call.
#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "code/code.hpp"
#include "exec_cuda.hpp"
#include "launch/autotuner.hpp"
#include "launch/stage.hpp"

namespace op2::exec_cuda {

// Code and its constants, shared by loops with the same text.
struct LoopModule {
  Module module;
  CUfunction function;
  CUfunction fused;                // the same elements beside an exchange (halo/exchange.hpp); NULL: there is none
  std::vector<CUfunction> gathers; // kernels to run after the loop, by group, if increments are gathered
  CUdeviceptr constants_at = 0;
  std::vector<char> constants; // as they are on the device; empty: never sent
  unsigned fused_blocks = 0;   // of `fused`, that run at a time; 0: nobody has asked
};

// Lists of a plan on the device.
struct PlanLists {
  Device order, block_offset;
};

// RowLists of gather.hpp, on the device.
struct GatherLists {
  Device rows, offset, entries;
  int32_t count; // rows
};

// Shared by the kernels of an executor. It owns no code and no lists: kernels keep them alive.
struct LoopShare {
  std::map<std::string, std::weak_ptr<LoopModule>> modules;           // by text
  std::map<const int32_t *, std::weak_ptr<PlanLists>> plans;          // by a list of the core: see list_of
  std::map<std::vector<int64_t>, std::weak_ptr<GatherLists>> gathers; // by elements and maps: see key_of
  std::unique_ptr<Device> scratch;                                    // increments to be gathered
};

// One way to run a loop: its code and launch parameters.
struct LaunchVariant {
  DeviceSource code; // its text is kept only until it is compiled
  bool compact;  // staged: blocks of elements that share rows, at any positions
  std::shared_ptr<LoopModule> module;
  std::vector<char> params;    // struct op2_params of the current call
  std::vector<Device> globals; // globals too large for launch parameters
  template <class T>
  void put(size_t offset, const T &value) {
    std::memcpy(params.data() + offset, &value, sizeof value);
  }
};

// Lists for blocks that sum in shared memory, on the device.
struct Stage {
  const int32_t *plan_order; // made for the plan with this list
  std::vector<Device> lists; // in the order of StageAddresses
  int64_t places;
  int32_t begin;
  unsigned shared_bytes;
};

// The lists of a loop whose increments are gathered, by group.
struct Gather {
  int32_t begin, end;   // made for these elements
  const int32_t *added; // in this order
  std::vector<std::shared_ptr<GatherLists>> lists;
};

// Records on the device, to be combined in their order.
struct PartialResults {
  CUdeviceptr address;
  size_t count;
  bool values; // only the reduced values in them mean something
};

// Elements, or positions in a list of elements or of blocks, that one launch runs.
struct Range {
  int32_t begin, end;
  unsigned grid, block;
};

} // namespace op2::exec_cuda

struct op_exec_kernel_s {
  const op_exec_signature *signature = nullptr;
  std::vector<op_exec_constant> constants;
  size_t declared_bytes = 0;
  bool ordered = false; // sums have the bits that they have on a CPU: OP2_CUDA_SUMS
  std::vector<op2::exec_cuda::LaunchVariant> variants;
  op2::exec_cuda::Autotuner tuner;   // chooses the variant
  std::string cache_key;             // of the fastest variant, which is kept from run to run; "" = not kept
  std::vector<char *> written;       // row 0 of the dats it writes
  std::shared_ptr<op2::exec_cuda::PlanLists> plan;
  const int32_t *plan_list = nullptr; // that `plan` was made from
  std::unique_ptr<op2::exec_cuda::Stage> stage;
  std::unique_ptr<op2::exec_cuda::Gather> gather;
  // Reductions. Records of blocks, threads or blocks of the plan; one result for each launch; a counter of blocks
  std::unique_ptr<op2::exec_cuda::Device> records, results, counter, start;
  std::vector<char> host_records, host_record;

  op2::exec_cuda::LaunchVariant &variant() { return variants[tuner.variant()]; }
  const op2::exec_cuda::LaunchVariant &variant() const { return variants[tuner.variant()]; }
};

namespace op2::exec_cuda {

// The shared object under `key` if a kernel still uses it; else NULL.
template <class Key, class T>
std::shared_ptr<T> find_shared(std::map<Key, std::weak_ptr<T>> &all, const Key &key) {
  if (const auto found = all.find(key); found != all.end())
    if (std::shared_ptr<T> one = found->second.lock()) return one;
  std::erase_if(all, [](const auto &entry) { return entry.second.expired(); });
  return nullptr;
}

// Copies a list to new device memory.
template <class T>
Device uploaded(op_exec &exec, const T *list, size_t count) {
  Device out(exec.driver, std::max<size_t>(count, 1) * sizeof(T));
  if (count > 0) exec.upload->put(out.address(), list, count * sizeof(T));
  return out;
}

// kernel.cpp
LoopShare &share(op_exec &exec);
LoopModule &need_module(op_exec &exec, op_exec_kernel &kernel); // of the chosen variant
bool wants_lists(const DeviceSource &code);                     // of a plan, on the device
void take_plan(op_exec &exec, op_exec_kernel &kernel, const op_exec_plan &plan);
const char *form_of(const LaunchVariant &variant);    // "cuda atomics"
std::string loop_label(const op_exec_kernel &kernel); // "loop 'res_calc' (cuda atomics)"

// variants.cpp
struct VariantRequest {
  Method method;
  bool compact_blocks = false;
};
std::vector<VariantRequest> variants_for(const op_exec &exec, const op_exec_signature &signature, bool ordered);
void take_remembered(op_exec &exec, op_exec_kernel &kernel); // the fastest variant of an earlier run, if known
void note_time(op_exec &exec, op_exec_kernel &kernel, double seconds);
void skip_variant(op_exec &exec, op_exec_kernel &kernel); // the chosen variant cannot be run

// loop.cpp
std::vector<Range> ranges_of(const op_exec_kernel &kernel, const op_exec_call &call);
void launch_range(op_exec &exec, op_exec_kernel &kernel, const Range &range);
void launch_part(op_exec &exec, op_exec_kernel &kernel, const LaunchShape &shape, const void *parameters);
void run_loop(op_exec &exec, op_exec_kernel &kernel, const op_exec_call &call); // also one without elements

// stage_upload.cpp: lists for the plan of the call; false when its blocks are too large
bool need_stage(op_exec &exec, op_exec_kernel &kernel, const op_exec_call &call);
// The maps that the columns of the layout belong to, on the host.
std::vector<HostTable> fetch_tables(op_exec &exec, const ParamLayout &layout, const op_exec_call &call);

// gather_launch.cpp: lists and memory for the call; parameters of the loop; the kernels after the loop
void need_gather(op_exec &exec, op_exec_kernel &kernel, const op_exec_call &call);
void fill_gather(op_exec &exec, op_exec_kernel &kernel, const op_exec_call &call);
void launch_gather(op_exec &exec, op_exec_kernel &kernel, const op_exec_call &call);

// reduce.cpp
void run_tree(op_exec &exec, op_exec_kernel &kernel, const op_exec_call &call);
void run_plan_blocks(op_exec &exec, op_exec_kernel &kernel, const op_exec_call &call);
// Into the result of the call, from the host's copy of the records.
void combine_partial(op_exec_kernel &kernel, const op_exec_call &call, const PartialResults &partial,
                     const char *records);

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
