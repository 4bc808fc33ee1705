#include "tracer/draw/termination.hpp"

#include <utility>

namespace op2::core::tracer {

namespace {

enum { report, stop }; // kinds

// The parent of r is (r - 1) / 2, its children are 2 r + 1 and 2 r + 2. What a process sends up are its own particles
// and those of the processes below that it has not sent up before.
class Tree : public Termination {
 public:
  Tree(int rank, int size, std::int64_t all, Tell tell) : rank_(rank), size_(size), all_(all), tell_(std::move(tell)) {}

  void finished(std::int64_t count) override { open_ += count; }
  void told(int, int kind, std::int64_t value) override {
    if (kind == report)
      open_ += value;
    else
      end();
  }
  void pass_on() override {
    if (over_) return;
    if (rank_ == 0) {
      if (open_ == all_) end();
    } else if (open_ > 0) {
      tell_((rank_ - 1) / 2, report, std::exchange(open_, 0));
    }
  }
  bool over() const override { return over_; }

 private:
  void end() {
    over_ = true;
    for (int child = 2 * rank_ + 1; child <= 2 * rank_ + 2 && child < size_; ++child) tell_(child, stop, 0);
  }
  int rank_, size_;
  std::int64_t all_, open_ = 0; // not passed on; of the root: all that it knows of
  Tell tell_;
  bool over_ = false;
};

class Broadcast : public Termination {
 public:
  Broadcast(int rank, int size, std::int64_t all, Tell tell)
      : rank_(rank), size_(size), all_(all), tell_(std::move(tell)) {}

  void finished(std::int64_t count) override {
    known_ += count;
    open_ += count;
  }
  void told(int, int, std::int64_t value) override { known_ += value; }
  void pass_on() override {
    if (open_ == 0) return;
    for (int rank = 0; rank < size_; ++rank)
      if (rank != rank_) tell_(rank, report, open_);
    open_ = 0;
  }
  bool over() const override { return open_ == 0 && known_ == all_; }

 private:
  int rank_, size_;
  std::int64_t all_, known_ = 0, open_ = 0;
  Tell tell_;
};

} // namespace

std::unique_ptr<Termination> make_termination(Ending ending, int rank, int size, std::int64_t all, Tell tell) {
  if (ending == Ending::broadcast) return std::make_unique<Broadcast>(rank, size, all, std::move(tell));
  return std::make_unique<Tree>(rank, size, all, std::move(tell));
}

} // namespace op2::core::tracer
