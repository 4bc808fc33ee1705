#include "crew.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace op2::exec_threads {

namespace {

// The items of a loop that nobody has taken.
class Items : public SharedRun {
 public:
  Items(const op_exec &exec, int threads, int items, ItemBody body)
      : exec_(exec), body_(body), left_(items), threads_(threads), of_thread_(new Range[static_cast<size_t>(threads)]) {
    for (int t = 0; t < threads; ++t) of_thread_[static_cast<size_t>(t)].set(share_of(items, t, threads));
  }

  void work(int me) {
    for (int k = 0; k < threads_; ++k) {
      Range &from = of_thread_[static_cast<size_t>((me + k) % threads_)];
      for (int item = from.take(k == 0); item >= 0; item = from.take(k == 0)) run(item, me);
    }
  }
  void wait() const {
    for (int looks = 0; left_.load(std::memory_order_acquire) > 0; ++looks) pause(looks);
  }

 private:
  // A thread takes its items from the front, others take them from the back.
  struct alignas(64) Range {
    std::atomic<std::uint64_t> range{0}; // first, and last above it
    static std::uint64_t of(std::uint32_t first, std::uint32_t last) { return first | std::uint64_t{last} << 32; }
    void set(Share share) {
      range.store(of(static_cast<std::uint32_t>(share.first), static_cast<std::uint32_t>(share.last)));
    }
    int take(bool front) { // -1: there are none
      std::uint64_t now = range.load(std::memory_order_relaxed);
      for (;;) {
        const auto first = static_cast<std::uint32_t>(now), last = static_cast<std::uint32_t>(now >> 32);
        if (first == last) return -1;
        const std::uint64_t left = front ? of(first + 1, last) : of(first, last - 1);
        if (range.compare_exchange_weak(now, left, std::memory_order_relaxed))
          return static_cast<int>(front ? first : last - 1);
      }
    }
  };
  void run(int item, int me) {
    const double begin = exec_.host->now();
    body_(item, me);
    exec_.busy[static_cast<size_t>(me)].seconds += exec_.host->now() - begin;
    left_.fetch_sub(1, std::memory_order_release);
  }

  const op_exec &exec_;
  const ItemBody body_; // there as long as items are left
  std::atomic<int> left_;
  const int threads_;
  std::unique_ptr<Range[]> of_thread_;
};

} // namespace

Crew::Crew(int threads)
    : most(tbb::global_control::max_allowed_parallelism,
           std::max(static_cast<size_t>(threads),
                    tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism))),
      arena(threads) {}

void FreeCrew::operator()(Crew *crew) const { delete crew; }

bool is_caller(const op_exec *exec) {
  const std::thread::id caller = exec->crew->caller;
  return caller == std::thread::id() || caller == std::this_thread::get_id();
}

void share_items(op_exec *exec, int threads, int items, ItemBody body) {
  on_threads(*exec->crew, threads, std::make_shared<Items>(*exec, threads, items, body));
}

} // namespace op2::exec_threads
// SPDX-License-Identifier: MIT
