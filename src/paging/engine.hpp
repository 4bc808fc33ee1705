// Engines that perform requests beside the computation: io_uring, and threads that read and write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>

#include "paging/system_calls.hpp"

namespace op2::core::paging {

struct Array;

// One range of a file, from or to memory.
struct Request {
  bool write = false;
  char *memory = nullptr;
  std::size_t bytes = 0;
  std::int64_t offset = 0;
  Array *array = nullptr; // and its chunks
  std::int64_t first = 0, last = 0;
  Progress progress;
  int error = 0; // as transfer() returns it
  std::list<Request>::iterator self;
  Request *next = nullptr; // in a queue
};

// Requests in order. It needs no memory, so whoever has announced a request can also start it.
class RequestQueue {
 public:
  bool empty() const { return !first_; }
  void append(Request &request) {
    request.next = nullptr;
    (first_ ? last_->next : first_) = &request;
    last_ = &request;
  }
  void append(const RequestQueue &others) {
    if (others.empty()) return;
    (first_ ? last_->next : first_) = others.first_;
    last_ = others.last_;
  }
  Request &take_first() {
    Request &request = *first_;
    first_ = request.next;
    return request;
  }

 private:
  Request *first_ = nullptr, *last_ = nullptr;
};

class Engine {
 public:
  virtual ~Engine() = default; // all requests have been completed
  // The requests live until they have been completed.
  virtual void start(const RequestQueue &requests) = 0;
};

// Called in a thread of the engine, which no signal disturbs.
using Completed = std::function<void(Request &)>;

inline constexpr int engine_threads = 4;
std::unique_ptr<Engine> thread_engine(int file, Completed completed);

// Whether the library has it, and the kernel allows it to this process.
bool uring_works();
// Throws OP_ERR_UNSUPPORTED where uring_works() is false.
std::unique_ptr<Engine> uring_engine(int file, Completed completed);

} // namespace op2::core::paging

// SPDX-License-Identifier: MIT
