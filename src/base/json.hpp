// Writing JSON: strings, and the fields of an object one after another.
#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

namespace op2::core {

// Bytes of the UTF-8 character at the front of `value`, which is not empty; 0 if it begins with none.
std::size_t utf8_length(std::string_view value);

// The text in double quotes, escaped. Bytes that are not UTF-8 become U+FFFD, since JSON must be valid UTF-8.
std::string json_string(std::string_view value);

// "name":value, ... without the braces: JsonFields().add("set", "cells").add("elements", 12).text()
class JsonFields {
 public:
  JsonFields &add(std::string_view name, std::string_view value) { return put(name, json_string(value)); }
  JsonFields &add(std::string_view name, const char *value) { return put(name, json_string(value ? value : "")); }
  JsonFields &add(std::string_view name, std::integral auto value) { return put(name, std::to_string(value)); }
  JsonFields &add(std::string_view name, double value, int digits); // digits after the point
  const std::string &text() const { return text_; }

 private:
  JsonFields &put(std::string_view name, const std::string &value);
  std::string text_;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
