#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "paging/engine.hpp"
#include "paging/quiet_thread.hpp"

namespace op2::core::paging {

namespace {

class ThreadEngine final : public Engine {
 public:
  ThreadEngine(int file, Completed completed) : file_(file), completed_(std::move(completed)) {
    for (int i = 0; i < engine_threads; ++i) threads_.push_back(quiet_thread([this] { work(); }));
  }
  ~ThreadEngine() override {
    {
      const std::lock_guard hold(mutex_);
      over_ = true;
    }
    more_.notify_all();
    for (std::thread &thread : threads_) thread.join();
  }

  void start(const RequestQueue &requests) override {
    {
      const std::lock_guard hold(mutex_);
      waiting_.append(requests);
    }
    more_.notify_all();
  }

 private:
  void work() {
    std::unique_lock hold(mutex_);
    for (;;) {
      more_.wait(hold, [this] { return over_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      Request &request = waiting_.take_first();
      hold.unlock();
      request.error = transfer(file_, request.write, request.memory, request.bytes, request.offset);
      completed_(request);
      hold.lock();
    }
  }

  int file_;
  Completed completed_;
  std::mutex mutex_;
  std::condition_variable more_;
  RequestQueue waiting_;
  bool over_ = false;
  std::vector<std::thread> threads_;
};

} // namespace

std::unique_ptr<Engine> thread_engine(int file, Completed completed) {
  return std::make_unique<ThreadEngine>(file, std::move(completed));
}

} // namespace op2::core::paging

// SPDX-License-Identifier: MIT
