// Work on many rows by several threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

namespace op2::core {

// Calls work(begin, end) for parts that together are 0 ... count - 1, each on a thread of its own, the caller's among
// them; few rows are left to the caller. work() throws nothing.
template <class Work>
void in_parts(int threads, std::size_t count, const Work &work) {
  constexpr std::size_t fewest = 2048; // rows for which a thread is worth its start
  const std::size_t parts = std::clamp<std::size_t>(count / fewest, 1, static_cast<std::size_t>(std::max(threads, 1)));
  const auto border = [&](std::size_t part) { return count / parts * part + std::min(part, count % parts); };
  std::vector<std::jthread> others;
  std::size_t begun = 1;
  try {
    for (; begun < parts; ++begun)
      others.emplace_back([&work, begin = border(begun), end = border(begun + 1)] { work(begin, end); });
  } catch (const std::system_error &) { // no more threads: the rest is the caller's
  }
  work(border(0), border(1));
  if (begun < parts) work(border(begun), count);
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
