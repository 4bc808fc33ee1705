// The words of one Fortran statement.
#pragma once

#include <string>
#include <string_view>

#include "jit/fortran/parse/lines.hpp"

namespace op2::core::jit::fortran {

std::string lower(std::string_view text);

// One word "?", a text, where the statement cannot be read.
Words words_of(std::string_view statement);

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
