// What went wrong where nobody can throw: in a thread of an engine, or in a signal handler.
#pragma once

#include <cstddef>
#include <string>

namespace op2::core::paging {

struct Trouble {
  enum class Kind { none, reading, writing, memory };
  Kind kind = Kind::none;
  int error = 0;      // of transfer()
  char name[96] = {}; // the array's, cut if need be
  // "cannot read dat 'q' ... in FOLDER: REASON" into a buffer, with a final 0. Allowed in a signal handler.
  std::size_t write_text(char *buffer, std::size_t capacity, const std::string &folder) const;
  std::string text(const std::string &folder) const;
};
Trouble trouble_with(Trouble::Kind kind, const std::string &name, int error);

} // namespace op2::core::paging

// SPDX-License-Identifier: MIT
