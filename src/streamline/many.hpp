// Several numbers at once, in pairs that every processor computes together: each has the bits that it would have alone.
// What is written for a type N computes with `double` or with `Many`.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define OP2_INLINE inline __attribute__((always_inline))

namespace op2::core::streamline {

inline constexpr int lanes = 8;

// True or false in each lane.
struct Some {
  using Pair = long long __attribute__((vector_size(16))); // all bits of a lane, or none
  std::array<Pair, lanes / 2> pair;

  OP2_INLINE static Some of(unsigned bits) { // bit i: lane i
    Some out;
    for (std::size_t p = 0; p < lanes / 2; ++p)
      out.pair[p] =
          Pair{-static_cast<long long>(bits >> (2 * p) & 1), -static_cast<long long>(bits >> (2 * p + 1) & 1)};
    return out;
  }
  OP2_INLINE unsigned bits() const {
    unsigned out = 0;
    for (std::size_t p = 0; p < pair.size(); ++p) {
#if defined(__SSE2__)
      const auto two = static_cast<unsigned>(_mm_movemask_pd(reinterpret_cast<__m128d>(pair[p])));
#else
      const auto two = static_cast<unsigned>(-pair[p][0]) | static_cast<unsigned>(-pair[p][1]) << 1;
#endif
      out |= two << (2 * p);
    }
    return out;
  }
};

struct Many {
  using Pair = double __attribute__((vector_size(16)));
  std::array<Pair, lanes / 2> pair;

  Many() = default; // any numbers
  OP2_INLINE Many(double all) {
    for (Pair &its : pair) its = Pair{all, all};
  }
  double operator[](int lane) const { return pair[static_cast<std::size_t>(lane / 2)][lane % 2]; }
  void set(int lane, double value) { pair[static_cast<std::size_t>(lane / 2)][lane % 2] = value; }
};

template <class Out, class Act>
OP2_INLINE Out each_pair(const Act &act) {
  Out out;
#pragma GCC unroll 8
  for (std::size_t p = 0; p < lanes / 2; ++p) out.pair[p] = act(p);
  return out;
}

OP2_INLINE Many operator+(const Many &a, const Many &b) {
  return each_pair<Many>([&](std::size_t p) { return a.pair[p] + b.pair[p]; });
}
OP2_INLINE Many operator-(const Many &a, const Many &b) {
  return each_pair<Many>([&](std::size_t p) { return a.pair[p] - b.pair[p]; });
}
OP2_INLINE Many operator*(const Many &a, const Many &b) {
  return each_pair<Many>([&](std::size_t p) { return a.pair[p] * b.pair[p]; });
}
OP2_INLINE Many operator/(const Many &a, const Many &b) {
  return each_pair<Many>([&](std::size_t p) { return a.pair[p] / b.pair[p]; });
}
OP2_INLINE Many operator-(const Many &a) {
  return each_pair<Many>([&](std::size_t p) { return -a.pair[p]; });
}
OP2_INLINE Some operator<(const Many &a, const Many &b) {
  return each_pair<Some>([&](std::size_t p) { return reinterpret_cast<Some::Pair>(a.pair[p] < b.pair[p]); });
}
OP2_INLINE Some operator<=(const Many &a, const Many &b) {
  return each_pair<Some>([&](std::size_t p) { return reinterpret_cast<Some::Pair>(a.pair[p] <= b.pair[p]); });
}
OP2_INLINE Some operator&(const Some &a, const Some &b) {
  return each_pair<Some>([&](std::size_t p) { return a.pair[p] & b.pair[p]; });
}
OP2_INLINE Some operator|(const Some &a, const Some &b) {
  return each_pair<Some>([&](std::size_t p) { return a.pair[p] | b.pair[p]; });
}
OP2_INLINE Some but_not(const Some &a, const Some &b) {
  return each_pair<Some>([&](std::size_t p) { return a.pair[p] & ~b.pair[p]; });
}
OP2_INLINE Many select(const Some &which, const Many &a, const Many &b) {
  return each_pair<Many>([&](std::size_t p) {
    using Bits = Some::Pair;
    return reinterpret_cast<Many::Pair>((which.pair[p] & reinterpret_cast<Bits>(a.pair[p])) |
                                        (~which.pair[p] & reinterpret_cast<Bits>(b.pair[p])));
  });
}
OP2_INLINE Many root(const Many &a) {
  return each_pair<Many>([&](std::size_t p) {
#if defined(__SSE2__)
    return reinterpret_cast<Many::Pair>(_mm_sqrt_pd(reinterpret_cast<__m128d>(a.pair[p])));
#else
    return Many::Pair{std::sqrt(a.pair[p][0]), std::sqrt(a.pair[p][1])};
#endif
  });
}
OP2_INLINE bool any(const Some &a) { return a.bits() != 0; }

OP2_INLINE bool but_not(bool a, bool b) { return a && !b; }
OP2_INLINE double select(bool which, double a, double b) { return which ? a : b; }
OP2_INLINE double root(double a) { return std::sqrt(a); }
OP2_INLINE bool any(bool a) { return a; }

template <class N>
using Vectors = std::array<N, 3>;

} // namespace op2::core::streamline

// SPDX-License-Identifier: MIT
