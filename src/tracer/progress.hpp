// How far lines are, said to people while they are drawn (OP2_LOG=info).
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

namespace op2::core::tracer {

// "120 of 1000 lines, 12 %, 35 s left": the rest is expected to take as long, line by line, as those that have ended
// in so many seconds. Nothing is expected of less than half a second, or before a line has ended.
std::string progress_text(std::int64_t ended, std::int64_t all, double seconds);

// One line of a terminal that is rewritten; elsewhere a line of its own each time.
class ProgressLine {
 public:
  ProgressLine(std::FILE *out, bool rewrites, double begin) : out_(out), rewrites_(rewrites), begin_(begin) {}
  ~ProgressLine();
  ProgressLine(const ProgressLine &) = delete;
  ProgressLine &operator=(const ProgressLine &) = delete;

  // Writes not more often than people read, but always when all have ended. time: as base/clock.hpp has it.
  void show(std::int64_t ended, std::int64_t all, double time);

 private:
  std::FILE *out_;
  bool rewrites_, open_ = false; // open: the cursor is behind what was written
  double begin_, shown_ = 0;
  std::int64_t last_ = -1;
};

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
