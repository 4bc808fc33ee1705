// A kernel and all declarations that it may need, word for word: for constructs of C++ that the Reader does not take.
// The compiler of generated code understands them; here only names are followed, so rather too much is taken than too
// little.
#pragma once

#include <string>

#include "jit/preprocess/preprocess.hpp"
#include "jit/text/declarations.hpp"

namespace op2::core::jit {

struct ExcerptText {
  std::string headers; // #include lines of the standard library
  std::string text;    // calls functions of prelude/scalar_math.h
};

// Throws Refusal for what would not be the program's
// code or not a kernel's: text that depends on unknown conditions, variables that can change, functions without text,
// input and output, allocation.
ExcerptText excerpt_of(const Preprocessed &source, const Text &text, const Declarations &declarations, int kernel);

} // namespace op2::core::jit
