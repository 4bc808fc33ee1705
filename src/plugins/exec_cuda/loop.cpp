// loop.cpp: one run of a loop: what its kernel gets, and the launches.
#include <algorithm>
#include <cstring>

#include "kernel.hpp"

namespace op2::exec_cuda {

namespace {

constexpr uintptr_t row_alignment = 16; // what the code counts on

void fill_dats(op_exec_kernel &kernel, Way &way, const op_exec_call &call) {
  for (const ParamLayout::Dat &dat : way.code.params.dats) {
    const op_range_arg &arg = call.args[dat.arg];
    if (arg.stride != dat.stride || reinterpret_cast<uintptr_t>(arg.base) % row_alignment != 0)
      throw Failure(OP_ERR_PLUGIN, loop_label(kernel) + ": argument " + std::to_string(dat.arg) +
                                       " does not lie as its kernel was told");
    way.put(dat.offset, arg.base);
    if (dat.step != absent) way.put(dat.step, static_cast<long long>(kernel.signature->layouts[dat.arg].step));
  }
  kernel.written.clear();
  for (int32_t i = 0; i < kernel.signature->nargs; ++i) {
    const op_exec_arg &arg = kernel.signature->args[i];
    if (arg.dat >= 0 && arg.access != OP_READ) kernel.written.push_back(call.args[i].base);
  }
}

void fill_tables(Way &way, const op_exec_call &call) {
  for (const ParamLayout::Table &table : way.code.params.tables) {
    const op_range_arg &arg = call.args[table.arg];
    way.put(table.offset, arg.map - table.column);
    way.put(table.columns, static_cast<long long>(arg.map_stride));
  }
}

void fill_globals(op_exec &exec, Way &way, const op_exec_call &call) {
  size_t uploaded = 0;
  for (const ParamLayout::Global &global : way.code.params.globals) {
    const char *const values = call.args[global.arg].base;
    if (global.by_value) {
      std::memcpy(way.params.data() + global.offset, values, global.bytes);
      continue;
    }
    const Device &copy = way.globals[uploaded++];
    exec.upload->put(copy.address(), values, global.bytes);
    way.put(global.offset, copy.address());
  }
}

void fill_plan(op_exec &exec, op_exec_kernel &kernel, Way &way, const op_exec_call &call) {
  const ParamLayout &layout = way.code.params;
  if (!wants_lists(way.code)) return;
  take_plan(exec, kernel, *call.plan);
  if (!kernel.plan) throw Failure(OP_ERR_PLUGIN, loop_label(kernel) + ": the division of the loop is empty");
  if (layout.order != absent) way.put(layout.order, kernel.plan->order.address());
  if (layout.block_offset != absent) way.put(layout.block_offset, kernel.plan->block_offset.address());
  if (layout.stage == absent) return;
  const Stage &stage = *kernel.stage;
  StageAddresses at{};
  uint64_t *const lists[] = {&at.elements, &at.colours, &at.block_colours, &at.rows_offset, &at.rows, &at.local};
  for (size_t i = 0; i < stage.lists.size(); ++i) *lists[i] = stage.lists[i].address();
  at.places = stage.places;
  at.begin = stage.begin;
  way.put(layout.stage, at);
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

void run(op_exec &exec, op_exec_kernel &kernel, const op_exec_call &call) {
  LoopModule &module = need_module(exec, kernel);
  Way &way = kernel.way();
  fill_dats(kernel, way, call);
  fill_tables(way, call);
  before_loop(exec, call.wait, call.nwait, kernel.written);
  fill_globals(exec, way, call);
  send_constants(exec, kernel.constants, module);
  fill_plan(exec, kernel, way, call);
  const bool gather = way.code.method == Method::gather;
  if (gather) fill_gather(exec, kernel, call);
  if (way.code.fold == Fold::tree)
    run_tree(exec, kernel, call);
  else if (way.code.fold == Fold::blocks)
    run_plan_blocks(exec, kernel, call);
  else
    for (const Range &range : ranges_of(kernel, call)) launch_range(exec, kernel, range);
  if (gather) launch_gather(exec, kernel, call);
}

// Atomic additions take whatever plan there is.
void take_atomics(op_exec_kernel &kernel) {
  for (kernel.taken = 0; kernel.way().code.method != Method::atomics;) ++kernel.taken;
}

// A way that cannot be: this call goes by atomic additions, and a trial goes on with the next way.
void do_without(op_exec &exec, op_exec_kernel &kernel, const op_exec_call &call) {
  const bool trying = kernel.trial.running;
  const size_t failed = kernel.taken;
  kernel.trial.running = false;
  take_atomics(kernel);
  run(exec, kernel, call);
  if (!trying) return;
  kernel.trial.running = true;
  kernel.taken = failed;
  leave_way(exec, kernel);
}

// A way that is only tried may need more memory than there is, or code that NVRTC refuses: the loop does without it.
bool ready(op_exec &exec, op_exec_kernel &kernel, const op_exec_call &call) try {
  const Method method = kernel.way().code.method;
  if (is_staged(method) && !need_stage(exec, kernel, call)) return false;
  if (method == Method::gather) need_gather(exec, kernel, call);
  need_module(exec, kernel);
  return true;
} catch (const Failure &failure) {
  if (!kernel.trial.running || (failure.code() != OP_ERR_MEMORY && failure.code() != OP_ERR_UNSUPPORTED)) throw;
  kernel.stage.reset();
  return false;
} catch (const std::bad_alloc &) {
  if (!kernel.trial.running) throw;
  kernel.stage.reset();
  return false;
}

void run_or_try(op_exec &exec, op_exec_kernel &kernel, const op_exec_call &call) {
  if (!ready(exec, kernel, call)) return do_without(exec, kernel, call);
  if (!kernel.trial.running) return run(exec, kernel, call);
  // Messages, which may wait for other processes, are no part of what is measured.
  const auto settle = [&] {
    exec.driver.check(exec.driver.cuStreamSynchronize(exec.streams->compute), "wait for a loop that is measured");
  };
  settle();
  const double start = exec.host->now();
  run(exec, kernel, call);
  settle();
  count_trial(exec, kernel, exec.host->now() - start);
}

} // namespace

std::vector<Range> ranges_of(const op_exec_kernel &kernel, const op_exec_call &call) {
  const op_exec_plan &plan = *call.plan;
  const Method method = kernel.way().code.method;
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
  Way &way = kernel.way();
  way.put(way.code.params.begin, range.begin);
  way.put(way.code.params.end, range.end);
  const unsigned shared = std::max(way.code.shared_bytes, is_staged(way.code.method) ? kernel.stage->shared_bytes : 0);
  launch_part(exec, kernel, {way.module->function, range.grid, range.block, shared, way.params.size()},
              way.params.data());
}

// What is being measured must not be held back.
void launch_part(op_exec &exec, op_exec_kernel &kernel, const LaunchShape &shape, const void *parameters) {
  if (kernel.trial.running)
    exec.chains->launch_now(shape, parameters, kernel.signature->name);
  else
    exec.chains->launch(shape, parameters, kernel.signature->name);
}

op_status loop_run(op_exec *exec, op_exec_kernel *kernel, const op_exec_call *call, op_event *done) {
  return entry(exec, [&] {
    if (call->end > call->begin)
      run_or_try(*exec, *kernel, *call);
    else if (const op_exec_reduce *const reduce = kernel->signature->reduce)
      std::memcpy(call->reduce_result, call->reduce_start, reduce->record_bytes);
    if (done) *done = nullptr; // ordered with all that follows
  });
}

// Every loop compares the constants it reads with what it sent last.
op_status const_set(op_exec *, const char *, op_type_id, int32_t, int32_t, const void *) { return OP_OK; }

// Results are there when loop_run returns.
op_status reduce_wait(op_exec *, op_exec_kernel *) { return OP_OK; }

} // namespace op2::exec_cuda
