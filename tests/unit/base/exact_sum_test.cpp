// exact_sum_test.cpp: sums without rounding, beside plain binary arithmetic on thousands of digits.
#include "base/exact_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace op2::core {
namespace {

// A number in two's complement, bit by bit; bit 0 weighs 2^-1080.
class Binary {
 public:
  Binary() : bits_(2400) {}
  void add(double value, int sign = 1) {
    int exponent = 0;
    const double mantissa = std::frexp(std::abs(value), &exponent);
    auto digits = static_cast<std::uint64_t>(std::ldexp(mantissa, 53));
    Binary term;
    for (int i = exponent - 53 + 1080; digits != 0; ++i, digits >>= 1)
      if ((digits & 1) != 0) term.bits_.at(static_cast<std::size_t>(i)) = 1;
    if ((value < 0) != (sign < 0)) term.negate();
    add(term);
  }
  void add(const Binary &other) {
    int carry = 0;
    for (std::size_t i = 0; i < bits_.size(); ++i) {
      const int digit = bits_[i] + other.bits_[i] + carry;
      bits_[i] = digit & 1;
      carry = digit >> 1;
    }
  }
  void negate() {
    for (int &bit : bits_) bit = 1 - bit;
    Binary one;
    one.bits_[0] = 1;
    add(one);
  }
  bool negative() const { return bits_.back() == 1; }
  Binary size() const {
    Binary out = *this;
    if (negative()) out.negate();
    return out;
  }
  friend bool operator<(const Binary &a, const Binary &b) {
    Binary difference = b;
    difference.negate();
    difference.add(a);
    return difference.negative();
  }

 private:
  std::vector<int> bits_;
};

// Is `rounded` the number of its type that is nearest to the sum, and of two equally near ones the even one?
template <class T>
testing::AssertionResult nearest(const std::vector<double> &terms, T rounded) {
  const auto distance = [&](double from) {
    Binary sum;
    for (const double term : terms) sum.add(term);
    sum.add(from, -1);
    return sum.size();
  };
  const Binary mine = distance(rounded);
  for (const T towards : {-std::numeric_limits<T>::infinity(), std::numeric_limits<T>::infinity()}) {
    const T other = std::nextafter(rounded, towards);
    if (std::isinf(other)) continue;
    const Binary its = distance(other);
    if (its < mine) return testing::AssertionFailure() << other << " is nearer than " << rounded;
    int exponent = 0;
    const bool even = std::fmod(std::ldexp(std::frexp(rounded, &exponent), std::numeric_limits<T>::digits), T{2}) == 0;
    if (!(mine < its) && !even && std::abs(rounded) > std::numeric_limits<T>::min())
      return testing::AssertionFailure() << rounded << " is as near as " << other << " and odd";
  }
  return testing::AssertionSuccess();
}

ExactSum sum_of(const std::vector<double> &terms) {
  ExactSum sum;
  for (const double term : terms) sum.add(term);
  return sum;
}

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

double any_number(std::mt19937_64 &random) {
  for (;;) {
    const double value = std::bit_cast<double>(static_cast<std::uint64_t>(random()));
    if (std::isfinite(value)) return value;
  }
}

TEST(ExactSum, OfNothingIsZero) {
  EXPECT_EQ(bits(0.0), bits(ExactSum().as_double()));
  EXPECT_EQ(bits(0.0), bits(sum_of({-0.0, -0.0}).as_double()));
}

TEST(ExactSum, OfOneNumberIsThatNumber) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const double value = any_number(random);
    ASSERT_EQ(value, sum_of({value}).as_double());
    ASSERT_EQ(static_cast<float>(value), sum_of({value}).as_float()) << value;
  }
  for (const double value : {std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::min(),
                             std::numeric_limits<double>::max(), -3 * std::numeric_limits<double>::denorm_min()})
    EXPECT_EQ(value, sum_of({value}).as_double());
}

TEST(ExactSum, LosesNothingWhenLargeNumbersCancel) {
  EXPECT_EQ(3e-300, sum_of({1e300, 3e-300, -1e300}).as_double());
  EXPECT_EQ(-5e-324, sum_of({1e308, 1e308, 1e308, -5e-324, -1e308, -1e308, -1e308}).as_double());
  EXPECT_EQ(0, sum_of({0.1, 0.2, 0.3, -0.3, -0.2, -0.1}).as_double());
}

