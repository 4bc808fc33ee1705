// A kernel and all declarations that it may need, word for word: for constructs of C++ that the Reader does not take.
// The compiler of generated code understands them; here only names are followed, so rather too much is taken than too
// little.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "jit/text/declarations.hpp"
#include "jit/text/find_kernel.hpp"

namespace op2::core::jit {

struct ExcerptText {
  std::string headers; // #include lines of the standard library
  std::string text;    // calls functions of prelude/scalar_math.h; a declared constant is constant_prefix and its name
  std::vector<std::string> declared;          // constants of op_decl_const() that it reads
  std::vector<std::string> declared_arrays;   // those among them that are arrays
  std::map<std::string, TextVariable> places; // all of them
};

inline constexpr const char *constant_prefix = "OP2_CONSTANT_";

// Throws Refusal for what would not be the program's
// code or not a kernel's: text that depends on unknown conditions, variables that can change, functions without text,
// input and output, allocation.
ExcerptText excerpt_of(const Preprocessed &source, const Text &text, const Declarations &declarations,
                       std::span<const DeclaredConstant> constants, int kernel);

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
