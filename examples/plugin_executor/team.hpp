// team.hpp: threads that sleep between two pieces of work. Nothing in it knows of libop2.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

// run(work) calls work() once on each thread, the caller's among them.
class Team {
 public:
  // The delegated constructor makes the object whole, so that a failure here ends the workers made so far.
  explicit Team(int threads) : Team() {
    for (int t = 1; t < threads; ++t) workers_.emplace_back([this] { serve(); });
  }
  ~Team() {
    tell(nullptr);
    for (std::thread &worker : workers_) worker.join();
  }
  int threads() const { return static_cast<int>(workers_.size()) + 1; }
  void run(const std::function<void()> &work) {
    tell(&work);
    work();
    std::unique_lock<std::mutex> lock(mutex_);
    done_.wait(lock, [this] { return busy_ == 0; });
  }

 private:
  Team() = default;
  void tell(const std::function<void()> *work) {
    const std::lock_guard<std::mutex> lock(mutex_);
    work_ = work;
    busy_ = workers_.size();
    ++round_;
    start_.notify_all();
  }
  void serve() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (unsigned seen = 0;;) {
      start_.wait(lock, [&] { return round_ != seen; });
      seen = round_;
      if (!work_) return;
      const std::function<void()> &work = *work_;
      lock.unlock();
      work();
      lock.lock();
      if (--busy_ == 0) done_.notify_one();
    }
  }
  std::mutex mutex_;
  std::condition_variable start_, done_;
  const std::function<void()> *work_ = nullptr; // NULL: go home
  std::size_t busy_ = 0;
  unsigned round_ = 0;
  std::vector<std::thread> workers_;
};

// SPDX-License-Identifier: MIT
