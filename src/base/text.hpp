// Helpers for messages: values as text, and the known name that is nearest to a misspelt word.
#pragma once

#include <locale>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace op2::core {

// The values one after another, as operator<< writes them in the classic locale. Throws std::bad_alloc where memory
// ends: a stream by itself would give a part of the text.
template <class... T>
std::string text(const T &...parts) {
  std::ostringstream out;
  out.exceptions(std::ios::badbit);
  out.imbue(std::locale::classic());
  (out << ... << parts);
  return out.str();
}

// The number with `digits` digits after a point, in any locale of the program.
std::string fixed(double value, int digits);

// The shortest text that reads back as `value`.
std::string number_text(double value);

// `word` in single quotes, or NULL.
std::string quoted(const char *word);

// "a, b and c".
std::string listing(const std::vector<std::string> &words);

// The candidate with the smallest edit distance to `word`, "" if none is near enough.
std::string nearest(std::string_view word, const std::vector<std::string> &candidates);

std::vector<std::string> split(std::string_view whole, char separator);

// Copies as much of a text as the buffer holds, with a final 0. Returns the length of the whole text.
inline int copy_text(const std::string &from, char *buffer, std::size_t capacity) {
  if (buffer && capacity > 0) buffer[from.copy(buffer, capacity - 1)] = '\0';
  return static_cast<int>(from.size());
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
