// Work that one thread of its own does in order, the memory of what waits for it, and what went wrong there. Its
// functions are for one other thread.
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
    std::int64_t number; // of the work
    op_status code;
    std::string message;
  };

  // most_bytes: what all buffers together may have.
  explicit WorkQueue(std::size_t most_bytes) : most_bytes_(most_bytes) {}
  ~WorkQueue(); // when all is done
  WorkQueue(const WorkQueue &) = delete;
  WorkQueue &operator=(const WorkQueue &) = delete;

  // Memory for a piece of work, used before where there is such: pages of new memory cost more than a copy. Waits while
  // the others leave no room; what is larger than all may have waits until there are none.
  Buffer borrow(std::size_t bytes);
  void give_back(Buffer buffer);

  // The thread; add() does it otherwise. Throws OP_ERR_MEMORY when there is none to be had.
  void start();
  // Numbers ascend. `work` gets its buffer and may throw; `title` begins the message of that. The buffer is given back
  // in any case.
  using Work = std::function<void(const Buffer &buffer)>;
  void add(std::int64_t number, std::string title, Buffer buffer, Work work);
  // Until all work up to this number is done.
  void wait_for(std::int64_t number);
  // The highest number among failures; 0: none. And those up to a number, which are forgotten here.
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
  std::int64_t running_ = 0; // number of the work that is being done
  bool ending_ = false;
  std::size_t lent_ = 0, kept_ = 0; // bytes
  std::vector<Buffer> free_;
  std::vector<Failure> failures_;
  std::thread thread_;
};

} // namespace op2::core
