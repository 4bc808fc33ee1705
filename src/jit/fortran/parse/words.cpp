// words.cpp: see words.hpp.
#include "jit/fortran/parse/words.hpp"

#include <array>
#include <cctype>
#include <utility>

namespace op2::core::jit::fortran {

namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// .and. that begins at `at`: its length; 0 if none does.
std::size_t dotted(std::string_view s, std::size_t at) {
  std::size_t end = at + 1;
  while (end < s.size() && std::isalpha(static_cast<unsigned char>(s[end]))) ++end;
  return end > at + 1 && end < s.size() && s[end] == '.' ? end + 1 - at : 0;
}

std::string modern(const std::string &word) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> old = {
      std::pair{".eq.", "=="}, {".ne.", "/="}, {".lt.", "<"}, {".le.", "<="}, {".gt.", ">"}, {".ge.", ">="}};
  for (const auto &[from, to] : old)
    if (word == from) return std::string(to);
  return word;
}

std::size_t behind_number(std::string_view s, std::size_t at) {
  while (at < s.size() && is_digit(s[at])) ++at;
  if (at < s.size() && s[at] == '.' && dotted(s, at) == 0) {
    ++at;
    while (at < s.size() && is_digit(s[at])) ++at;
  }
  if (at < s.size() && std::string_view("eEdDqQ").find(s[at]) != std::string_view::npos) {
    std::size_t power = at + 1;
    if (power < s.size() && (s[power] == '+' || s[power] == '-')) ++power;
    if (power < s.size() && is_digit(s[power])) {
      at = power;
      while (at < s.size() && is_digit(s[at])) ++at;
    }
  }
  if (at + 1 < s.size() && s[at] == '_' && (is_letter(s[at + 1]) || is_digit(s[at + 1]))) {
    ++at;
    while (at < s.size() && (is_letter(s[at]) || is_digit(s[at]))) ++at;
  }
  return at;
}

} // namespace

std::string lower(std::string_view text) {
  std::string out(text);
  for (char &c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

Words words_of(std::string_view s) {
  static constexpr std::array<std::string_view, 11> doubles = {
      "**", "//", "==", "/=", "<=", ">=", "=>", "::", "(/", "/)", ""};
  const Words unreadable = {{WordKind::text, "?"}};
  Words out;
  for (std::size_t at = 0; at < s.size();) {
    const char c = s[at];
    if (c == ' ' || c == '\t') {
      ++at;
    } else if (is_letter(c)) {
      std::size_t end = at;
      while (end < s.size() && (is_letter(s[end]) || is_digit(s[end]))) ++end;
      out.push_back({WordKind::name, lower(s.substr(at, end - at))});
      at = end;
    } else if (is_digit(c) || (c == '.' && at + 1 < s.size() && is_digit(s[at + 1]))) {
      const std::size_t end = behind_number(s, at);
      out.push_back({WordKind::number, lower(s.substr(at, end - at))});
      at = end;
    } else if (c == '\'' || c == '"') {
      std::size_t end = at + 1;
      while (end < s.size() && (s[end] != c || (end + 1 < s.size() && s[end + 1] == c))) end += s[end] == c ? 2 : 1;
      if (end >= s.size()) return unreadable;
      out.push_back({WordKind::text, std::string(s.substr(at + 1, end - at - 1)), c});
      at = end + 1;
    } else if (c == '.' && dotted(s, at) > 0) {
      std::size_t length = dotted(s, at);
      std::string word = lower(s.substr(at, length));
      at += length;
      if ((word == ".true." || word == ".false.") && at < s.size() && s[at] == '_') // .true._4
        while (at < s.size() && (is_letter(s[at]) || is_digit(s[at]))) ++at;
      out.push_back({WordKind::sign, modern(word)});
    } else {
      std::string sign(1, c);
      for (const std::string_view two : doubles)
        if (!two.empty() && s.substr(at, 2) == two) sign = two;
      if (sign == "(/" && s.substr(at, 3) == "(/=") sign = "("; // operator(/=)
      if (sign.size() == 1 && std::string_view("()[],=+-*/<>:;%&").find(c) == std::string_view::npos) return unreadable;
      at += sign.size();
      out.push_back({WordKind::sign, sign});
    }
  }
  return out;
}

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
