#include <algorithm>
#include <cstring>

#include "plugins/exec_common/host.hpp"
#include "plugins/exec_common/in_order.hpp"
#include "threads.hpp"

namespace op2::exec_threads {

void FirstFailure::record() noexcept {
  const std::lock_guard lock(mutex_);
  if (happened()) return;
  happened_.store(true, std::memory_order_relaxed);
  story_ = exec_common::kernel_failure();
}

void FirstFailure::without_memory() noexcept {
  const std::lock_guard lock(mutex_);
  if (happened()) return;
  happened_.store(true, std::memory_order_relaxed);
  without_memory_ = true;
}

op_status FirstFailure::status(const op_exec *exec) const {
  if (without_memory_) return exec->host->fail(exec->host, OP_ERR_MEMORY, "no memory for the rows of a thread");
  return happened() ? exec->host->fail(exec->host, OP_ERR_KERNEL, story_.c_str()) : OP_OK;
}

ThreadArgs::ThreadArgs(const Run &run)
    : ctx_{sizeof(op_range_ctx), args_, run.nargs(), 0, run.kernel->element, nullptr} {
  const size_t nargs = static_cast<size_t>(run.nargs());
  std::memcpy(args_, run.call->args, sizeof args_[0] * nargs);
  if (!run.kernel->signature->layouts) return;
  std::memcpy(layouts_, run.kernel->signature->layouts, sizeof layouts_[0] * nargs);
  ctx_.layouts = layouts_;
}

void ThreadArgs::use_rows(const Run &run, int i) { layouts_[i] = {run.arg(i).type_size, OP_LAYOUT_AOS}; }

op_range_layout layout_of(const op_exec_signature &signature, int i) {
  return signature.layouts ? signature.layouts[i] : op_range_layout{signature.args[i].type_size, OP_LAYOUT_AOS};
}

RowPlace place_of(const Run &run, int i) {
  const op_range_arg &arg = run.call->args[i];
  return {arg.base, arg.stride, layout_of(*run.kernel->signature, i), run.arg(i).dim, run.arg(i).type_size};
}

void RowPlace::copy(std::int64_t row, char *contiguous_row, bool back) const {
  const size_t bytes = static_cast<size_t>(value_bytes);
  for (int c = 0; c < values; ++c) {
    char *const mine = contiguous_row + bytes * static_cast<size_t>(c), *const its = at(row) + c * layout.step;
    std::memcpy(back ? its : mine, back ? mine : its, bytes);
  }
}

void ThreadArgs::reduce_into(const Run &run, char *record) {
  exec_common::point_into(*run.kernel->signature->reduce, record, args_);
}

void ThreadArgs::run(const Run &run, int begin, int end) {
  if (begin >= end || run.failure->happened()) return;
  try {
    if (run.call->progress && is_caller(run.exec))
      run_and_let_move(run, begin, end);
    else
      run.kernel->range(&ctx_, begin, end);
  } catch (...) {
    run.failure->record();
  }
}

// The thread that called takes its share in pieces, which may be longer than what it runs at a time. Loops that reduce
// get their bits from whole blocks, which stay whole.
void ThreadArgs::run_and_let_move(const Run &run, int begin, int end) {
  const op_exec_call &call = *run.call;
  const std::int64_t piece = exec_common::piece_of(call, run.exec->threads);
  const auto run_piece = [&](int from, int to) {
    run.kernel->range(&ctx_, from, to);
    if ((since_moved_ += to - from) < piece) return;
    call.progress(call.progress_context);
    since_moved_ = 0;
  };
  if (run.kernel->signature->reduce)
    run_piece(begin, end);
  else
    exec_common::in_pieces(begin, end, piece, run_piece);
}

Share share_of(std::int64_t count, int thread, int threads) {
  return {count * thread / threads, count * (thread + 1) / threads};
}

namespace {

// No collisions, nothing reduced: pieces, with borders at multiples of 16 elements against false sharing.
void run_pieces(const Run &run) {
  constexpr int grain = 16;
  const int begin = run.call->begin, end = run.call->end;
  const bool alone = run.in_order() || end - begin < worth_waking;
  const int pieces = alone ? 1 : run.pieces(end - begin);
  share(run.exec, alone ? 1 : run.team(), pieces, [&](int piece, int) {
    const Share grains = share_of((static_cast<std::int64_t>(end) - begin + grain - 1) / grain, piece, pieces);
    ThreadArgs args(run);
    args.run(run, begin + static_cast<int>(grains.first) * grain,
             static_cast<int>(std::min<std::int64_t>(begin + grains.last * grain, end)));
  });
}

// Colour after colour; the blocks of one colour are shared out in consecutive runs.
void run_blocks(const Run &run, const Records &records) {
  const op_exec_plan &plan = *run.call->plan;
  const bool alone = run.in_order() || plan.nblocks == 1 || plan.end - plan.begin < worth_waking;
  const bool record_per_piece = records.any() && !records.per_block();
  for (int colour = 0; colour < plan.ncolours; ++colour) {
    const int first = plan.colour_offset[colour], count = plan.colour_offset[colour + 1] - first;
    const int wanted = record_per_piece ? run.exec->threads : run.pieces(plan.end - plan.begin);
    const int pieces = alone ? 1 : std::min(wanted, std::max(count, 1));
    share(run.exec, alone ? 1 : run.team(), pieces, [&](int piece, int) {
      ThreadArgs args(run);
      const Share blocks = share_of(count, piece, pieces);
      for (std::int64_t i = blocks.first; i < blocks.last; ++i) {
        const int block = plan.order[first + static_cast<int>(i)];
        if (records.any()) args.reduce_into(run, records.of(block, piece));
        args.run(run, plan.block_offset[block], plan.block_offset[block + 1]);
      }
    });
  }
}

// Too much to reduce for a record per block, and colours would mix up the order of the elements in a thread's record:
// one thread takes all blocks in order.
void run_in_order(const Run &run, const Records &records) {
  const op_exec_plan &plan = *run.call->plan;
  ThreadArgs args(run);
  args.reduce_into(run, records.of(0, 0));
  for (int block = 0; block < plan.nblocks; ++block)
    args.run(run, plan.block_offset[block], plan.block_offset[block + 1]);
}

op_status run_loop(op_exec *exec, op_exec_kernel *kernel, const op_exec_call *call) {
  FirstFailure failure;
  const Run run{exec, kernel, call, &failure, &kernel->owner};
  const op_exec_plan &plan = *call->plan;
  try {
    if (plan.kind == OP_PLAN_NONE) {
      run_pieces(run);
    } else {
      const Records records(run, plan.nblocks, std::max(exec->threads, plan.nparts));
      const bool any_order = exec->reproducible || !records.any() || records.per_block();
      if (!any_order && (plan.ncolours > 1 || plan.nparts > 0))
        run_in_order(run, records);
      else if (plan.nparts > 0)
        run_owner(run, records);
      else
        run_blocks(run, records);
      records.combine();
    }
  } catch (const std::bad_alloc &) {
    return exec->host->fail(exec->host, OP_ERR_MEMORY, "no memory for partial results");
  } catch (...) { // a reduction of the program's own
    failure.record();
  }
  return failure.status(exec);
}

} // namespace

op_status loop_run(op_exec *exec, op_exec_kernel *kernel, const op_exec_call *call) {
  const int elements = call->end - call->begin;
  if (exec->threads == 1) return run_loop(exec, kernel, call);
  const bool compared = kernel->team.timed(elements), alone = elements < worth_waking || kernel->team.alone();
  if (!compared && alone) return run_loop(exec, kernel, call);
  const double start = exec->host->now();
  const op_status status = run_loop(exec, kernel, call);
  const double seconds = exec->host->now() - start;
  if (compared) kernel->team.note(seconds);
  if (alone) return status;
  kernel->seconds = seconds;
  kernel->elements = elements;
  exec->shared_seconds += seconds;
  return status;
}

int Run::pieces(int elements) const {
  if (!exec->steals || kernel->elements == 0) return exec->threads;
  constexpr double piece_seconds = 1e-4; // of a piece: long beside the time to take it, short beside the loop
  constexpr double most = 64;            // of each thread
  const double all = kernel->seconds * exec->threads * elements / kernel->elements;
  return exec->threads * static_cast<int>(std::clamp(all / exec->threads / piece_seconds, 1.0, most));
}

op_status thread_seconds(op_exec *exec, double *busy, double *shared) {
  for (const Busy &thread : exec->busy) *busy++ = thread.seconds;
  *shared = exec->shared_seconds;
  return OP_OK;
}

} // namespace op2::exec_threads
// SPDX-License-Identifier: MIT
