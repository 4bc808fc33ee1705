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

// `word` in single quotes, or NULL.
std::string quoted(const char *word);

// "a, b and c".
std::string listing(const std::vector<std::string> &words);

// The candidate with the smallest edit distance to `word`, "" if none is near enough.
std::string nearest(std::string_view word, const std::vector<std::string> &candidates);

std::vector<std::string> split(std::string_view whole, char separator);

} // namespace op2::core
