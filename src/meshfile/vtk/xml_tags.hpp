// Tags of VTK's XML files.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>

namespace op2::core {

// A tag: its name, the text between that and '>', and its position.
struct XmlTag {
  std::string_view name, rest;
  std::size_t begin = 0, behind = 0;

  // The value of an attribute, "" when there is none.
  std::string_view operator[](std::string_view attribute) const {
    for (std::size_t at = rest.find(attribute); at != rest.npos; at = rest.find(attribute, at + 1)) {
      const std::size_t sign = at + attribute.size();
      if (at == 0 || (rest[at - 1] != ' ' && rest[at - 1] != '\n' && rest[at - 1] != '\t')) continue;
      if (sign + 1 >= rest.size() || rest[sign] != '=' || (rest[sign + 1] != '"' && rest[sign + 1] != '\'')) continue;
      const std::size_t end = rest.find(rest[sign + 1], sign + 2);
      return end == rest.npos ? std::string_view() : rest.substr(sign + 2, end - sign - 2);
    }
    return {};
  }
};

// The first tag from byte `at` on.
inline std::optional<XmlTag> next_tag(std::string_view bytes, std::size_t at) {
  XmlTag out;
  out.begin = bytes.find('<', at);
  if (out.begin == bytes.npos) return std::nullopt;
  const std::size_t end = bytes.find('>', out.begin);
  if (end == bytes.npos) return std::nullopt;
  const std::string_view all = bytes.substr(out.begin + 1, end - out.begin - 1);
  const std::size_t blank = std::min(all.find_first_of(" \t\r\n"), all.size());
  out.name = all.substr(0, blank);
  out.rest = all.substr(blank);
  if (out.name.ends_with('/')) out.name.remove_suffix(1);
  out.behind = end + 1;
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
