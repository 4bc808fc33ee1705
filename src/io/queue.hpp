// Work that a second thread does in order, the buffers of waiting work, and its errors. One thread, the caller, calls
// the functions.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "op2/types.h"

namespace op2::core {

class WorkQueue {
 public:
  struct Buffer {
    std::unique_ptr<char[]> data;
    std::size_t bytes = 0;
  };
  struct Failure {
    std::int64_t number; // of the work that failed
    op_status code;
    std::string message;
  };

  // most_bytes: the limit for all buffers together.
  explicit WorkQueue(std::size_t most_bytes) : most_bytes_(most_bytes) {}
  ~WorkQueue(); // waits for all work
  WorkQueue(const WorkQueue &) = delete;
  WorkQueue &operator=(const WorkQueue &) = delete;

  // A buffer for a piece of work, a used one if possible: pages of new memory cost more than a copy. Waits while lent
  // buffers leave too little of most_bytes; a larger request waits until no buffer is lent.
  Buffer borrow(std::size_t bytes);
  void give_back(Buffer buffer);

  // Starts the thread, as add() does if needed. Throws OP_ERR_MEMORY if the system has no thread.
  void start();
  bool has_thread() const noexcept { return thread_.joinable(); } // takes no lock
  // Numbers ascend. `work` receives its buffer and may throw; `title` begins the message of the failure. The buffer is
  // given back in any case.
  using Work = std::function<void(const Buffer &buffer)>;
  void add(std::int64_t number, std::string title, Buffer buffer, Work work);
  // Waits until all work up to this number is done.
  void wait_for(std::int64_t number);
  // The highest number of a failure; 0: none. take_failures() removes the failures up to a number.
  std::int64_t last_failure();
  std::vector<Failure> take_failures(std::int64_t number);

 private:
  struct Item {
    std::int64_t number = 0;
    std::string title;
    Buffer buffer;
    Work work;
  };
  void run();
  bool reuse(std::size_t bytes, std::size_t most, Buffer &out);
  void make_room(std::size_t bytes);

  const std::size_t most_bytes_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> items_;
  std::int64_t running_ = 0; // number of the work in progress
  bool ending_ = false;
  std::size_t lent_ = 0, kept_ = 0; // bytes
  std::vector<Buffer> free_;
  std::vector<Failure> failures_;
  std::thread thread_;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
