// Kernels that are templates: the instance of a function template.
#pragma once

#include <string>

#include "jit/text/declarations.hpp"

namespace op2::core::jit {

// The definition of a function template with its parameters replaced by `arguments`, the tokens between < and >, in its
// namespaces, as `name`; parameters without an argument have their defaults. Throws Refusal ("has ...") for templates
// that need more. Ignores specialisations and overloads: the caller chooses the template, and the trial finds
// differences.
SourceTokens instance_of(const Text &text, const Declaration &declaration, Range arguments, const std::string &name);

} // namespace op2::core::jit
