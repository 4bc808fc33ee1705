// The tokens of a text that has gone through a preprocessor.
#pragma once

#include <string>
#include <vector>

#include "jit/text/tokens.hpp"

namespace op2::core::jit {

struct SourceToken {
  Token token;
  int file = 0; // its number in Preprocessed::files
};
using SourceTokens = std::vector<SourceToken>;

struct Preprocessed {
  SourceTokens tokens;
  std::vector<std::string> files;       // by SourceToken::file; "" for text that the program gave
  std::vector<std::string> headers;     // names of #include <...>, whose text is left out
  std::vector<std::string> nested;      // names of headers that these include; known of units only
  bool packed = false;                  // #pragma pack was seen
  bool computes_otherwise = false;      // a pragma changes how some functions compute
  std::vector<std::string> replaceable; // names in #pragma weak: another file may define them

  std::string place(const SourceToken &token) const; // "k.h:12"
};

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
