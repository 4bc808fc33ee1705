// Small helpers for messages: putting values into text, and finding what the user may have meant.
#pragma once

#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace op2::core {

// The values one after another, as operator<< writes them.
template <class... T>
std::string text(const T &...parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

// `word` in single quotes, or NULL.
std::string quoted(const char *word);

// "a, b and c".
std::string listing(const std::vector<std::string> &words);

// The candidate with the smallest edit distance to `word`, "" when none is near enough to be a misspelling.
std::string nearest(std::string_view word, const std::vector<std::string> &candidates);

std::vector<std::string> split(std::string_view whole, char separator);

} // namespace op2::core
