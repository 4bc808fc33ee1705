// How much of a result is rounding: what becomes of it in other rounding modes. A result that is left over when large
// terms cancel has no digit that is right; its size says nothing of the rounding in it, what directed rounding makes of
// it does. (Interval arithmetic's two ends of a computation, without the intervals.)
#pragma once

#include <cfenv>
#include <cstddef>
#include <vector>

#include "base/types.hpp"

namespace op2::core {

// Calls `run` once for each other rounding mode that the processor has. The program's own mode comes back, also when
// `run` throws.
template <class Run>
void in_other_roundings(const Run &run) {
  struct Mode {
    int before = std::fegetround();
    ~Mode() { std::fesetround(before); }
  };
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    const Mode restored;
    if (std::fesetround(mode) == 0) run();
  }
}

// Of the values of one dat or record, in rows of `dim` components.
class TrialNoise {
 public:
  explicit TrialNoise(int dim = 1) : dim_(static_cast<std::size_t>(dim)) {}
  // result: to the nearest number; other: in another mode.
  void gather(const ElementType &type, const char *result, const char *other, std::size_t bytes);
  void settle(); // after the last gather()
  // By how much value `at` may differ for rounding's sake: a few times its own spread, or that of the rows around it if
  // it is larger.
  double of(std::size_t at) const;

 private:
  std::size_t dim_;
  std::vector<double> spread_, medians_; // by value, by component
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
