// Orders of sets that follow a set which has one.
#include <algorithm>
#include <limits>
#include <utility>

#include "plan/order.hpp"

namespace op2::core {

namespace {

// The two lowest places an element leads to. With one column the second says nothing.
struct Key {
  int lowest, second;
};

Key key_of(const int *row, int dim, const int *place) {
  Key key{place[row[0]], std::numeric_limits<int>::max()};
  for (int j = 1; j < dim; ++j) {
    const int p = place[row[j]];
    if (p < key.lowest) {
      key.second = key.lowest;
      key.lowest = p;
    } else {
      key.second = std::min(key.second, p);
    }
  }
  return key;
}

} // namespace

std::vector<int> order_by_targets(const OrderMap &map, std::span<const int> place_of_target) {
  const std::size_t from = static_cast<std::size_t>(map.from);
  std::vector<Key> keys(from);
  std::vector<int> bucket(static_cast<std::size_t>(map.to) + 1, 0); // where the elements of each lowest place begin
  for (int n = 0; n < map.from; ++n) {
    const Key key = key_of(map.row(n), map.dim, place_of_target.data());
    keys[static_cast<std::size_t>(n)] = key;
    ++bucket[static_cast<std::size_t>(key.lowest) + 1];
  }
  for (std::size_t b = 1; b < bucket.size(); ++b) bucket[b] += bucket[b - 1];
  // The second place travels with the element, so that the rest is sequential.
  std::vector<std::pair<int, int>> sorted(from);
  for (std::size_t n = 0; n < from; ++n)
    sorted[static_cast<std::size_t>(bucket[static_cast<std::size_t>(keys[n].lowest)]++)] = {keys[n].second,
                                                                                            static_cast<int>(n)};
  std::ptrdiff_t begin = 0; // filled, each entry of `bucket` is where its elements end
  for (int b = 0; b < map.to; ++b) {
    const std::ptrdiff_t end = bucket[static_cast<std::size_t>(b)];
    if (end - begin > 1) std::sort(sorted.begin() + begin, sorted.begin() + end);
    begin = end;
  }
  std::vector<int> order(from);
  for (std::size_t i = 0; i < from; ++i) order[i] = sorted[i].second;
  return order;
}

std::vector<int> order_by_first_touch(const OrderMap &map, std::span<const int> order_of_from) {
  std::vector<int> order;
  order.reserve(static_cast<std::size_t>(map.to));
  std::vector<char> seen(static_cast<std::size_t>(map.to), 0);
  const auto meet = [&](int v) {
    if (seen[static_cast<std::size_t>(v)]) return;
    seen[static_cast<std::size_t>(v)] = 1;
    order.push_back(v);
  };
  constexpr std::size_t ahead = 16; // rows in another order are far apart: fetch them in time
  for (int i = 0; i < map.from; ++i) {
    if (static_cast<std::size_t>(i) + ahead < order_of_from.size())
      __builtin_prefetch(map.row(order_of_from[static_cast<std::size_t>(i) + ahead]));
    const int *const row = map.row(order_of_from.empty() ? i : order_of_from[static_cast<std::size_t>(i)]);
    for (int j = 0; j < map.dim; ++j) meet(row[j]);
  }
  for (int v = 0; v < map.to; ++v) meet(v);
  return order;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
