// Writes polylines to VTK's XML format for PolyData (.vtp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace op2::core::tracer {

// Lines with values at their points and of each line. Arrays have as many rows as there are points or lines.
struct Polylines {
  template <class T>
  struct Array {
    std::string name;
    int dim;
    std::vector<T> values;
  };
  std::vector<double> points;     // [points][3]
  std::vector<std::int64_t> ends; // where each line's points end
  std::vector<Array<double>> at_points, of_lines;
  std::vector<Array<std::int64_t>> numbers_of_lines;
};

std::string vtp_bytes(const Polylines &lines);

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
