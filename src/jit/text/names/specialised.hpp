// Templates of which the text has specialisations or deduction guides: their names alone do not say what is meant.
#pragma once

#include <set>
#include <string>

#include "jit/text/words.hpp"

namespace op2::core::jit {

struct SpecialisedTemplates {
  std::set<std::string> names; // without scope
  bool of_std = false;         // a template of the standard library is among them
};
SpecialisedTemplates specialised_templates(const Text &text);

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
