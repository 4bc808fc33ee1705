// Finds the text of a kernel, and the declarations that it uses, in the text of a program.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "jit/text/kernel_text.hpp"
#include "jit/unit/preprocessed.hpp"

namespace op2::core::jit {

// A constant declared by op_decl_const().
struct DeclaredConstant {
  std::string name;
  Scalar scalar = Scalar::other;
  int dim = 1;
};

struct KernelRequest {
  std::string expression; // as written in the program: "res_calc", "&k", "ns::k", "k<2>", "[](const double *a) {...}"
  std::string file;       // of the loop; may be relative, or ""
  int line = 0;
  // The unit with the loop, as its compiler saw it; or, given: a text for this kernel alone, its definition and its
  // helpers. symbols: of the kernel, demangled, if the program has a table of symbols: they decide which function of a
  // unit is meant.
  const Preprocessed *unit = nullptr;
  bool given = false;
  bool c_language = false; // of the text
  std::vector<std::string> symbols;
  std::span<const DeclaredConstant> constants;
  int parameters = -1; // their number, which selects an overload; -1: unknown
};

// Throws Refusal if the text is not found, not understood, or uses constructs that generated code cannot have.
KernelText find_kernel(const KernelRequest &request);

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
