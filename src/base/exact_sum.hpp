// Exact sums of floating-point numbers, rounded once at the end: the bits depend neither on the order of the additions
// nor on the order in which partial sums are combined.
//
// A fixed-point number that spans the whole range of double (a superaccumulator; Kulisch and Miranker, "The arithmetic
// of the digital computer: a new approach", SIAM Review 28, 1986). Its limbs of 32 bits are stored in 64 bits each, so
// that carries are needed only after 2^30 additions.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace op2::core {

// May be copied bytewise; all bits zero is the empty sum.
class ExactSum {
 public:
  void add(double value) {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
    const unsigned exponent = static_cast<unsigned>(bits >> 52) & 0x7ff;
    std::uint64_t mantissa = bits & ((std::uint64_t{1} << 52) - 1);
    if (exponent == 0x7ff) [[unlikely]]
      return add_special(value);
    // Bit 0 has the weight 2^-1074. Subnormal numbers have the exponent of the smallest normal number.
    const unsigned shift = exponent > 0 ? exponent - 1 : 0;
    if (exponent > 0) mantissa |= std::uint64_t{1} << 52;
    const unsigned at = shift / 32, by = shift % 32;
    const std::uint64_t low = (mantissa & 0xffffffff) << by, high = (mantissa >> 32) << by;
    const std::int64_t sign = bits >> 63 ? -1 : 1;
    limbs_[at] += sign * static_cast<std::int64_t>(low & 0xffffffff);
    limbs_[at + 1] += sign * static_cast<std::int64_t>((low >> 32) + (high & 0xffffffff));
    limbs_[at + 2] += sign * static_cast<std::int64_t>(high >> 32);
    if (++additions_ >= most_additions) [[unlikely]]
      carry();
  }
  void add(const ExactSum &other);

  // Rounded to nearest, ties to even; infinite beyond the largest number. An infinity among the added numbers makes the
  // result infinite; a NaN, or infinities of both signs, make it NaN.
  double as_double() const;
  float as_float() const;

 private:
  static constexpr std::size_t limbs = 67; // 2098 bits for numbers, the rest for carries
  static constexpr std::int64_t most_additions = std::int64_t{1}
                                                 << 30; // each adds less than 2^33 to a limb, so 2^63 is never reached
  enum Special : std::uint32_t { plus_infinity = 1, minus_infinity = 2, nan = 4 };

  void add_special(double value);
  void carry(); // afterwards all limbs but the last are in [0, 2^32)
  template <class T>
  T rounded() const;

  std::int64_t limbs_[limbs] = {};
  std::int64_t additions_ = 0; // since the last carry
  std::uint32_t special_ = 0, reserved_ = 0;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
