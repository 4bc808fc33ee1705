#include "meshfile/vtk/base64.hpp"

#include <algorithm>

namespace op2::core {

namespace {

int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  return c == '/' ? 63 : -1;
}

} // namespace

std::string from_base64(std::string_view text, std::size_t most) {
  std::string out;
  out.reserve(std::min(most, text.size()) + 3);
  unsigned group = 0;
  int digits = 0;
  for (const char c : text) {
    if (out.size() >= most) break;
    if (c == ' ' || (c >= '\t' && c <= '\r')) continue;
    if (c == '=') { // the end of a piece: what is complete of the last group
      for (int bits = 6 * digits; bits >= 8; bits -= 8) out += static_cast<char>((group >> (bits - 8)) & 255);
      group = 0;
      digits = 0;
      continue;
    }
    const int digit = base64_digit(c);
    if (digit < 0) break;
    group = group << 6 | static_cast<unsigned>(digit);
    if (++digits < 4) continue;
    for (int bits = 24; bits >= 8; bits -= 8) out += static_cast<char>((group >> (bits - 8)) & 255);
    group = 0;
    digits = 0;
  }
  if (out.size() > most) out.resize(most);
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
