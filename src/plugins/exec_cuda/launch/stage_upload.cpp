// stage_upload.cpp: the lists of blocks that add up in shared memory, on the device. Maps lie there, so they are
// fetched once.
#include <algorithm>

#include "kernel.hpp"

namespace op2::exec_cuda {

namespace {

constexpr size_t most_shared = 48 << 10; // what a block gets without asking

} // namespace

std::vector<HostTable> fetch_tables(op_exec &exec, const ParamLayout &layout, const op_exec_call &call) {
  std::vector<HostTable> out(layout.tables.size());
  for (const ParamLayout::Column &column : layout.columns) {
    if (column.table < 0) continue;
    const size_t number = static_cast<size_t>(column.table);
    HostTable &host = out[number];
    if (!host.entries.empty()) continue;
    const ParamLayout::Table &table = layout.tables[number];
    const op_range_arg &arg = call.args[table.arg];
    host.columns = arg.map_stride;
    host.entries.resize(static_cast<size_t>(call.end - call.begin) * static_cast<size_t>(arg.map_stride));
    const int *const first = arg.map - table.column + static_cast<ptrdiff_t>(call.begin) * arg.map_stride;
    fetch(exec, host.entries.data(), reinterpret_cast<CUdeviceptr>(first), host.entries.size() * sizeof(int));
  }
  return out;
}

bool need_stage(op_exec &exec, op_exec_kernel &kernel, const op_exec_call &call) {
  const op_exec_plan &plan = *call.plan;
  if (kernel.stage && kernel.stage->plan_order == plan.order) return true;
  if (plan.kind != OP_PLAN_ELEMENT_COLOURS) return false;
  if (kernel.stage) exec.streams->wait_all(); // it may be in use
  kernel.stage.reset();
  const ParamLayout &layout = kernel.variant().code.params;
  std::vector<GroupShape> shapes;
  for (const ParamLayout::Group &group : layout.groups)
    shapes.push_back({kernel.signature->args[group.arg].dim, kernel.signature->args[group.arg].type_size});
  const StageLists lists = stage_lists(plan, layout, shapes, fetch_tables(exec, layout, call));
  if (!lists.fits || lists.shared_bytes > most_shared) return false;
  auto stage = std::make_unique<Stage>();
  stage->plan_order = plan.order;
  stage->places = plan.end - plan.begin;
  stage->begin = plan.begin;
  stage->shared_bytes = static_cast<unsigned>(lists.shared_bytes);
  const auto send = [&](const auto &list) { stage->lists.push_back(uploaded(exec, list.data(), list.size())); };
  send(lists.elements);
  send(lists.colours);
  send(std::span(plan.block_element_colours, static_cast<size_t>(plan.nblocks)));
  send(lists.rows_offset);
  send(lists.rows);
  send(lists.local);
  kernel.stage = std::move(stage);
  return true;
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
