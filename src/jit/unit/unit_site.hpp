// Where a loop stands in the text of its unit, and which kernel the text has there.
#pragma once

#include <string>

#include "jit/text/declarations.hpp"

namespace op2::core::jit {

struct UnitSite {
  std::size_t at = 0; // of the token with the loop's line
  Range kernel;       // the kernel's expression, with macros expanded; empty if it stands elsewhere
};

// expression, file, line: of the op_loop_site. Throws Refusal if the text has no such loop, or several that differ.
UnitSite site_in_unit(const Text &text, const std::string &expression, const std::string &file, int line);

// A symbol of a function, as in "void flow::flux<2>(double const*, double*)": its parts.
struct FunctionName {
  std::string scope, name; // "flow", "flux"; unnamed namespaces count as the one around
  bool is_template = false;
  bool is_plain = false; // of C: no scope and no parameters
};
// demangled: by abi::__cxa_demangle(). An empty name for what is no function of the program, such as a lambda's.
FunctionName function_name(const std::string &demangled);

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
