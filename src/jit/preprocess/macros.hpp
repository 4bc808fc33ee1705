// Macros of a text: their definitions at one line, and their expansion.
#pragma once

#include <deque>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "jit/preprocess/tokens.hpp"

namespace op2::core::jit {

// A token of the whole text: its file, and whether it is certain.
struct SourceToken {
  Token token;
  int file = 0;   // its number in Preprocessed::files
  int doubt = -1; // index in Preprocessed::doubts of the reason why the compiler may not have seen it; -1: certain
};
using SourceTokens = std::vector<SourceToken>;

struct Macro {
  bool function = false; // function-like
  bool built_in = false; // of a standard header (these are not read)
  std::vector<std::string> parameters;
  Tokens body;
  int doubt = -1;  // why it must not be expanded
  int misuse = -1; // why a call of it could not be expanded
};

// Whether a name is defined or a condition holds, if the text tells.
enum class Truth { yes, no, uncertain };

class Macros {
 public:
  Macros(); // with M_PI, DBL_EPSILON, INFINITY and the like

  void define(const std::string &name, Macro macro);
  void undefine(const std::string &name, int doubt);

  Truth defined(const std::string &name) const; // uncertain also for names not in the text: -D
  const Macro *find(const std::string &name) const;

  // Does not expand macros with a doubt: their names get it. Throws Refusal if the result exceeds a limit.
  SourceTokens expand(std::span<const SourceToken> tokens) const;

 private:
  std::map<std::string, Macro> macros_;
  std::map<std::string, bool> undefined_;
};

} // namespace op2::core::jit
