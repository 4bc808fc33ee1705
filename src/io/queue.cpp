#include "io/queue.hpp"

#include <algorithm>
#include <csignal>
#include <exception>
#include <limits>
#include <new>
#include <system_error>
#include <utility>

#include "base/error.hpp"

namespace op2::core {

namespace {

// Signals are for the program's own threads.
class NoSignals {
 public:
  NoSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~NoSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  NoSignals(const NoSignals &) = delete;
  NoSignals &operator=(const NoSignals &) = delete;

 private:
  sigset_t before_;
};

// What work() throws. No memory is needed for the words about that.
WorkQueue::Failure failure_of(std::int64_t number, const std::string &title, const std::function<void()> &work) {
  try {
    try {
      work();
      return {number, OP_OK, ""};
    } catch (const Error &error) {
      return {number, error.code, text(title, ": ", error.what())};
    } catch (const std::bad_alloc &) {
      return {number, OP_ERR_MEMORY, text(title, ": out of memory")};
    } catch (const std::exception &error) {
      return {number, OP_ERR_INTERNAL, text(title, ": unexpected: ", error.what())};
    }
  } catch (const std::bad_alloc &) {
    return {number, OP_ERR_MEMORY, "out of memory"};
  }
}

} // namespace

WorkQueue::~WorkQueue() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

// The smallest one that is large enough, and not larger than `most`.
bool WorkQueue::reuse(std::size_t bytes, std::size_t most, Buffer &out) {
  auto best = free_.end();
  for (auto each = free_.begin(); each != free_.end(); ++each)
    if (each->bytes >= bytes && each->bytes <= most && (best == free_.end() || each->bytes < best->bytes)) best = each;
  if (best == free_.end()) return false;
  out = std::move(*best);
  free_.erase(best);
  kept_ -= out.bytes;
  return true;
}

void WorkQueue::make_room(std::size_t bytes) {
  while (!free_.empty() && lent_ + kept_ + bytes > most_bytes_) {
    kept_ -= free_.back().bytes;
    free_.pop_back();
  }
}

WorkQueue::Buffer WorkQueue::borrow(std::size_t bytes) {
  std::unique_lock lock(mutex_);
  Buffer out;
  for (;;) {
    const bool room = lent_ + kept_ + bytes <= most_bytes_;
    if (reuse(bytes, room ? 2 * bytes : std::numeric_limits<std::size_t>::max(), out)) break;
    if (room) break;
    if (lent_ == 0 || lent_ + bytes <= most_bytes_) {
      make_room(bytes);
      break;
    }
    changed_.wait(lock);
  }
  if (!out.data) {
    out.data = std::make_unique_for_overwrite<char[]>(std::max<std::size_t>(bytes, 1));
    out.bytes = bytes;
  }
  lent_ += out.bytes;
  return out;
}

void WorkQueue::give_back(Buffer buffer) {
  if (!buffer.data) return;
  {
    const std::lock_guard lock(mutex_);
    lent_ -= buffer.bytes;
    if (lent_ + kept_ + buffer.bytes <= most_bytes_) {
      kept_ += buffer.bytes;
      free_.push_back(std::move(buffer));
    }
  }
  changed_.notify_all();
}

void WorkQueue::start() {
  if (thread_.joinable()) return;
  const NoSignals inherited;
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error &error) {
    fail(OP_ERR_MEMORY, "no thread can be had for files: ", error.what());
  }
}

void WorkQueue::add(std::int64_t number, std::string title, Buffer buffer, Work work) {
  try {
    start();
    const std::lock_guard lock(mutex_);
    failures_.reserve(failures_.size() + items_.size() + 2); // of those that wait, of the one at work, and of this one
    items_.push_back({number, std::move(title), {}, std::move(work)});
    items_.back().buffer = std::move(buffer);
  } catch (...) {
    give_back(std::move(buffer));
    throw;
  }
  changed_.notify_all();
}

void WorkQueue::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return ending_ || !items_.empty(); });
    if (items_.empty()) return;
    Item item = std::move(items_.front());
    items_.pop_front();
    running_ = item.number;
    lock.unlock();
    Failure failure = failure_of(item.number, item.title, [&item] { item.work(item.buffer); });
    item.work = nullptr;
    give_back(std::move(item.buffer));
    lock.lock();
    running_ = 0;
    if (failure.code != OP_OK) failures_.push_back(std::move(failure));
    changed_.notify_all();
  }
}

void WorkQueue::wait_for(std::int64_t number) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this, number] {
    const bool runs = running_ != 0 && running_ <= number, waits = !items_.empty() && items_.front().number <= number;
    return !runs && !waits;
  });
}

std::int64_t WorkQueue::last_failure() {
  const std::lock_guard lock(mutex_);
  return failures_.empty() ? 0 : failures_.back().number;
}

std::vector<WorkQueue::Failure> WorkQueue::take_failures(std::int64_t number) {
  const std::lock_guard lock(mutex_);
  const auto end =
      std::find_if(failures_.begin(), failures_.end(), [number](const Failure &each) { return each.number > number; });
  std::vector<Failure> out(std::make_move_iterator(failures_.begin()), std::make_move_iterator(end));
  failures_.erase(failures_.begin(), end);
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
