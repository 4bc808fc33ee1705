#include "tracer/draw/termination.hpp"

#include <array>
#include <optional>
#include <utility>
#include <vector>

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
    if (kind == report) {
      open_ += value;
      elsewhere_ += value;
    } else {
      end();
    }
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
  std::int64_t elsewhere() const override { return elsewhere_; }

 private:
  void end() {
    over_ = true;
    for (int child = 2 * rank_ + 1; child <= 2 * rank_ + 2 && child < size_; ++child) tell_(child, stop, 0);
  }
  int rank_, size_;
  std::int64_t all_, open_ = 0; // not passed on; of the root: all that it knows of
  std::int64_t elsewhere_ = 0;  // of those below
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
  void told(int, int, std::int64_t value) override {
    known_ += value;
    elsewhere_ += value;
  }
  void pass_on() override {
    if (open_ == 0) return;
    for (int rank = 0; rank < size_; ++rank)
      if (rank != rank_) tell_(rank, report, open_);
    open_ = 0;
  }
  bool over() const override { return open_ == 0 && known_ == all_; }
  std::int64_t elsewhere() const override { return elsewhere_; }

 private:
  int rank_, size_;
  std::int64_t all_, known_ = 0, open_ = 0, elsewhere_ = 0;
  Tell tell_;
};

// Sums of all processes in rounds, by recursive doubling (R. Thakur, R. Rabenseifner, W. Gropp, Int. J. High
// Performance Computing Applications 19 (2005) 49): in step i a process and the one whose number differs in bit i add
// up what they have. Processes beyond the largest power of two give their number to another one before, and get the sum
// from it. A process joins a round when it passes on; until then messages of others wait. Another process may be one
// round ahead, but no more, so messages say whether their round is odd.
class Reduction : public Termination {
 public:
  Reduction(int rank, int size, std::int64_t all, Tell tell)
      : rank_(rank), size_(size), all_(all), tell_(std::move(tell)) {
    while (2 * doubling_ <= size) {
      doubling_ *= 2;
      ++steps_;
    }
    for (auto &round : come_) round.resize(static_cast<std::size_t>(steps_) + 2);
  }

  void finished(std::int64_t count) override { finished_ += count; }
  void told(int, int kind, std::int64_t value) override {
    come_[static_cast<std::size_t>(kind % 2)][static_cast<std::size_t>(kind / 2)] = value;
    if (joined_) go_on();
  }
  void pass_on() override {
    if (joined_ || over_) return;
    joined_ = true;
    sum_ = own_ = finished_;
    next_ = 0;
    if (is_beyond()) tell(rank_ - doubling_, enter());
    go_on();
  }
  bool over() const override { return over_; }
  std::int64_t elsewhere() const override { return elsewhere_; }

 private:
  // Messages of a round: before the first step, in each step, and after the last.
  static constexpr int enter() { return 0; }
  int leave() const { return steps_ + 1; }
  bool is_beyond() const { return rank_ >= doubling_; }
  bool has_beyond() const { return rank_ + doubling_ < size_; }
  void tell(int rank, int what) { tell_(rank, 2 * what + odd_, sum_); }
  std::optional<std::int64_t> take(int what) {
    return std::exchange(come_[static_cast<std::size_t>(odd_)][static_cast<std::size_t>(what)], std::nullopt);
  }

  // As far as messages that have come allow.
  void go_on() {
    if (is_beyond()) {
      const std::optional<std::int64_t> sum = take(leave());
      if (!sum) return;
      sum_ = *sum;
      return end_round();
    }
    if (next_ == 0) {
      if (has_beyond()) {
        const std::optional<std::int64_t> more = take(enter());
        if (!more) return;
        sum_ += *more;
      }
      begin_step(1);
    }
    while (next_ <= steps_) {
      const std::optional<std::int64_t> other = take(next_);
      if (!other) return;
      sum_ += *other;
      begin_step(next_ + 1);
    }
    if (has_beyond()) tell(rank_ + doubling_, leave());
    end_round();
  }
  void begin_step(int step) {
    next_ = step;
    if (step <= steps_) tell(rank_ ^ (1 << (step - 1)), step);
  }
  void end_round() {
    over_ = sum_ == all_;
    elsewhere_ = sum_ - own_;
    joined_ = false;
    odd_ = 1 - odd_;
  }

  int rank_, size_;
  std::int64_t all_, finished_ = 0, sum_ = 0;
  std::int64_t own_ = 0, elsewhere_ = 0; // of the sum of this round; of that of the last
  Tell tell_;
  int doubling_ = 1, steps_ = 0; // the largest power of two of processes, and its exponent
  int odd_ = 0;                  // the number of the round, modulo 2
  int next_ = 0;                 // the step whose message is waited for; 0: before the first
  bool joined_ = false, over_ = false;
  std::array<std::vector<std::optional<std::int64_t>>, 2> come_; // of even and odd rounds, by message
};

} // namespace

std::unique_ptr<Termination> make_termination(Ending ending, int rank, int size, std::int64_t all, Tell tell) {
  if (ending == Ending::broadcast) return std::make_unique<Broadcast>(rank, size, all, std::move(tell));
  if (ending == Ending::reduction) return std::make_unique<Reduction>(rank, size, all, std::move(tell));
  return std::make_unique<Tree>(rank, size, all, std::move(tell));
}

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
