#include "loop/trial/trial_noise.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace op2::core {

namespace {

constexpr double times = 16; // the order of terms changes, directed modes do not change all roundings

template <class T>
void widen(std::vector<double> &spread, const char *result, const char *other, std::size_t bytes) {
  spread.resize(bytes / sizeof(T));
  for (std::size_t i = 0; i < spread.size(); ++i) {
    T a, b;
    std::memcpy(&a, result + i * sizeof a, sizeof a);
    std::memcpy(&b, other + i * sizeof b, sizeof b);
    const double apart = std::abs(static_cast<double>(a) - static_cast<double>(b));
    if (std::isfinite(apart)) spread[i] = std::max(spread[i], apart);
  }
}

} // namespace

void TrialNoise::gather(const ElementType &type, const char *result, const char *other, std::size_t bytes) {
  if (type.id == OP_TYPE_DOUBLE) widen<double>(spread_, result, other, bytes);
  if (type.id == OP_TYPE_FLOAT) widen<float>(spread_, result, other, bytes);
}

void TrialNoise::settle() {
  medians_.assign(dim_, 0);
  for (std::size_t c = 0; c < dim_; ++c) {
    std::vector<double> all;
    for (std::size_t i = c; i < spread_.size(); i += dim_) all.push_back(spread_[i]);
    if (all.empty()) continue;
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    std::nth_element(all.begin(), middle, all.end());
    medians_[c] = *middle;
  }
}

double TrialNoise::of(std::size_t at) const {
  return at < spread_.size() ? times * std::max(spread_[at], medians_[at % dim_]) : 0;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