TEST(ExactSum, IsRoundedOnce) {
  const double half = 0x1p-53;
  EXPECT_EQ(1, sum_of({1, half}).as_double()); // to the even one
  EXPECT_EQ(1 + 4 * half, sum_of({1 + 2 * half, half}).as_double());
  EXPECT_EQ(1 + 2 * half, sum_of({1, half, 1e-300}).as_double()); // just above the middle
  EXPECT_EQ(1, sum_of({1, half, -1e-300}).as_double());
  EXPECT_EQ(-1, sum_of({-1, -half, 1e-300}).as_double());
  EXPECT_EQ(1 + 0x1p-23f, sum_of({1, 0x1p-24, 0x1p-60}).as_float()); // double in between would give 1
  EXPECT_EQ(0x1p-149f, sum_of({0x1p-150, 0x1p-400}).as_float());
  EXPECT_EQ(0, sum_of({0x1p-150}).as_float());
}

TEST(ExactSum, OverflowsOnlyAtTheEnd) {
  const double most = std::numeric_limits<double>::max();
  EXPECT_EQ(most, sum_of({most, most, most, -most, -most}).as_double());
  EXPECT_EQ(std::numeric_limits<double>::infinity(), sum_of({most, most}).as_double());
  EXPECT_EQ(most, sum_of({most, 0x1p969}).as_double());
  EXPECT_EQ(std::numeric_limits<double>::infinity(), sum_of({most, 0x1p970}).as_double());
  EXPECT_EQ(-std::numeric_limits<float>::infinity(), sum_of({-1e39}).as_float());
}

TEST(ExactSum, KeepsWhatIsNoNumber) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(infinity, sum_of({1, infinity, -1e308}).as_double());
  EXPECT_EQ(-infinity, sum_of({-infinity, 5}).as_double());
  EXPECT_TRUE(std::isnan(sum_of({infinity, -infinity}).as_double()));
  EXPECT_TRUE(std::isnan(sum_of({1, std::numeric_limits<double>::quiet_NaN()}).as_double()));
  ExactSum other = sum_of({-infinity});
  other.add(sum_of({infinity}));
  EXPECT_TRUE(std::isnan(other.as_float()));
}

TEST(ExactSum, IsTheNearestNumberInAnyOrderAndGrouping) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 60; ++round) {
    std::vector<double> terms;
    for (int i = 0; i < 40; ++i) {
      const double near = std::ldexp(1 + static_cast<double>(random() % 1024) / 512, static_cast<int>(random() % 120));
      const double term = round % 2 == 0 ? near : any_number(random) / 64;
      terms.push_back(random() % 2 == 0 ? term : -term);
      if (random() % 4 == 0) terms.push_back(-terms[random() % terms.size()]);
    }
    const double first = sum_of(terms).as_double();
    const float first_float = sum_of(terms).as_float();
    EXPECT_TRUE(nearest(terms, first));
    if (std::isfinite(first_float)) {
      EXPECT_TRUE(nearest(terms, first_float));
    }
    std::shuffle(terms.begin(), terms.end(), random);
    const auto middle = terms.begin() + static_cast<std::ptrdiff_t>(random() % terms.size());
    ExactSum grouped = sum_of({middle, terms.end()});
    grouped.add(sum_of({terms.begin(), middle}));
    EXPECT_EQ(bits(first), bits(grouped.as_double()));
    EXPECT_EQ(first_float, grouped.as_float());
  }
}

// As many additions as fit between two carries, and more.
TEST(ExactSum, OfVeryManyNumbers) {
  for (const double term : {1 + 0x1p-52, -0x1.fffffffffffffp900, 0x1.fffffffffffffp31}) {
    ExactSum sum;
    sum.add(term);
    for (int doubling = 0; doubling < 45; ++doubling) sum.add(ExactSum(sum));
    EXPECT_EQ(std::ldexp(term, 45), sum.as_double());
    sum.add(-term);
    EXPECT_TRUE(sum.as_double() != 0);
  }
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
