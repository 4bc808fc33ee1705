// Kernels that use the standard library, whose headers a device's compiler does not have: the executor brings its own.
#ifndef STANDARD_KERNELS_H
#define STANDARD_KERNELS_H

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <numeric>
#include <tuple>
#include <type_traits>
#include <utility>

namespace standard {

constexpr std::array weights{1.0, 2.0, 4.0, 8.0};
constexpr int values = 4, results = 40;

struct Three {
  double a, b;
  int c;
};
inline std::pair<double, double> both(double x) { return {x, 2 * x}; }
inline std::tuple<double, int, float> three(double x) { return {x, static_cast<int>(8 * x), 0.5f}; }
inline Three bound(double x) {
  const auto [a, b] = both(x);
  return {a, b, a < b ? 1 : 2};
}
template <std::size_t... I>
double weighted(const std::array<double, 4> &v, std::index_sequence<I...>) {
  return ((v[I] * weights[I]) + ...);
}
template <class T>
T widest() {
  if constexpr (std::is_floating_point_v<T>) return std::numeric_limits<T>::epsilon();
  return static_cast<T>(std::numeric_limits<T>::max() / 2 + std::numeric_limits<T>::lowest() / 2);
}

} // namespace standard

// Algorithms on short arrays.
inline void sort_and_search(const double *x, double *y) {
  std::array<double, standard::values> v{};
  std::copy(x, x + standard::values, v.begin());
  *y++ = *std::max_element(v.begin(), v.end());
  *y++ = static_cast<double>(std::min_element(v.cbegin(), v.cend(), std::greater<>()) - v.cbegin());
  std::sort(v.begin(), v.end());
  for (const double value : v) *y++ = value;
  std::sort(v.begin(), v.end(), [](double a, double b) { return std::abs(a - 0.5) > std::abs(b - 0.5); });
  for (const double value : v) *y++ = value;
  std::reverse(v.begin(), v.end());
  *y++ = v.front() - v.back();
  *y++ = static_cast<double>(std::count_if(v.begin(), v.end(), [](double a) { return a > 0.25; }));
  *y++ = std::any_of(v.begin(), v.end(), [](double a) { return a > 0.9; }) ? 1.0 : 0.0;
  *y++ = std::all_of(v.begin(), v.end(), [](double a) { return a > 0.1; }) ? 1.0 : 0.0;
  *y++ = std::none_of(v.begin(), v.end(), [](double a) { return a > 0.7; }) ? 1.0 : 0.0;
  *y++ = static_cast<double>(std::find_if(v.begin(), v.end(), [](double a) { return a < 0.5; }) - v.begin());
  *y++ = static_cast<double>(std::find(v.begin(), v.end(), x[1]) - v.begin());
  std::array<double, standard::values> w;
  std::transform(v.begin(), v.end(), x, w.begin(), [](double a, double b) { return a - b; });
  *y++ = std::accumulate(w.begin(), w.end(), 1.0) + std::accumulate(v.begin(), v.end(), 1.0, std::multiplies<double>());
  *y++ = std::inner_product(v.begin(), v.end(), standard::weights.begin(), 0.0);
  std::partial_sum(v.begin(), v.end(), w.begin());
  *y++ = w[2];
  std::iota(w.begin(), w.end(), 3.0);
  std::fill_n(w.begin(), 2, x[3]);
  *y++ = standard::weighted(w, std::make_index_sequence<standard::values>());
}

// Values, pairs, tuples, limits.
inline void pairs_and_limits(const double *x, double *y) {
  const auto [a, b] = standard::both(x[0]);
  auto [c, d] = standard::both(x[1]);
  c += d;
  const auto [p, q, r] = standard::bound(x[2]);
  const auto [i, j, k] = standard::three(x[3]);
  double m;
  int n;
  float o;
  std::tie(m, n, o) = standard::three(x[2]);
  for (const double value : {a, b, c, d, p, q, double(r), i, double(j), double(k), m, double(n), double(o)})
    *y++ = value;
  std::tie(m, *y++) = standard::both(m);
  const auto made = std::make_tuple(x[0], 3, 0.25f);
  *y++ = std::get<0>(made) + std::get<1>(made) + std::get<2>(made);
  const auto [least, most] = std::minmax(x[0], x[1]);
  *y++ = most - least;
  const auto ends = std::minmax({x[0], x[1], x[2], x[3]});
  *y++ = ends.first;
  *y++ = ends.second;
  *y++ = std::max({x[0], x[1], x[2]}) - std::min({x[1], x[2], x[3]});
  *y++ = std::clamp(x[0], 0.25, 0.75);
  *y++ = std::hypot(x[0], x[1], x[2]);
  *y++ = x[0] < 0.5 ? std::numeric_limits<double>::lowest() / 1e300 : std::numeric_limits<float>::max() / 1e30f;
  *y++ = std::min(std::numeric_limits<double>::infinity(), x[1]);
  *y++ = standard::widest<double>() * 1e15 + standard::widest<int>() + standard::widest<unsigned char>();
  double swapped[2] = {x[0], x[1]};
  std::swap(swapped[0], swapped[1]);
  *y++ = swapped[0] - std::exchange(swapped[1], 7.0);
  *y++ = swapped[1] + std::plus<>()(x[0], 1) + (std::less<double>()(x[0], x[1]) ? 0.5 : 0.25);
  const std::array<double, 3> v{x[0], x[1], x[2]};
  const auto [v0, v1, v2] = v;
  *y++ = v0 * v1 + v2 + static_cast<double>(std::tuple_size_v<decltype(v)>);
  static_assert(std::is_same_v<std::decay_t<const double &>, double> && std::is_integral_v<short>);
}

#endif

/* SPDX-License-Identifier: MIT */
