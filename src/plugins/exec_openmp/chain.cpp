// Several loops at once: each thread runs its lists of steps, and waits only for lists whose rows it takes over.
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>

#include "staging.hpp"

struct op_exec_chain_s {
  op_exec_chain_plan plan;
  std::vector<op2::exec_openmp::OwnerLayout> owner; // of each loop
  size_t scratch_bytes = 0;                         // of a thread
  std::vector<std::vector<char>> scratch;           // by thread
  std::vector<std::vector<char>> records;           // of each loop, a record for each block
};

namespace op2::exec_openmp {

namespace {

// How far a list has come. A line of memory for each: its thread writes it after each step.
struct alignas(64) Progress {
  std::atomic<int32_t> steps{0};
  // After a failure nobody waits any more, and nothing is run.
  static constexpr int32_t ended = INT32_MAX;

  void advance(int32_t to) {
    int32_t was = steps.load(std::memory_order_relaxed);
    while (was < to && !steps.compare_exchange_weak(was, to, std::memory_order_release, std::memory_order_relaxed)) {
    }
    steps.notify_all();
  }
  void await(int32_t wanted) {
    constexpr int patience = 2000; // looks before the thread sleeps
    for (int looks = 0;; ++looks) {
      const int32_t now = steps.load(std::memory_order_acquire);
      if (now >= wanted) return;
      if (looks > patience) steps.wait(now, std::memory_order_acquire);
    }
  }
};

class ChainRun {
 public:
  ChainRun(op_exec *exec, op_exec_chain *chain, const op_exec_call *calls, double *times)
      : exec_(exec),
        chain_(*chain),
        plan_(chain->plan),
        times_(times),
        failures_(new FirstFailure[static_cast<size_t>(plan_.nloops)]),
        progress_(new Progress[static_cast<size_t>(plan_.nlists)]) {
    for (int32_t l = 0; l < plan_.nloops; ++l) {
      const auto at = static_cast<size_t>(l);
      runs_.push_back({exec, plan_.kernels[l], calls + l, &failures_[at], &chain->owner[at]});
      make_records(l);
    }
  }

  // Thread `thread` of `threads`, of whom there may be fewer than wanted.
  void run_lists(int thread, int threads) {
    for (int32_t list = 0; list < plan_.nlists; ++list)
      if (plan_.lists[list].thread % threads == thread) run_list(list, thread);
  }

  op_status finish(int32_t *failed) {
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

 private:
  const op_exec_reduce *reduce_of(int32_t l) const { return plan_.kernels[l]->signature->reduce; }
  char *record_of(int32_t l, int32_t block) const {
    return at_cache_line(chain_.records[static_cast<size_t>(l)]) +
           reduce_of(l)->record_bytes * static_cast<size_t>(block);
  }
  void make_records(int32_t l) {
    const op_exec_reduce *const reduce = reduce_of(l);
    if (!reduce) return;
    std::vector<char> &memory = chain_.records[static_cast<size_t>(l)];
    memory.resize(reduce->record_bytes * static_cast<size_t>(plan_.plans[l]->nblocks) + 64);
    for (int32_t b = 0; b < plan_.plans[l]->nblocks; ++b)
      std::memcpy(record_of(l, b), runs_.back().call->reduce_start, reduce->record_bytes);
  }
  void combine(int32_t l) const {
    const op_exec_reduce *const reduce = reduce_of(l);
    if (!reduce) return;
    const op_exec_call &call = *runs_[static_cast<size_t>(l)].call;
    std::memcpy(call.reduce_result, call.reduce_start, reduce->record_bytes);
    for (int32_t b = 0; b < plan_.plans[l]->nblocks; ++b) reduce->combine(reduce, call.reduce_result, record_of(l, b));
  }

  void run_list(int32_t number, int thread) {
    const op_exec_chain_list &list = plan_.lists[number];
    for (int32_t w = list.first_wait; w < list.last_wait; ++w)
      progress_[static_cast<size_t>(plan_.waits[w].list)].await(plan_.waits[w].steps);
    for (int32_t s = list.first_step; s < list.last_step && !stopped(); ++s) {
      if (times_) times_[2 * s] = exec_->host->now();
      run_step(plan_.steps[s], thread);
      if (times_) times_[2 * s + 1] = exec_->host->now();
      progress_[static_cast<size_t>(number)].advance(s + 1 - list.first_step);
    }
  }

  void run_step(const op_exec_chain_step &step, int thread) {
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
    if (run.failure->happened()) stop();
  }
  char *scratch_of(int thread) const {
    std::vector<char> &memory = chain_.scratch[static_cast<size_t>(thread)];
    if (memory.size() < chain_.scratch_bytes + 64) memory.resize(chain_.scratch_bytes + 64);
    return at_cache_line(memory);
  }

  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }
  void stop() {
    stopped_.store(true, std::memory_order_relaxed);
    for (int32_t list = 0; list < plan_.nlists; ++list) progress_[static_cast<size_t>(list)].advance(Progress::ended);
  }

  op_exec *exec_;
  op_exec_chain &chain_;
  const op_exec_chain_plan &plan_;
  double *times_;
  std::vector<Run> runs_; // of each loop
  std::unique_ptr<FirstFailure[]> failures_;
  std::unique_ptr<Progress[]> progress_; // of each list
  std::atomic<bool> stopped_{false};
};

} // namespace

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

op_status chain_run(op_exec *exec, op_exec_chain *chain, const op_exec_call *calls, double *times, int32_t *failed) {
  try {
    ChainRun run(exec, chain, calls, times);
#pragma omp parallel num_threads(exec->threads)
    run.run_lists(omp_get_thread_num(), omp_get_num_threads());
    return run.finish(failed);
  } catch (const std::bad_alloc &) {
    *failed = 0;
    return exec->host->fail(exec->host, OP_ERR_MEMORY, "no memory for a chain");
  }
}

} // namespace op2::exec_openmp

// SPDX-License-Identifier: MIT
