// One line of a table, by printf's rules; longer lines are cut off after 511 characters.
#pragma once

#include <algorithm>
#include <cstdio>
#include <string>

namespace op2::core {

template <class... T>
std::string table_line(const char *pattern, T... values) {
  char line[512];
  const int length = std::snprintf(line, sizeof line, pattern, values...);
  return std::string(line, static_cast<std::size_t>(std::clamp(length, 0, static_cast<int>(sizeof line) - 1)));
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
