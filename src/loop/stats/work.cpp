#include "loop/stats/work.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace op2::core {

void LoopWork::begin_sample() {
  before_ = fits(last_) ? std::exchange(last_, {}) : std::vector<float>();
  last_.assign(static_cast<std::size_t>(set_.size), 0);
  revision_ = set_.revision;
}

void LoopWork::add_piece(int begin, int end, double seconds) {
  if (!fits(last_)) return;
  for (int row = begin; row < std::min(end, set_.size); ++row)
    last_[static_cast<std::size_t>(row)] += static_cast<float>(seconds / (end - begin));
}

std::vector<double> LoopWork::of_rows() const {
  const std::size_t rows = static_cast<std::size_t>(set_.size);
  std::vector<double> out(rows, 1);
  if (fits(last_)) std::ranges::copy(last_, out.begin());
  if (fits(last_) && fits(before_))
    std::ranges::transform(last_, before_, out.begin(), [](float a, float b) { return std::min(a, b); });
  const double sum = std::accumulate(out.begin(), out.end(), 0.0);
  for (double &row : out) row = sum > 0 ? row * (seconds_ / sum) : seconds_ / static_cast<double>(rows);
  return out;
}

LoopWork &WorkTimes::of(const Set &set, const std::string &loop) {
  for (LoopWork &work : loops_)
    if (&work.set() == &set && work.loop() == loop) return work;
  return loops_.emplace_back(set, loop);
}

double WorkTimes::seconds() const {
  double sum = 0;
  for (const LoopWork &work : loops_) sum += work.seconds();
  return sum;
}

void WorkTimes::begin_anew() {
  for (LoopWork &work : loops_) work.begin_anew();
}

} // namespace op2::core
// SPDX-License-Identifier: MIT
