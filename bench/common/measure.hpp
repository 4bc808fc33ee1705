// measure.hpp: clock, medians, and pairs of runs in turn (A B A B ...), which is how this project compares speeds.
#ifndef OP2_BENCH_MEASURE_HPP
#define OP2_BENCH_MEASURE_HPP

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace bench {

// A judged ratio is the median over no fewer pairs than this.
inline constexpr int fewest_pairs = 11;
// What --quick only shows, since it is judged on larger meshes.
inline constexpr int pairs_to_show = 3;

inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <class Run>
double seconds(Run &&run) {
  const double start = now();
  run();
  return now() - start;
}

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

// Times of a yardstick and of what is compared with it, each pair measured one after the other.
struct Pairs {
  std::vector<double> yardstick, subject;

  void add(double yardstick_seconds, double subject_seconds) {
    yardstick.push_back(yardstick_seconds);
    subject.push_back(subject_seconds);
  }
  // The median of the pairs' ratios: a disturbance that lasts longer than one pair hits both of its runs.
  [[nodiscard]] double ratio() const {
    std::vector<double> ratios(subject.size());
    std::transform(subject.begin(), subject.end(), yardstick.begin(), ratios.begin(),
                   [](double a, double b) { return a / b; });
    return median(ratios);
  }
};

} // namespace bench

#endif

// SPDX-License-Identifier: MIT
