#include "plan/sequence.hpp"

#include <algorithm>
#include <numeric>

namespace op2::core {

std::vector<SequenceRun> sequence_of(std::span<const std::int64_t> numbers, int size, int executed) {
  std::vector<int> order(static_cast<std::size_t>(executed));
  std::iota(order.begin(), order.end(), 0);
  if (!numbers.empty())
    std::ranges::sort(order, {}, [&](int element) { return numbers[static_cast<std::size_t>(element)]; });
  std::vector<SequenceRun> runs;
  for (const int element : order) {
    if (runs.empty() || runs.back().end != element || element == size)
      runs.push_back({element, element, element < size});
    runs.back().end = element + 1;
  }
  return runs;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
