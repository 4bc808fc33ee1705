// Several loops at once: each thread runs its lists of steps, and waits only for lists whose rows it takes over.
#include <omp.h>

#include <atomic>
#include <memory>

#include "plugins/exec_common/threads/chain_work.hpp"

namespace op2::exec_threads {

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

class ListRun {
 public:
  explicit ListRun(ChainWork &work)
      : work_(work), plan_(work.plan()), progress_(new Progress[static_cast<size_t>(plan_.nlists)]) {}

  // Thread `thread` of `threads`, of whom there may be fewer than wanted.
  void run_lists(int thread, int threads) {
    for (int32_t list = 0; list < plan_.nlists; ++list)
      if (plan_.lists[list].thread % threads == thread) run_list(list, thread);
  }

 private:
  void run_list(int32_t number, int thread) {
    const op_exec_chain_list &list = plan_.lists[number];
    for (int32_t w = list.first_wait; w < list.last_wait; ++w)
      progress_[static_cast<size_t>(plan_.waits[w].list)].await(plan_.waits[w].steps);
    for (int32_t s = list.first_step; s < list.last_step && !work_.failed(); ++s) {
      work_.run_step(s, thread);
      if (work_.failed()) return stop();
      progress_[static_cast<size_t>(number)].advance(s + 1 - list.first_step);
    }
  }
  void stop() {
    for (int32_t list = 0; list < plan_.nlists; ++list) progress_[static_cast<size_t>(list)].advance(Progress::ended);
  }

  ChainWork &work_;
  const op_exec_chain_plan &plan_;
  std::unique_ptr<Progress[]> progress_; // of each list
};

} // namespace

op_status chain_run(op_exec *exec, op_exec_chain *chain, const op_exec_call *calls, double *times, int32_t *failed) {
  try {
    ChainWork work(exec, chain, calls, times);
    ListRun run(work);
#pragma omp parallel num_threads(exec->threads)
    run.run_lists(omp_get_thread_num(), omp_get_num_threads());
    return work.finish(failed);
  } catch (const std::bad_alloc &) {
    *failed = 0;
    return exec->host->fail(exec->host, OP_ERR_MEMORY, "no memory for a chain");
  }
}

op_status chain_threads(op_exec *, const op_exec_chain *chain, int32_t *thread) {
  for (int32_t list = 0; list < chain->plan.nlists; ++list) thread[list] = chain->plan.lists[list].thread;
  return OP_OK;
}

} // namespace op2::exec_threads
// SPDX-License-Identifier: MIT
