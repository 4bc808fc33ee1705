// Kernels that are templates: the instance of a function template.
#pragma once

#include <string>
#include <vector>

#include "jit/text/declarations.hpp"

namespace op2::core::jit {

struct TemplateParameter {
  std::string name; // "": it has none
  bool type = false;
  Range front; // without the initial value
  Range initial;
};
// Of the tokens between < and >. Throws Refusal ("has ...") for templates and packs among them.
std::vector<TemplateParameter> template_parameters(const Text &text, Range list);

// The definition of a function template with its parameters replaced by `arguments`, the tokens between < and >, in its
// namespaces, as `name`; parameters without an argument have their defaults. Throws Refusal ("has ...") for templates
// that need more. Ignores specialisations and overloads: the caller chooses the template, and the trial finds
// differences.
SourceTokens instance_of(const Text &text, const Declaration &declaration, Range arguments, const std::string &name);

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
