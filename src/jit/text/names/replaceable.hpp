// Functions whose text does not tell what the program calls.
#pragma once

#include <string>

#include "jit/text/declarations.hpp"

namespace op2::core::jit {

// Why the program may call something else than this definition, or compute otherwise: "weak", "declared alias". "" = it
// does not.
std::string replaceable(const Preprocessed &source, const Text &text, const Declarations &declarations,
                        const Declaration &function, bool c_language);

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
