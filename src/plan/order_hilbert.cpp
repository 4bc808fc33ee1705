// Order along a Hilbert curve.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "plan/hilbert.hpp"
#include "plan/order.hpp"

namespace op2::core {

namespace {

constexpr int bits = 16; // of each coordinate: finer than any mesh that fits memory needs

using Cell = std::array<std::uint32_t, 3>;

std::uint64_t position_of(const Cell &x, int dim) {
  return dim == 1   ? hilbert_position<1, bits>(x)
         : dim == 2 ? hilbert_position<2, bits>(x)
                    : hilbert_position<3, bits>(x);
}

// The smallest and the largest finite coordinate in each direction.
struct Box {
  std::array<double, 3> low, high;
};

Box box_of(std::span<const double> coordinates, std::size_t dim) {
  Box box;
  box.low.fill(std::numeric_limits<double>::infinity());
  box.high.fill(-std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    if (!std::isfinite(coordinates[i])) continue;
    box.low[i % dim] = std::min(box.low[i % dim], coordinates[i]);
    box.high[i % dim] = std::max(box.high[i % dim], coordinates[i]);
  }
  return box;
}

struct Item {
  std::uint64_t key;
  int element;
};

// Stable, 12 bits at a time; only the digits that differ cost a pass.
void radix_sort(std::vector<Item> &items) {
  constexpr int digit_bits = 12;
  constexpr std::uint64_t digit = (1u << digit_bits) - 1;
  std::uint64_t all = 0, common = ~std::uint64_t{0};
  for (const Item &item : items) {
    all |= item.key;
    common &= item.key;
  }
  std::vector<Item> other(items.size());
  for (int shift = 0; shift < 64; shift += digit_bits) {
    if ((((all ^ common) >> shift) & digit) == 0) continue;
    std::vector<std::size_t> begin(digit + 2, 0);
    for (const Item &item : items) ++begin[(item.key >> shift & digit) + 1];
    for (std::size_t d = 1; d < begin.size(); ++d) begin[d] += begin[d - 1];
    for (const Item &item : items) other[begin[item.key >> shift & digit]++] = item;
    items.swap(other);
  }
}

} // namespace

std::vector<int> hilbert_order(std::span<const double> coordinates, int dim) {
  const std::size_t n = static_cast<std::size_t>(dim), points = coordinates.size() / n;
  const Box box = box_of(coordinates, n);
  // One scale for all directions: the curve shall see the mesh as it is, thin or round.
  double widest = 0;
  for (std::size_t d = 0; d < n; ++d) widest = std::max(widest, box.high[d] - box.low[d]);
  const double last = (1u << bits) - 1;
  std::vector<Item> items(points);
  for (std::size_t i = 0; i < points; ++i) {
    Cell cell{};
    bool finite = true;
    for (std::size_t d = 0; d < n; ++d) {
      const double x = coordinates[i * n + d];
      finite = finite && std::isfinite(x);
      if (finite && widest > 0)
        cell[d] = static_cast<std::uint32_t>(std::clamp((x - box.low[d]) / widest, 0.0, 1.0) * last);
    }
    items[i] = {finite ? position_of(cell, dim) : ~std::uint64_t{0}, static_cast<int>(i)};
  }
  radix_sort(items);
  std::vector<int> order(points);
  for (std::size_t i = 0; i < points; ++i) order[i] = items[i].element;
  return order;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
