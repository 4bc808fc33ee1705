// Reads CSV as its users do.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace unit {

// RFC 4180: fields in quotes may hold anything, two quotes stand for one.
inline std::vector<std::vector<std::string>> parse_csv(const std::string &text) {
  std::vector<std::vector<std::string>> rows;
  std::size_t at = 0;
  while (at < text.size()) {
    rows.emplace_back();
    for (bool more = true; more;) {
      std::string field;
      if (text[at] == '"') {
        for (++at; text.at(at) != '"' || text.at(at + 1) == '"'; ++at) {
          if (text[at] == '"') ++at;
          field += text[at];
        }
        ++at;
      } else {
        while (text.at(at) != ',' && text[at] != '\n') {
          EXPECT_NE('"', text[at]) << "a quote in a field without quotes";
          field += text[at++];
        }
      }
      rows.back().push_back(field);
      more = text.at(at++) == ',';
    }
  }
  return rows;
}

} // namespace unit

// SPDX-License-Identifier: MIT
