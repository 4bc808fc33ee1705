#include "tracer/progress.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace op2::core::tracer {

namespace {

std::string duration_text(double seconds) {
  if (seconds < 99.5) return text(std::lround(seconds), " s");
  const long minutes = std::lround(seconds / 60);
  return minutes < 100 ? text(minutes, " min") : text(minutes / 60, " h ", minutes % 60, " min");
}

} // namespace

std::string progress_text(std::int64_t ended, std::int64_t all, double seconds) {
  const double done = all > 0 ? static_cast<double>(ended) / static_cast<double>(all) : 1;
  std::string out = text(ended, " of ", all, " lines, ", std::lround(std::floor(100 * done)), " %");
  constexpr double soon = 0.5;
  if (ended > 0 && ended < all && seconds >= soon) out += ", " + duration_text(seconds * (1 - done) / done) + " left";
  return out;
}

void ProgressLine::show(std::int64_t ended, std::int64_t all, double time) {
  const double often = rewrites_ ? 0.2 : 2;
  const bool over = ended >= all;
  if (over ? last_ == ended : time - std::max(shown_, begin_) < often) return;
  shown_ = time;
  last_ = ended;
  const std::string what = progress_text(ended, all, time - begin_);
  // Back to the beginning, and away with what was longer.
  std::fprintf(out_, rewrites_ ? "\rop2: %s\033[K" : "op2: %s\n", what.c_str());
  std::fflush(out_);
  open_ = rewrites_;
}

ProgressLine::~ProgressLine() {
  if (open_) std::fputc('\n', out_);
}

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
