#include "loop/form/mesh_class.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>

#include "base/text.hpp"

namespace op2::core {

namespace {

int logarithm(double value) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max(value, 0.0))));
}

constexpr int most_samples = 512; // pairs of neighbouring elements, spread over the set
constexpr int near = 64;          // rows; as many as lie on a page or two

// Of neighbouring elements: how many of four reach rows near each other, through all columns that the loop follows.
int quarters_near(const FastFormRequest &request) {
  const int size = request.what->set.size;
  const int samples = std::min(most_samples, size - 1);
  std::int64_t all = 0, found = 0;
  for (std::size_t i = 0; i < request.what->args.size(); ++i) {
    const LoopArg &arg = request.what->args[i];
    if (!arg.through_map()) continue;
    const op_range_arg &range = request.range_args[i];
    for (int s = 0; s < samples; ++s) {
      const std::ptrdiff_t n = static_cast<std::ptrdiff_t>(size - 2) * s / std::max(samples - 1, 1);
      for (int j = 0; j < std::max(arg.count, 1); ++j) {
        const int *const entry = column_of(range.map, j) + n * range.map_stride;
        found += std::abs(entry[range.map_stride] - entry[0]) <= near;
        ++all;
      }
    }
  }
  return all == 0 ? 4 : static_cast<int>(4 * found / all);
}

} // namespace

std::string mesh_class(const FastFormRequest &request) {
  return text("elements 2^", logarithm(request.what->set.size), ", bytes 2^", logarithm(request.bytes), ", near ",
              quarters_near(request), "/4");
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
