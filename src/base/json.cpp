#include "base/json.hpp"

#include <cmath>
#include <cstdint>

#include "base/text.hpp"

namespace op2::core {

std::size_t utf8_length(std::string_view value) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(value[i]); };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xc2 ? 0
                             : first < 0xe0 ? 2
                             : first < 0xf0 ? 3
                             : first < 0xf5 ? 4
                                            : 0;
  if (length == 0 || length > value.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  if (length < 3) return length;
  const unsigned second = byte(1);
  const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool outside = (first == 0xed && second >= 0xa0) || (first == 0xf4 && second >= 0x90); // surrogates, > U+10FFFF
  return overlong || outside ? 0 : length;
}

std::string json_string(std::string_view value) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string out = "\"";
  while (!value.empty()) {
    const std::size_t length = utf8_length(value);
    const unsigned char c = static_cast<unsigned char>(value.front());
    if (length == 0)
      out += "\\ufffd";
    else if (c < 0x20)
      out += std::string("\\u00") + digits[c >> 4] + digits[c & 15];
    else if (c == '"' || c == '\\')
      out += std::string("\\") + value.front();
    else
      out += value.substr(0, length);
    value.remove_prefix(length == 0 ? 1 : length);
  }
  return out + "\"";
}

JsonFields &JsonFields::put(std::string_view name, const std::string &value) {
  text_ += core::text(text_.empty() ? "" : ",", json_string(name), ":", value);
  return *this;
}

JsonFields &JsonFields::add(std::string_view name, double value, int digits) {
  return put(name, std::isfinite(value) ? fixed(value, digits) : "null"); // JSON has no infinity
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
