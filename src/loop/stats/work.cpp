#include "loop/stats/work.hpp"

#include <algorithm>
#include <numeric>

namespace op2::core {

void SetWork::add_piece(int begin, int end, double seconds) {
  if (revision_ != set_.revision || sample_.size() != static_cast<std::size_t>(set_.size)) {
    sample_.assign(static_cast<std::size_t>(set_.size), 0);
    revision_ = set_.revision;
  }
  const double each = seconds / (end - begin);
  for (int row = begin; row < std::min(end, set_.size); ++row) sample_[static_cast<std::size_t>(row)] += each;
}

std::vector<double> SetWork::of_rows() const {
  const std::size_t rows = static_cast<std::size_t>(set_.size);
  const bool sampled = revision_ == set_.revision && sample_.size() == rows;
  const double sum = sampled ? std::accumulate(sample_.begin(), sample_.end(), 0.0) : 0;
  const double each = (sum > 0 ? alike_ : seconds()) / static_cast<double>(std::max<std::size_t>(rows, 1));
  std::vector<double> out(rows, each);
  for (std::size_t row = 0; sum > 0 && row < rows; ++row) out[row] += sample_[row] * (in_pieces_ / sum);
  return out;
}

void SetWork::begin_anew() {
  alike_ = in_pieces_ = 0;
  for (double &seconds : sample_) seconds /= 2;
}

SetWork &WorkTimes::of(const Set &set) {
  for (SetWork &work : sets_)
    if (&work.set() == &set) return work;
  return sets_.emplace_back(set);
}

double WorkTimes::seconds() const {
  double sum = 0;
  for (const SetWork &work : sets_) sum += work.seconds();
  return sum;
}

void WorkTimes::begin_anew() {
  for (SetWork &work : sets_) work.begin_anew();
}

} // namespace op2::core
