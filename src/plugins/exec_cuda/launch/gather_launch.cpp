// gather_launch.cpp: loops whose increments are gathered: their lists on the device, the memory between their two
// kernels, and the launches of the second one.
#include <algorithm>

#include "kernel.hpp"
#include "launch/gather.hpp"

namespace op2::exec_cuda {

namespace {

Device sent(op_exec &exec, const std::vector<int32_t> &list) { return uploaded(exec, list.data(), list.size()); }

std::span<const int32_t> added_of(const op_exec_call &call) {
  if (!call.plan->added) return {};
  return {call.plan->added, 2 * static_cast<size_t>(call.plan->nadded)};
}

// What the lists of a group follow from: the elements and their order, and where its pointers lead.
std::vector<int64_t> key_of(const op_exec_call &call, const ParamLayout &layout, int group) {
  std::vector<int64_t> key = {call.begin, call.end, reinterpret_cast<int64_t>(call.plan->added)};
  for (const ParamLayout::Column &column : layout.columns) {
    if (column.group != group) continue;
    key.push_back(-1);
    if (column.table < 0) continue;
    const ParamLayout::Table &table = layout.tables[static_cast<size_t>(column.table)];
    const op_range_arg &arg = call.args[table.arg];
    key.back() = reinterpret_cast<int64_t>(arg.map - table.column);
    key.push_back(arg.map_stride);
    key.push_back(column.column);
  }
  return key;
}

std::shared_ptr<GatherLists> lists_for(op_exec &exec, const op_exec_call &call, const ParamLayout &layout, int group,
                                       std::vector<HostTable> &tables) {
  auto &gathers = share(exec).gathers;
  const std::vector<int64_t> key = key_of(call, layout, group);
  if (std::shared_ptr<GatherLists> lists = find_shared(gathers, key)) return lists;
  if (tables.empty()) tables = fetch_tables(exec, layout, call);
  std::vector<GatherColumn> columns;
  for (const ParamLayout::Column &column : layout.columns)
    if (column.group == group)
      columns.push_back(
          {column.table < 0 ? nullptr : &tables[static_cast<size_t>(column.table)], int64_t{column.column}});
  const RowLists made = row_lists(call.begin, call.end, added_of(call), columns);
  const auto lists =
      std::make_shared<GatherLists>(GatherLists{sent(exec, made.rows), sent(exec, made.offset),
                                                sent(exec, made.entries), static_cast<int32_t>(made.rows.size())});
  gathers[key] = lists;
  return lists;
}

// Where the increments of each group begin; the last one is the end of all.
std::vector<size_t> scratch_offsets(const op_exec_kernel &kernel, const op_exec_call &call) {
  std::vector<size_t> out = {0};
  for (const ParamLayout::Group &group : kernel.variant().code.params.groups) {
    const op_exec_arg &arg = kernel.signature->args[group.arg];
    const size_t bytes =
        static_cast<size_t>(call.end - call.begin) * static_cast<size_t>(group.columns) * exec_common::row_bytes(arg);
    out.push_back(out.back() + exec_common::round_up(bytes, 128));
  }
  return out;
}

// All loops use the same memory: they run one after another.
CUdeviceptr scratch(op_exec &exec, size_t bytes) { return room(exec, share(exec).scratch, bytes).address(); }

} // namespace

void need_gather(op_exec &exec, op_exec_kernel &kernel, const op_exec_call &call) {
  const ParamLayout &layout = kernel.variant().code.params;
  scratch(exec, scratch_offsets(kernel, call).back());
  const Gather *const known = kernel.gather.get();
  if (known && known->begin == call.begin && known->end == call.end && known->added == call.plan->added) return;
  if (kernel.gather) exec.streams->wait_all(); // they may be in use
  kernel.gather.reset();
  auto gather = std::make_unique<Gather>(Gather{call.begin, call.end, call.plan->added, {}});
  std::vector<HostTable> tables;
  for (size_t g = 0; g < layout.groups.size(); ++g)
    gather->lists.push_back(lists_for(exec, call, layout, static_cast<int>(g), tables));
  kernel.gather = std::move(gather);
}

void fill_gather(op_exec &exec, op_exec_kernel &kernel, const op_exec_call &call) {
  LaunchVariant &variant = kernel.variant();
  const ParamLayout &layout = variant.code.params;
  const std::vector<size_t> offset = scratch_offsets(kernel, call);
  const CUdeviceptr block = scratch(exec, offset.back());
  for (size_t g = 0; g < layout.scratch.size(); ++g) variant.put(layout.scratch[g], block + offset[g]);
  variant.put(layout.places, static_cast<long long>(call.end - call.begin));
  variant.put(layout.gather_begin, call.begin);
}

void launch_gather(op_exec &exec, op_exec_kernel &kernel, const op_exec_call &call) {
  const LaunchVariant &variant = kernel.variant();
  const ParamLayout &layout = variant.code.params;
  const std::vector<size_t> offset = scratch_offsets(kernel, call);
  const CUdeviceptr block = scratch(exec, offset.back());
  for (size_t g = 0; g < layout.groups.size(); ++g) {
    const GatherLists &lists = *kernel.gather->lists[g];
    const int arg = layout.groups[g].arg;
    alignas(16) GatherParams params{};
    params.rows = lists.rows.address();
    params.offset = lists.offset.address();
    params.entries = lists.entries.address();
    params.scratch = block + offset[g];
    params.base = reinterpret_cast<uint64_t>(call.args[arg].base);
    if (kernel.signature->layouts) params.step = kernel.signature->layouts[arg].step;
    params.places = call.end - call.begin;
    params.count = lists.count;
    const unsigned blocks = (static_cast<unsigned>(lists.count) + threads_per_block - 1) / threads_per_block;
    launch_part(exec, kernel, {variant.module->gathers[g], blocks, threads_per_block, 0, sizeof params}, &params);
  }
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
