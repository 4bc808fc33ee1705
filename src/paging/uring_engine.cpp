#include <utility>

#include "base/error.hpp"
#include "paging/engine.hpp"

#ifdef OP2_HAVE_URING
#include <liburing.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <thread>

#include "paging/quiet_thread.hpp"
#endif

namespace op2::core::paging {

#ifdef OP2_HAVE_URING

namespace {

constexpr unsigned depth = 64; // requests that the kernel has at a time

// One thread has the ring; others give it requests, and wake it through a file that the ring reads.
class UringEngine final : public Engine {
 public:
  UringEngine(int file, Completed completed) : file_(file), completed_(std::move(completed)) {
    if (const int error = io_uring_queue_init(2 * depth, &ring_, 0); error != 0)
      fail(OP_ERR_UNSUPPORTED, "io_uring: ", std::strerror(-error));
    wake_ = eventfd(0, EFD_CLOEXEC);
    try {
      if (wake_ < 0) fail(OP_ERR_UNSUPPORTED, "eventfd: ", std::strerror(errno));
      thread_ = quiet_thread([this] { work(); });
    } catch (...) {
      end();
      throw;
    }
  }
  ~UringEngine() override {
    {
      const std::lock_guard hold(mutex_);
      over_ = true;
    }
    wake();
    thread_.join();
    end();
  }

  void start(const RequestQueue &requests) override {
    {
      const std::lock_guard hold(mutex_);
      waiting_.append(requests);
    }
    wake();
  }

 private:
  void end() {
    io_uring_queue_exit(&ring_);
    if (wake_ >= 0) close(wake_);
  }

  void wake() {
    const std::uint64_t one = 1;
    while (write(wake_, &one, sizeof one) < 0 && errno == EINTR) {
    }
  }

  void work() {
    listen();
    for (;;) {
      if (!take_waiting()) return;
      submit();
      io_uring_cqe *entry = nullptr;
      if (io_uring_wait_cqe(&ring_, &entry) != 0) continue; // interrupted
      auto *const request = static_cast<Request *>(io_uring_cqe_get_data(entry));
      const int result = entry->res;
      io_uring_cqe_seen(&ring_, entry);
      if (request)
        finish(*request, result);
      else
        listen();
    }
  }

  // False: it is over.
  bool take_waiting() {
    const std::lock_guard hold(mutex_);
    for (; !waiting_.empty() && under_way_ < depth; ++under_way_) prepare(waiting_.take_first());
    return !over_ || under_way_ > 0;
  }

  void submit() {
    // The kernel has no memory for them now: later, when something is completed, or soon.
    while (io_uring_submit(&ring_) < 0 && under_way_ > 0 && io_uring_cq_ready(&ring_) == 0) std::this_thread::yield();
  }

  // The queue has room for all requests that are under way, and for this one.
  void listen() {
    io_uring_sqe *const entry = io_uring_get_sqe(&ring_);
    io_uring_prep_read(entry, wake_, &rung_, sizeof rung_, 0);
    io_uring_sqe_set_data(entry, nullptr);
  }

  void prepare(Request &request) {
    const std::size_t done = request.progress.done;
    char *const at = request.memory + done;
    const auto bytes = static_cast<unsigned>(std::min<std::size_t>(request.bytes - done, 1U << 30));
    const auto offset = static_cast<std::uint64_t>(request.offset) + done;
    io_uring_sqe *const entry = io_uring_get_sqe(&ring_);
    if (request.write)
      io_uring_prep_write(entry, file_, at, bytes, offset);
    else
      io_uring_prep_read(entry, file_, at, bytes, offset);
    io_uring_sqe_set_data(entry, &request);
  }

  void finish(Request &request, int result) {
    request.error = request.progress.count(request.write, system_calls().completed(request.write, result));
    if (request.error == 0 && request.progress.done < request.bytes) return prepare(request);
    --under_way_;
    completed_(request);
  }

  int file_, wake_ = -1;
  Completed completed_;
  io_uring ring_{};
  std::uint64_t rung_ = 0;
  unsigned under_way_ = 0;
  std::mutex mutex_;
  RequestQueue waiting_;
  bool over_ = false;
  std::thread thread_;
};

} // namespace

bool uring_works() {
  io_uring ring{};
  if (io_uring_queue_init(1, &ring, 0) != 0) return false;
  const bool reads = (ring.features & IORING_FEAT_RW_CUR_POS) != 0; // came with io_uring_prep_read()
  io_uring_queue_exit(&ring);
  return reads;
}

std::unique_ptr<Engine> uring_engine(int file, Completed completed) {
  return std::make_unique<UringEngine>(file, std::move(completed));
}

#else

bool uring_works() { return false; }

std::unique_ptr<Engine> uring_engine(int, Completed) {
  fail(OP_ERR_UNSUPPORTED, "this libop2 was built without io_uring (package liburing-dev)");
}

#endif

} // namespace op2::core::paging

// SPDX-License-Identifier: MIT
