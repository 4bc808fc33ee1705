// Conditions of #if: true, false, or not known from the text alone.
#pragma once

#include <span>

#include "jit/preprocess/macros.hpp"

namespace op2::core::jit {

// Evaluates the condition of an #if or #elif. cpp: the text is C++. Names that the text does not define are uncertain:
// the compiler's command line may define them.
Truth evaluate(std::span<const SourceToken> condition, const Macros &macros, bool cpp);

// For #ifdef; uncertain as above.
Truth is_defined(const std::string &name, const Macros &macros, bool cpp);

} // namespace op2::core::jit
