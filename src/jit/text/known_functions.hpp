// The mathematical functions that kernels may call without a definition of their own.
#pragma once

#include <string_view>

namespace op2::core::jit {

struct KnownFunction {
  std::string_view name;
  int arguments;
  bool exact;            // a vector version gives the same bits; else code calls it lane by lane
  std::string_view twin; // of sqrt: "sqrtf", of sqrtf: "sqrt"; "" without one
  bool single;           // the name is of float alone: sqrtf
  bool c;                // known in C, too; else C++ only: min, max
};

// NULL for other names.
const KnownFunction *known_function(std::string_view name);

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
