// Several loops at once, as a graph of tasks: each list of the plan is a task, which is ready when the lists that it
// waits for have done the steps that it needs. A thread runs the task that became ready last, whose rows are still in
// its cache; a thread that has none takes the task that has been ready longest with another thread, so that what the
// two touch is far apart. Where messages are on their way, the thread that called looks for them between its tasks.
#include <oneapi/tbb/spin_mutex.h>

#include <time.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <memory>
#include <thread>

#include "crew.hpp"
#include "plugins/exec_common/threads/chain_work.hpp"

namespace op2::exec_threads {

namespace {

// Who waits for whom, and in the last run, who ran what.
struct TaskGraph {
  explicit TaskGraph(const op_exec_chain_plan &plan);
  struct alignas(64) Ready {
    tbb::spin_mutex mutex;
    std::deque<int32_t> tasks;
    int32_t take(bool newest) {
      const tbb::spin_mutex::scoped_lock lock(mutex);
      if (tasks.empty()) return -1;
      const int32_t out = newest ? tasks.back() : tasks.front();
      newest ? tasks.pop_back() : tasks.pop_front();
      return out;
    }
    void add(int32_t task) {
      const tbb::spin_mutex::scoped_lock lock(mutex);
      tasks.push_back(task);
    }
  };

  // Of each task: who waits for it, until it has done so many steps, which ascend.
  struct Follower {
    int32_t steps, task;
  };
  std::vector<int32_t> first_follower;
  std::vector<Follower> followers;
  std::unique_ptr<std::atomic<int32_t>[]> unmet; // of each task: tasks that it still waits for
  std::vector<int32_t> thread;                   // that ran it
  // Where the next thread goes on: steps done, and followers released.
  struct Place {
    int32_t steps, released;
  };
  std::vector<Place> place;
};

TaskGraph::TaskGraph(const op_exec_chain_plan &plan)
    : first_follower(static_cast<size_t>(plan.nlists) + 1),
      unmet(new std::atomic<int32_t>[static_cast<size_t>(plan.nlists)]),
      thread(static_cast<size_t>(plan.nlists)),
      place(static_cast<size_t>(plan.nlists)) {
  const auto each_wait = [&](const auto &body) {
    for (int32_t task = 0; task < plan.nlists; ++task)
      for (int32_t w = plan.lists[task].first_wait; w < plan.lists[task].last_wait; ++w)
        body(static_cast<size_t>(plan.waits[w].list), Follower{plan.waits[w].steps, task});
  };
  each_wait([&](size_t earlier, Follower) { ++first_follower[earlier + 1]; });
  for (size_t t = 1; t < first_follower.size(); ++t) first_follower[t] += first_follower[t - 1];
  followers.resize(static_cast<size_t>(first_follower.back()));
  std::vector<int32_t> next(first_follower.begin(), first_follower.end() - 1);
  each_wait([&](size_t earlier, Follower follower) { followers[static_cast<size_t>(next[earlier]++)] = follower; });
  for (size_t t = 0; t + 1 < first_follower.size(); ++t)
    std::stable_sort(followers.begin() + first_follower[t], followers.begin() + first_follower[t + 1],
                     [](Follower a, Follower b) { return a.steps < b.steps; });
}

// Whether this thread has had its core for a part of the time only, as other programs run there.
class SharedCore {
 public:
  explicit SharedCore(bool wanted) {
    if (wanted) wall_ = seconds(CLOCK_MONOTONIC), own_ = seconds(CLOCK_THREAD_CPUTIME_ID);
  }
  bool shared() const {
    constexpr double usual = 1.25; // wall time relative to the thread's own
    return seconds(CLOCK_MONOTONIC) - wall_ > usual * (seconds(CLOCK_THREAD_CPUTIME_ID) - own_);
  }

 private:
  static double seconds(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }
  double wall_ = 0, own_ = 0;
};

class TaskRun : public SharedRun {
 public:
  TaskRun(const op_exec &exec, ChainWork &work, TaskGraph &graph)
      : threads_(exec.threads),
        count_(work.plan().nlists),
        work_(work),
        plan_(work.plan()),
        graph_(graph),
        ready_(new TaskGraph::Ready[static_cast<size_t>(exec.threads)]) {
    for (int32_t task = 0; task < plan_.nlists; ++task) {
      const auto at = static_cast<size_t>(task);
      graph_.unmet[at].store(waits_of(task), std::memory_order_relaxed);
      graph_.place[at] = {0, graph_.first_follower[at]};
    }
    for (int32_t task = plan_.nlists; task-- > (awaits_ ? 1 : 0);) // so that the first is taken first
      if (waits_of(task) == 0) ready_of(task).tasks.push_back(task);
  }

  void work(int me) {
    int looks = 0;
    bool awaits = awaits_ && std::this_thread::get_id() == caller_;
    while (!over()) {
      if (awaits) awaits = !arrived();
      const int32_t task = next_task(me);
      if (task >= 0) {
        if (looks > 0) idle_.fetch_sub(1, std::memory_order_relaxed);
        looks = 0;
        ++running_;
        if (!stopped_) run(task, me);
        --running_;
      } else {
        if (looks == 0) idle_.fetch_add(1, std::memory_order_relaxed);
        pause(++looks);
      }
    }
  }
  // Until no thread runs a task any more, nor will one.
  void wait() {
    stopped_ = true;
    for (int looks = 0; running_ > 0; ++looks) pause(looks);
  }
  bool lost() const { return lost_; }

