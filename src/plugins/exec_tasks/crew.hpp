// The crew of executor "tasks": threads of oneTBB in an arena of their own.
#pragma once

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <atomic>
#include <memory>
#include <thread>

#include "plugins/exec_common/threads/threads.hpp"

namespace op2::exec_threads {

struct Crew {
  tbb::global_control most; // threads of oneTBB in this process
  tbb::task_arena arena;
  std::thread::id caller; // of on_threads(), as long as threads work for it

  explicit Crew(int threads);
};

// What threads share while they work for one loop or chain.
struct SharedRun {
  // Says once more what oneTBB sees to, that all was written before others begin: a sanitizer does not see into oneTBB.
  std::atomic<bool> begun{false};
};

// Calls run->work(thread) on this thread and on others as they come, each with a number of its own, and then
// run->wait(), which returns when nothing is under way any more. Others may begin later and find nothing to do: on a
// core that they share with other programs they may have to wait for that. Run: a SharedRun.
template <class Run>
void on_threads(Crew &crew, int threads, const std::shared_ptr<Run> &run) {
  crew.caller = std::this_thread::get_id();
  run->begun.store(true, std::memory_order_release);
  crew.arena.execute([&] {
    for (int t = 1; t < threads; ++t)
      crew.arena.enqueue([run] {
        if (run->begun.load(std::memory_order_acquire)) run->work(tbb::this_task_arena::current_thread_index());
      });
    run->work(tbb::this_task_arena::current_thread_index());
  });
  run->wait();
  crew.caller = std::thread::id();
}

// Waits for other threads; other programs may need this core.
inline void pause(int looks) {
  constexpr int patience = 2000;
  if (looks > patience) std::this_thread::yield();
}

} // namespace op2::exec_threads
// SPDX-License-Identifier: MIT
