// Threads that share out pieces of work: each takes the next one when it is done with its last.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace op2::core::tracer {

class ThreadPool {
 public:
  explicit ThreadPool(int threads); // the caller's is one of them
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  int threads() const { return static_cast<int>(others_.size()) + 1; }
  // Calls work(item, thread) for all items 0 ... count - 1 and returns when all are done; thread: 0 ... threads() - 1.
  // Throws what work threw first; items that nobody has begun by then are left out.
  using Work = std::function<void(std::size_t item, int thread)>;
  void share(std::size_t count, const Work &work);

 private:
  void live(int thread);
  void work_on(int thread);

  std::mutex mutex_;
  std::condition_variable begun_, ended_;
  const Work *work_ = nullptr;
  std::size_t next_ = 0, count_ = 0;
  int round_ = 0, busy_ = 0;
  bool over_ = false;
  std::exception_ptr thrown_;
  std::vector<std::thread> others_;
};

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
