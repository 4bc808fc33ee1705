// kernel_text.cpp: see kernel_text.hpp.
#include "jit/text/kernel_text.hpp"

namespace op2::core::jit {

const char *spelling_of(Scalar scalar) {
  switch (scalar) {
    case Scalar::none:
      return "void";
    case Scalar::boolean:
      return "bool";
    case Scalar::int32:
      return "int";
    case Scalar::uint32:
      return "unsigned int";
    case Scalar::int64:
      return "long long";
    case Scalar::uint64:
      return "unsigned long long";
    case Scalar::float32:
      return "float";
    case Scalar::float64:
      return "double";
    case Scalar::other:
      break;
  }
  return "";
}

bool is_real(Scalar scalar) { return scalar == Scalar::float32 || scalar == Scalar::float64; }

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
