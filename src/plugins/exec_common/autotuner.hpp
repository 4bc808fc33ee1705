// Several ways to run one loop: the first calls try them in turn, and the fastest is kept. The executor measures; this
// class decides which variant is next and which one has won. Executors know the variants by their numbers, from 0 on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

namespace op2::exec_common {

class Autotuner {
 public:
  Autotuner() = default; // nothing is measured, and variant 0 is taken
  // Measures `variants` of them if there are two or more. The first of the calls of each variant makes lists, compiles
  // and warms up, and does not count.
  Autotuner(std::size_t variants, int calls_each)
      : best_(variants, std::numeric_limits<double>::infinity()), calls_each_(calls_each), measuring_(variants > 1) {}

  bool measuring() const { return measuring_; }
  std::size_t variant() const { return variant_; } // that the next call is to use

  // The call took so long. Returns whether the measurement has ended with it; so does skip().
  bool note(double seconds) {
    if (calls_ > 0) best_[variant_] = std::min(best_[variant_], seconds);
    return ++calls_ == calls_each_ && go_on();
  }
  // The present variant cannot be run.
  bool skip() {
    best_[variant_] = std::numeric_limits<double>::infinity();
    return go_on();
  }
  // Nothing is measured any more.
  void take(std::size_t variant) {
    variant_ = variant;
    measuring_ = false;
  }

  // "owner 1.250 ms, colours 2.500 ms": the best time of each. name(i): of a variant; units: of a second.
  template <class Name>
  std::string times(const Name &name, double units, int digits, const char *unit) const {
    std::string out;
    for (std::size_t i = 0; i < best_.size(); ++i) {
      char time[40];
      std::snprintf(time, sizeof time, " %.*f ", digits, units * best_[i]);
      out.append(i > 0 ? ", " : "").append(name(i)).append(time).append(unit);
    }
    return out;
  }

 private:
  bool go_on() {
    calls_ = 0;
    if (++variant_ < best_.size()) return false;
    take(static_cast<std::size_t>(std::min_element(best_.begin(), best_.end()) - best_.begin()));
    return true;
  }

  std::vector<double> best_; // seconds, by variant
  int calls_each_ = 0, calls_ = 0;
  std::size_t variant_ = 0;
  bool measuring_ = false;
};

} // namespace op2::exec_common
