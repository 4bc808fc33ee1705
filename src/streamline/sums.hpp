// What is computed again and again of cells and points in them, for one (N = double) or for several (Many): with the
// same operations in the same order, so with the same bits.
//
// Coordinates a b c of a point in its cell are multiplied with each other: ab bc ca abc, always in this order.
#pragma once

#include "streamline/many.hpp"

namespace op2::core::streamline {

// An interpolation: linear[0] + a linear[1] + b linear[2] + c linear[3] + the sum of products.
template <class N>
struct Factors {
  std::array<Vectors<N>, 4> linear{}, product{};
};

template <class N>
OP2_INLINE Vectors<N> linear_sum(const Factors<N> &of, const Vectors<N> &at) {
  Vectors<N> out;
#pragma GCC unroll 3
  for (std::size_t k = 0; k < 3; ++k)
    out[k] = of.linear[0][k] + at[0] * of.linear[1][k] + at[1] * of.linear[2][k] + at[2] * of.linear[3][k];
  return out;
}

// The rest of it, added to `linear`.
template <class N>
OP2_INLINE Vectors<N> with_products(const Factors<N> &of, const Vectors<N> &at, const Vectors<N> &linear) {
  const auto &[a, b, c] = at;
  const N ab = a * b, bc = b * c, ca = c * a, abc = ab * c;
  Vectors<N> out;
#pragma GCC unroll 3
  for (std::size_t k = 0; k < 3; ++k)
    out[k] = linear[k] +
             ((ab * of.product[0][k] + bc * of.product[1][k]) + (ca * of.product[2][k] + abc * of.product[3][k]));
  return out;
}

// What leads from a point to its coordinates. Multiplied by the inverse of its slopes in the middle, a cell's positions
// are s + a sum of products of s, the coordinates from the middle.
template <class N>
struct Inverse {
  Vectors<N> origin{};             // where all coordinates were 0 if there were no products
  std::array<Vectors<N>, 3> row{}; // by which the way from there becomes coordinates
  Vectors<N> middle{};
  std::array<Vectors<N>, 4> bend{}; // the factors of the products
};

// Coordinates if there are no products.
template <class N>
OP2_INLINE Vectors<N> straight_place(const Inverse<N> &of, const Vectors<N> &point) {
  const Vectors<N> from{point[0] - of.origin[0], point[1] - of.origin[1], point[2] - of.origin[2]};
  Vectors<N> out;
#pragma GCC unroll 3
  for (std::size_t k = 0; k < 3; ++k) out[k] = of.row[k][0] * from[0] + of.row[k][1] * from[1] + of.row[k][2] * from[2];
  return out;
}

// A sum of products at s, and its derivatives.
template <class N>
struct Bent {
  Vectors<N> value;
  std::array<Vectors<N>, 3> slope;
};

template <class N>
OP2_INLINE Bent<N> bent_at(const std::array<Vectors<N>, 4> &bend, const Vectors<N> &s) {
  const auto &[a, b, c] = s;
  const auto &[ab, bc, ca, abc] = bend;
  const N by_bc = b * c;
  Bent<N> out;
#pragma GCC unroll 3
  for (std::size_t k = 0; k < 3; ++k) {
    const N of_ab = c * abc[k] + ab[k];
    out.slope[0][k] = b * of_ab + c * ca[k];
    out.slope[1][k] = a * of_ab + c * bc[k];
    out.slope[2][k] = a * (b * abc[k] + ca[k]) + b * bc[k];
    out.value[k] = a * out.slope[0][k] + by_bc * bc[k];
  }
  return out;
}

template <class N>
OP2_INLINE Vectors<N> cross(const Vectors<N> &p, const Vectors<N> &q) {
  return {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
}
template <class N>
OP2_INLINE N dot(const Vectors<N> &p, const Vectors<N> &q) {
  return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}

// Newton's method for the coordinates where `wanted`, from those of a straight cell in `at`; bends(s) is a Bent. Where
// it does not arrive they are the last attempt; returns where it does.
template <class N, class Where, class Bends>
OP2_INLINE Where bent_place(const Vectors<N> &middle, const Bends &bends, const Where &wanted, Vectors<N> &at) {
  constexpr int most_steps = 10;
  // What a step leaves are products of its components; and how far from the middle places are looked for.
  constexpr double small = 1e-7, far = 4;
  const auto near = [&](const N &x) __attribute__((always_inline)) {
    return select(x < N(-far), N(-far), select(N(far) < x, N(far), x));
  };
  const auto is_small = [&](const N &x) __attribute__((always_inline)) { return (x <= N(small)) & (N(-small) <= x); };
  Vectors<N> goal, s;
  for (std::size_t k = 0; k < 3; ++k) {
    goal[k] = at[k] - middle[k];
    s[k] = near(goal[k]);
  }
  Where open = wanted;
  for (int step = 0; step < most_steps && any(open); ++step) {
    const Bent<N> here = bends(s);
    Vectors<N> rest;
    for (std::size_t k = 0; k < 3; ++k) rest[k] = goal[k] - (s[k] + here.value[k]);
    // The way is the solution of (1 + slopes) way = rest.
    auto [u, v, w] = here.slope;
    u[0] = u[0] + N(1), v[1] = v[1] + N(1), w[2] = w[2] + N(1);
    const Vectors<N> vw = cross(v, w), ru = cross(rest, u);
    const N by = N(1) / dot(u, vw);
    const Vectors<N> way{dot(rest, vw) * by, -dot(w, ru) * by, dot(v, ru) * by};
    for (std::size_t k = 0; k < 3; ++k) s[k] = select(open, near(s[k] + way[k]), s[k]);
    open = but_not(open, is_small(way[0]) & is_small(way[1]) & is_small(way[2]));
  }
  for (std::size_t k = 0; k < 3; ++k) at[k] = select(wanted, middle[k] + s[k], at[k]);
  return but_not(wanted, open);
}

} // namespace op2::core::streamline

// SPDX-License-Identifier: MIT
