// Sums of floating-point numbers without rounding, rounded once at the end: the same bits in whatever order numbers are
// added and partial sums combined.
//
// A fixed-point number that spans the whole range of double (a superaccumulator; Kulisch and Miranker, "The arithmetic
// of the digital computer: a new approach", SIAM Review 28, 1986), in pieces of 32 bits that are kept in 64, so that
// carries wait until there have been very many additions.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace op2::core {

// Plain bytes: may be copied as such, and all bits zero is the empty sum.
class ExactSum {
 public:
  void add(double value) {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
    const unsigned exponent = static_cast<unsigned>(bits >> 52) & 0x7ff;
    std::uint64_t mantissa = bits & ((std::uint64_t{1} << 52) - 1);
    if (exponent == 0x7ff) [[unlikely]]
      return add_special(value);
    // Weight 2^-1074 is bit 0; numbers without an implicit bit have the exponent of the smallest that have one.
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

  // To the nearest number of the type, to the even one of two; infinite past the largest. Infinities that were added
  // stay, and both of them, or a NaN, make a NaN.
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