 private:
  TaskGraph::Ready &ready_of(int32_t task) { return ready_[static_cast<size_t>(plan_.lists[task].thread % threads_)]; }
  // Whether nothing more is to be waited for. Then the tasks that needed the messages go to the threads that are
  // wanted.
  bool arrived() {
    const int32_t state = plan_.await(plan_.await_context);
    if (state == 0) return false;
    if (state < 0) {
      lost_ = stopped_ = true;
      return true;
    }
    for (int32_t f = graph_.first_follower[1]; f-- > 0;)
      if (const int32_t task = graph_.followers[static_cast<size_t>(f)].task; meet(task)) ready_of(task).add(task);
    done_.fetch_add(1, std::memory_order_release);
    return true;
  }
  int32_t waits_of(int32_t task) const { return plan_.lists[task].last_wait - plan_.lists[task].first_wait; }
  int32_t next_task(int me) {
    for (int k = 0; k < threads_; ++k)
      if (const int32_t task = ready_[static_cast<size_t>((me + k) % threads_)].take(k == 0); task >= 0) return task;
    return -1;
  }
  void run(int32_t task, int me) {
    const op_exec_chain_list &list = plan_.lists[task];
    const auto at = static_cast<size_t>(task);
    auto &[steps, released] = graph_.place[at];
    graph_.thread[at] = me;
    const SharedCore core(list.last_step - list.first_step - steps > 1);
    while (list.first_step + steps < list.last_step && !work_.failed()) {
      work_.run_step(list.first_step + steps, me);
      ++steps;
      released = release(released, graph_.first_follower[at + 1], steps, me);
      if (list.first_step + steps < list.last_step && idle_.load(std::memory_order_relaxed) > 0 && core.shared()) {
        ready_[static_cast<size_t>(me)].add(task); // whoever has a core of his own goes on
        std::this_thread::yield();
        return;
      }
    }
    if (work_.failed()) stopped_ = true;
    done_.fetch_add(1, std::memory_order_release);
  }
  // Those that wait for so many steps of a task; returns the first that waits for more.
  int32_t release(int32_t next, int32_t end, int32_t steps, int me) {
    for (; next < end; ++next) {
      const auto [needed, task] = graph_.followers[static_cast<size_t>(next)];
      if (needed > steps) break;
      if (meet(task)) ready_[static_cast<size_t>(me)].add(task);
    }
    return next;
  }
  // One that it waits for; whether that was the last.
  bool meet(int32_t task) {
    return graph_.unmet[static_cast<size_t>(task)].fetch_sub(1, std::memory_order_acq_rel) == 1;
  }
  bool over() const { return stopped_ || done_.load(std::memory_order_acquire) == count_; }

  const int threads_;
  const int32_t count_; // of tasks
  ChainWork &work_;
  const op_exec_chain_plan &plan_;
  TaskGraph &graph_;
  const bool awaits_ = plan_.await != nullptr; // messages; the first list stands for them
  const std::thread::id caller_ = std::this_thread::get_id();
  std::unique_ptr<TaskGraph::Ready[]> ready_; // by thread
  alignas(64) std::atomic<int32_t> done_{0};
  std::atomic<int32_t> running_{0};
  std::atomic<bool> stopped_{false};         // after a failure, or at the end
  bool lost_ = false;                        // messages do not come; for the thread that called
  alignas(64) std::atomic<int32_t> idle_{0}; // threads that have found nothing to do
};

TaskGraph &graph_of(op_exec_chain &chain) {
  if (!chain.own) chain.own = std::make_shared<TaskGraph>(chain.plan);
  return *static_cast<TaskGraph *>(chain.own.get());
}

} // namespace

op_status chain_run(op_exec *exec, op_exec_chain *chain, const op_exec_call *calls, double *times, int32_t *failed) {
  try {
    ChainWork work(exec, chain, calls, times);
    const auto run = std::make_shared<TaskRun>(*exec, work, graph_of(*chain));
    if (exec->threads == 1)
      run->work(0);
    else
      on_threads(*exec->crew, exec->threads, run);
    if (run->lost()) {
      *failed = 0;
      return exec->host->fail(exec->host, OP_ERR_STATE, "messages that a chain waits for do not come");
    }
    return work.finish(failed);
  } catch (const std::bad_alloc &) {
    *failed = 0;
    return exec->host->fail(exec->host, OP_ERR_MEMORY, "no memory for a chain");
  }
}

op_status chain_threads(op_exec *, const op_exec_chain *chain, int32_t *thread) {
  const auto *const graph = static_cast<const TaskGraph *>(chain->own.get());
  for (int32_t list = 0; list < chain->plan.nlists; ++list)
    thread[list] = graph ? graph->thread[static_cast<size_t>(list)] : chain->plan.lists[list].thread;
  return OP_OK;
}

} // namespace op2::exec_threads
// SPDX-License-Identifier: MIT
