// The mathematical functions that kernels may call without a definition of their own.
#pragma once

#include <string_view>

namespace op2::core::jit {

struct KnownFunction {
  std::string_view name;
  int arguments;
  bool exact;            // a vector version can give the same bits; else it is called lane by lane
  std::string_view twin; // of sqrt: "sqrtf", of sqrtf: "sqrt"; "" without one
  bool single;           // the name is of float alone: sqrtf
  bool c;                // known in C, too; else C++ only: min, max
};

// NULL for names that are none.
const KnownFunction *known_function(std::string_view name);

} // namespace op2::core::jit
