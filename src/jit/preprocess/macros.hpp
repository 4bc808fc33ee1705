// Macros of a text: definitions at one place of it, and expanding them.
#pragma once

#include <deque>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "jit/preprocess/tokens.hpp"

namespace op2::core::jit {

// A token of the whole text: where it is from, and whether it may be relied on.
struct SourceToken {
  Token token;
  int file = 0;   // its number in Preprocessed::files
  int doubt = -1; // number of the reason in Preprocessed::doubts why this may not be what was compiled; -1: none
};
using SourceTokens = std::vector<SourceToken>;

struct Macro {
  bool function = false; // has a list of parameters
  bool built_in = false; // of the standard headers, which are not read
  std::vector<std::string> parameters;
  Tokens body;
  int doubt = -1;  // why it must not be expanded
  int misuse = -1; // why a call of it could not be expanded
};

// Whether a name is defined, or a condition holds, as far as the text tells.
enum class Truth { yes, no, uncertain };

class Macros {
 public:
  Macros(); // with M_PI, DBL_EPSILON, INFINITY and the like

  void define(const std::string &name, Macro macro);
  void undefine(const std::string &name, int doubt);

  Truth defined(const std::string &name) const; // uncertain, too, for names the text does not mention: -D
  const Macro *find(const std::string &name) const;

  // Names of macros that must not be expanded stay, with the macro's doubt. Throws Refusal where the result grows
  // beyond all bounds.
  SourceTokens expand(std::span<const SourceToken> tokens) const;

 private:
  std::map<std::string, Macro> macros_;
  std::map<std::string, bool> undefined_;
};

} // namespace op2::core::jit
