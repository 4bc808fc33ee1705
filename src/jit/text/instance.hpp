// Kernels that are templates: the function that a template and its arguments stand for, written out.
#pragma once

#include <string>

#include "jit/text/declarations.hpp"

namespace op2::core::jit {

// The definition of a function template with its parameters replaced by `arguments`, the tokens between < and >, in its
// namespaces, as `name`; parameters without an argument have their defaults. Throws Refusal ("has ...") for templates
// that this is not enough for. Other templates are not looked at: what they mean for these arguments is for the
// trial to find out, and for the caller which of several this is.
SourceTokens instance_of(const Text &text, const Declaration &declaration, Range arguments, const std::string &name);

} // namespace op2::core::jit
