// loop.cpp: one run of a loop: what its kernel gets, and the launches.
#include <algorithm>
#include <cstddef>
#include <cstring>

#include "halo/exchange.hpp"
#include "kernel.hpp"
#include "launch/chain.hpp"

namespace op2::exec_cuda {

namespace {

constexpr uintptr_t row_alignment = 16; // what the code counts on

void fill_dats(op_exec_kernel &kernel, LaunchVariant &variant, const op_exec_call &call) {
  for (const ParamLayout::Dat &dat : variant.code.params.dats) {
    const op_range_arg &arg = call.args[dat.arg];
    if (arg.stride != dat.stride || reinterpret_cast<uintptr_t>(arg.base) % row_alignment != 0)
      throw Failure(OP_ERR_PLUGIN, loop_label(kernel) + ": argument " + std::to_string(dat.arg) +
                                       " does not lie as its kernel was told");
    variant.put(dat.offset, arg.base);
    if (dat.step != absent) variant.put(dat.step, static_cast<long long>(kernel.signature->layouts[dat.arg].step));
  }
  kernel.written.clear();
  for (int32_t i = 0; i < kernel.signature->nargs; ++i) {
    const op_exec_arg &arg = kernel.signature->args[i];
    if (arg.dat >= 0 && arg.access != OP_READ) kernel.written.push_back(call.args[i].base);
  }
}

void fill_tables(LaunchVariant &variant, const op_exec_call &call) {
  for (const ParamLayout::Table &table : variant.code.params.tables) {
    const op_range_arg &arg = call.args[table.arg];
    variant.put(table.offset, arg.map - table.column);
    variant.put(table.columns, static_cast<long long>(arg.map_stride));
  }
}

void fill_globals(op_exec &exec, LaunchVariant &variant, const op_exec_call &call) {
  size_t uploaded = 0;
  for (const ParamLayout::Global &global : variant.code.params.globals) {
    const char *const values = call.args[global.arg].base;
    if (global.by_value) {
      std::memcpy(variant.params.data() + global.offset, values, global.bytes);
      continue;
    }
    if (exec.chain) { // whose loops need their values all at the same time
      variant.put(global.offset, exec.chain->send(values, global.bytes));
      continue;
    }
    const Device &copy = variant.globals[uploaded++];
    exec.upload->put(copy.address(), values, global.bytes);
    variant.put(global.offset, copy.address());
  }
}

void fill_plan(op_exec &exec, op_exec_kernel &kernel, LaunchVariant &variant, const op_exec_call &call) {
  const ParamLayout &layout = variant.code.params;
  if (!wants_lists(variant.code)) return;
  take_plan(exec, kernel, *call.plan);
  if (!kernel.plan) throw Failure(OP_ERR_PLUGIN, loop_label(kernel) + ": the division of the loop is empty");
  if (layout.order != absent) variant.put(layout.order, kernel.plan->order.address());
  if (layout.block_offset != absent) variant.put(layout.block_offset, kernel.plan->block_offset.address());
  if (layout.stage == absent) return;
  const Stage &stage = *kernel.stage;
  StageAddresses at{};
  uint64_t *const lists[] = {&at.elements, &at.colours, &at.block_colours, &at.rows_offset, &at.rows, &at.local};
  for (size_t i = 0; i < stage.lists.size(); ++i) *lists[i] = stage.lists[i].address();
  at.places = stage.places;
  at.begin = stage.begin;
  variant.put(layout.stage, at);
}

// Constants are the program's variables, so they may have changed.
void send_constants(op_exec &exec, const std::vector<op_exec_constant> &constants, LoopModule &code) {
  if (constants.empty()) return;
  std::vector<char> &there = code.constants;
  bool changed = there.empty();
  for (const op_exec_constant &constant : constants) {
    const size_t end = constant.offset + constant.bytes;
    if (there.size() < end) there.resize(end);
    changed = changed || std::memcmp(there.data() + constant.offset, constant.value, constant.bytes) != 0;
    std::memcpy(there.data() + constant.offset, constant.value, constant.bytes);
  }
  if (changed) exec.upload->put(code.constants_at, there.data(), there.size());
}

unsigned blocks_for(int32_t threads) {
  return (static_cast<unsigned>(threads) + threads_per_block - 1) / threads_per_block;
}

// Whether the range goes into the launch of an exchange.
bool goes_with_exchange(op_exec &exec, op_exec_kernel &kernel, const Range &range, const op_exec_call &call) {
  if (!exec.exchanges) return false;
  LaunchVariant &variant = kernel.variant();
  variant.put(variant.code.params.begin, range.begin);
  variant.put(variant.code.params.end, range.end);
  const bool told = call.size >= offsetof(op_exec_call, loop_end) + sizeof call.loop_end;
  return exec.exchanges->take(kernel, range, told ? call.loop_end : 0);
}

void run(op_exec &exec, op_exec_kernel &kernel, const op_exec_call &call) {
  LoopModule &module = need_module(exec, kernel);
  if (exec.exchanges) exec.exchanges->before(kernel);
  LaunchVariant &variant = kernel.variant();
  fill_dats(kernel, variant, call);
  fill_tables(variant, call);
  before_loop(exec, kernel.written);
  fill_globals(exec, variant, call);
  send_constants(exec, kernel.constants, module);
  fill_plan(exec, kernel, variant, call);
  const bool gather = variant.code.method == Method::gather;
  if (gather) fill_gather(exec, kernel, call);
  if (variant.code.fold == Fold::tree)
    run_tree(exec, kernel, call);
  else if (variant.code.fold == Fold::blocks)
    run_plan_blocks(exec, kernel, call);
  else
    for (const Range &range : ranges_of(kernel, call))
      if (!goes_with_exchange(exec, kernel, range, call)) launch_range(exec, kernel, range);
  if (gather) launch_gather(exec, kernel, call);
}

// Atomic additions take whatever plan there is.
size_t atomics_of(const op_exec_kernel &kernel) {
  size_t i = 0;
  while (kernel.variants[i].code.method != Method::atomics) ++i;
  return i;
}

// A variant that cannot be run: this call goes by atomic additions, and a measurement goes on with the next variant.
void do_without(op_exec &exec, op_exec_kernel &kernel, const op_exec_call &call) {
  const Autotuner before = kernel.tuner;
  kernel.tuner.take(atomics_of(kernel));
  run(exec, kernel, call);
  if (!before.measuring()) return;
  kernel.tuner = before;
  skip_variant(exec, kernel);
}

// A variant that is only measured may need more memory than there is, or code that NVRTC refuses: the loop does without
// it.
bool ready(op_exec &exec, op_exec_kernel &kernel, const op_exec_call &call) try {
  const Method method = kernel.variant().code.method;
  if (is_staged(method) && !need_stage(exec, kernel, call)) return false;
  if (method == Method::gather) need_gather(exec, kernel, call);
  need_module(exec, kernel);
  return true;
} catch (const Failure &failure) {
  if (!kernel.tuner.measuring() || (failure.code() != OP_ERR_MEMORY && failure.code() != OP_ERR_UNSUPPORTED)) throw;
  kernel.stage.reset();
  return false;
} catch (const std::bad_alloc &) {
  if (!kernel.tuner.measuring()) throw;
  kernel.stage.reset();
  return false;
}

void run_or_try(op_exec &exec, op_exec_kernel &kernel, const op_exec_call &call) {
  if (!ready(exec, kernel, call)) return do_without(exec, kernel, call);
  if (!kernel.tuner.measuring()) return run(exec, kernel, call);
  // Messages, which may wait for other processes, are no part of what is measured.
  const auto settle = [&] {
    exec.driver.check(exec.driver.cuStreamSynchronize(exec.streams->compute), "wait for a loop that is measured");
  };
  settle();
  const double start = exec.host->now();
  run(exec, kernel, call);
  settle();
  note_time(exec, kernel, exec.host->now() - start);
}

} // namespace

std::vector<Range> ranges_of(const op_exec_kernel &kernel, const op_exec_call &call) {
  const op_exec_plan &plan = *call.plan;
  const Method method = kernel.variant().code.method;
  if (method == Method::plain || method == Method::atomics || method == Method::gather)
    return {{call.begin, call.end, blocks_for(call.end - call.begin), threads_per_block}};
  if (method == Method::staged_atomics)
    return {{0, plan.nblocks, static_cast<unsigned>(plan.nblocks), threads_per_block}};
  std::vector<Range> out;
  for (int32_t colour = 0; colour < plan.ncolours; ++colour) {
    const int32_t begin = plan.colour_offset[colour], end = plan.colour_offset[colour + 1];
    const unsigned grid = method == Method::staged ? static_cast<unsigned>(end - begin) : blocks_for(end - begin);
    if (end > begin) out.push_back({begin, end, grid, threads_per_block});
  }
  return out;
}

void launch_range(op_exec &exec, op_exec_kernel &kernel, const Range &range) {
  LaunchVariant &variant = kernel.variant();
  variant.put(variant.code.params.begin, range.begin);
  variant.put(variant.code.params.end, range.end);
  const unsigned shared =
      std::max(variant.code.shared_bytes, is_staged(variant.code.method) ? kernel.stage->shared_bytes : 0);
  launch_part(exec, kernel, {variant.module->function, range.grid, range.block, shared, variant.params.size()},
              variant.params.data());
}

// What is being measured must not be held back.
void launch_part(op_exec &exec, op_exec_kernel &kernel, const LaunchShape &shape, const void *parameters) {
  if (exec.exchanges) exec.exchanges->flush(); // it comes first
  if (exec.chain)
    exec.chain->launch(shape, parameters, kernel.signature->name);
  else if (kernel.tuner.measuring())
    exec.graphs->launch_now(shape, parameters, kernel.signature->name);
  else
    exec.graphs->launch(shape, parameters, kernel.signature->name);
}

void run_loop(op_exec &exec, op_exec_kernel &kernel, const op_exec_call &call) {
  if (call.end > call.begin)
    run_or_try(exec, kernel, call);
  else if (const op_exec_reduce *const reduce = kernel.signature->reduce)
    std::memcpy(call.reduce_result, call.reduce_start, reduce->record_bytes);
}

op_status loop_run(op_exec *exec, op_exec_kernel *kernel, const op_exec_call *call) {
  return entry_of_loop(exec, [&] { run_loop(*exec, *kernel, *call); });
}

// Results are there when loop_run returns.
op_status reduce_wait(op_exec *, op_exec_kernel *) { return OP_OK; }

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
