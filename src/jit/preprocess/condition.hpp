// Conditions of #if: true, false, or not known from the text alone.
#pragma once

#include <span>

#include "jit/preprocess/macros.hpp"

namespace op2::core::jit {

// What the tokens behind #if or #elif say. `cpp`: the text is C++. Anything that the text does not settle is uncertain:
// names it does not define may be defined on the compiler's command line.
Truth evaluate(std::span<const SourceToken> condition, const Macros &macros, bool cpp);

// For #ifdef; uncertain as above.
Truth is_defined(const std::string &name, const Macros &macros, bool cpp);

} // namespace op2::core::jit
