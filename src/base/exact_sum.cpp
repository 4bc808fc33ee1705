#include "base/exact_sum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace op2::core {

void ExactSum::add_special(double value) {
  special_ |= std::isnan(value) ? nan : value > 0 ? plus_infinity : minus_infinity;
}

void ExactSum::carry() {
  for (std::size_t i = 0; i + 1 < limbs; ++i) {
    const std::int64_t over = limbs_[i] >> 32; // rounds down, so what stays is not negative
    limbs_[i] -= over * (std::int64_t{1} << 32);
    limbs_[i + 1] += over;
  }
  additions_ = 1;
}

void ExactSum::add(const ExactSum &other) {
  if (additions_ + other.additions_ >= most_additions) {
    ExactSum small = other;
    small.carry();
    carry();
    for (std::size_t i = 0; i < limbs; ++i) limbs_[i] += small.limbs_[i];
    additions_ += small.additions_;
  } else {
    for (std::size_t i = 0; i < limbs; ++i) limbs_[i] += other.limbs_[i];
    additions_ += other.additions_;
  }
  special_ |= other.special_;
}

template <class T>
T ExactSum::rounded() const {
  using Limits = std::numeric_limits<T>;
  constexpr int lowest_exponent = -1074; // of bit 0
  if (special_ != 0) {
    if (special_ == plus_infinity) return Limits::infinity();
    if (special_ == minus_infinity) return -Limits::infinity();
    return Limits::quiet_NaN();
  }
  ExactSum sum = *this;
  sum.carry();
  const bool negative = sum.limbs_[limbs - 1] < 0;
  if (negative) {
    for (std::int64_t &limb : sum.limbs_) limb = -limb;
    sum.carry();
  }
  constexpr int last_limb = static_cast<int>(limbs) - 1; // which is longer than the others
  const auto bit = [&](int i) {
    const int limb = std::min(i / 32, last_limb);
    return (sum.limbs_[limb] >> (i - 32 * limb) & 1) != 0;
  };
  int highest = 32 * last_limb + 62;
  while (highest >= 0 && !bit(highest)) --highest;
  if (highest < 0) return 0;
  const int smallest = Limits::min_exponent - Limits::digits - lowest_exponent; // bit of the smallest number
  const int last = std::max(highest - (Limits::digits - 1), smallest);          // the last bit that is kept
  std::uint64_t mantissa = 0;
  for (int i = highest; i >= last; --i) mantissa = mantissa << 1 | (bit(i) ? 1u : 0u);
  if (last > 0 && bit(last - 1)) {
    bool more = (mantissa & 1) != 0; // a tie goes to the even one
    for (int i = last - 2; i >= 0 && !more; --i) more = bit(i);
    if (more) ++mantissa;
  }
  const T size = std::ldexp(static_cast<T>(mantissa), last + lowest_exponent);
  return negative ? -size : size;
}

double ExactSum::as_double() const { return rounded<double>(); }
float ExactSum::as_float() const { return rounded<float>(); }

} // namespace op2::core

// SPDX-License-Identifier: MIT
