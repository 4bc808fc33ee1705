#include "chain_work.hpp"

#include <algorithm>
#include <cstring>

#include "staging.hpp"

namespace op2::exec_threads {

ChainWork::ChainWork(op_exec *exec, op_exec_chain *chain, const op_exec_call *calls, double *times)
    : exec_(exec),
      chain_(*chain),
      plan_(chain->plan),
      times_(times),
      failures_(new FirstFailure[static_cast<size_t>(plan_.nloops)]) {
  for (int32_t l = 0; l < plan_.nloops; ++l) {
    const auto at = static_cast<size_t>(l);
    runs_.push_back({exec, plan_.kernels[l], calls + l, &failures_[at], &chain->owner[at]});
    make_records(l);
  }
}

op_status ChainWork::finish(int32_t *failed) {
  for (int32_t l = 0; l < plan_.nloops; ++l) {
    if (!failures_[static_cast<size_t>(l)].happened()) continue;
    *failed = l;
    return failures_[static_cast<size_t>(l)].status(exec_);
  }
  for (int32_t l = 0; l < plan_.nloops; ++l) try {
      combine(l);
    } catch (...) { // a reduction of the program's own
      *failed = l;
      failures_[static_cast<size_t>(l)].record();
      return failures_[static_cast<size_t>(l)].status(exec_);
    }
  return OP_OK;
}

char *ChainWork::record_of(int32_t l, int32_t block) const {
  return at_cache_line(chain_.records[static_cast<size_t>(l)]) +
         reduce_of(l)->record_bytes * static_cast<size_t>(block);
}

void ChainWork::make_records(int32_t l) {
  const op_exec_reduce *const reduce = reduce_of(l);
  if (!reduce) return;
  std::vector<char> &memory = chain_.records[static_cast<size_t>(l)];
  memory.resize(reduce->record_bytes * static_cast<size_t>(plan_.plans[l]->nblocks) + 64);
  for (int32_t b = 0; b < plan_.plans[l]->nblocks; ++b)
    std::memcpy(record_of(l, b), runs_.back().call->reduce_start, reduce->record_bytes);
}

void ChainWork::combine(int32_t l) const {
  const op_exec_reduce *const reduce = reduce_of(l);
  if (!reduce) return;
  const op_exec_call &call = *runs_[static_cast<size_t>(l)].call;
  std::memcpy(call.reduce_result, call.reduce_start, reduce->record_bytes);
  for (int32_t b = 0; b < plan_.plans[l]->nblocks; ++b) reduce->combine(reduce, call.reduce_result, record_of(l, b));
}

void ChainWork::run_step(int32_t number, int thread) {
  const double begin = exec_->host->now();
  run_segments(plan_.steps[number], thread);
  const double end = exec_->host->now();
  exec_->busy[static_cast<size_t>(thread)].seconds += end - begin;
  if (times_) times_[2 * number] = begin, times_[2 * number + 1] = end;
}

void ChainWork::run_segments(const op_exec_chain_step &step, int thread) {
  const Run &run = runs_[static_cast<size_t>(step.loop)];
  ThreadArgs args(run);
  std::unique_ptr<Staging> staging;
  try {
    for (int32_t s = step.first; s < step.last && !run.failure->happened(); ++s) {
      const op_exec_segment &segment = plan_.plans[step.loop]->segments[s];
      const bool dropped = segment.block < 0 && reduce_of(step.loop);
      if (!staging && (segment.staged != -1 || dropped)) staging = std::make_unique<Staging>(run, scratch_of(thread));
      char *record = nullptr; // of another list, if this one does not run the whole block
      if (segment.block >= 0 && reduce_of(step.loop)) record = record_of(step.loop, segment.block);
      if (dropped) record = staging->dropped_record();
      if (segment.staged != -1) {
        staging->run(segment, record);
        continue;
      }
      if (record) args.reduce_into(run, record);
      args.run(run, segment.begin, segment.end);
    }
  } catch (...) { // no memory for the scratch rows
    run.failure->without_memory();
  }
  if (run.failure->happened()) failed_.store(true, std::memory_order_relaxed);
}

char *ChainWork::scratch_of(int thread) const {
  std::vector<char> &memory = chain_.scratch[static_cast<size_t>(thread)];
  if (memory.size() < chain_.scratch_bytes + 64) memory.resize(chain_.scratch_bytes + 64);
  return at_cache_line(memory);
}

op_status chain_create(op_exec *exec, const op_exec_chain_plan *plan, op_exec_chain **chain) {
  try {
    auto made = std::make_unique<op_exec_chain_s>();
    made->plan = *plan;
    for (int32_t l = 0; l < plan->nloops; ++l) {
      const op_exec_plan &of_loop = *plan->plans[l];
      const bool staged = of_loop.ngroups > 0;
      made->owner.push_back(staged ? owner_layout(*plan->kernels[l]->signature, of_loop) : OwnerLayout());
      made->scratch_bytes = std::max(made->scratch_bytes, made->owner.back().bytes);
      if (const op_exec_reduce *const reduce = plan->kernels[l]->signature->reduce) // also where nothing is staged
        made->scratch_bytes = std::max(made->scratch_bytes, reduce->record_bytes);
    }
    made->scratch.resize(static_cast<size_t>(exec->threads));
    made->records.resize(static_cast<size_t>(plan->nloops));
    *chain = made.release();
    return OP_OK;
  } catch (const std::bad_alloc &) {
    return exec->host->fail(exec->host, OP_ERR_MEMORY, "no memory for a chain");
  }
}

void chain_free(op_exec *, op_exec_chain *chain) { delete chain; }

} // namespace op2::exec_threads
// SPDX-License-Identifier: MIT
