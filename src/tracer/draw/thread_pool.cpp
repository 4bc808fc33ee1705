#include "tracer/draw/thread_pool.hpp"

#include <utility>

namespace op2::core::tracer {

ThreadPool::ThreadPool(int threads) {
  for (int thread = 1; thread < threads; ++thread) others_.emplace_back([this, thread] { live(thread); });
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  begun_.notify_all();
  for (std::thread &thread : others_) thread.join();
}

void ThreadPool::live(int thread) {
  for (int seen = 0;;) {
    {
      std::unique_lock lock(mutex_);
      begun_.wait(lock, [&] { return over_ || round_ != seen; });
      if (over_) return;
      seen = round_;
    }
    work_on(thread);
    const std::lock_guard lock(mutex_);
    if (--busy_ == 0) ended_.notify_one();
  }
}

// One item at a time: a line takes long compared with the lock.
void ThreadPool::work_on(int thread) {
  for (;;) {
    std::size_t item = 0;
    {
      const std::lock_guard lock(mutex_);
      if (next_ >= count_) return;
      item = next_++;
    }
    try {
      (*work_)(item, thread);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!thrown_) thrown_ = std::current_exception();
      next_ = count_;
    }
  }
}

void ThreadPool::share(std::size_t count, const Work &work) {
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    next_ = 0;
    count_ = count;
    if (count > 1) { // else nobody else is needed
      busy_ = static_cast<int>(others_.size());
      ++round_;
    }
  }
  if (count > 1) begun_.notify_all();
  work_on(0);
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [this] { return busy_ == 0; });
  work_ = nullptr;
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
