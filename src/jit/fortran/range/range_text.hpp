// A file in Fortran for one loop: the kernel with all it needs, and a procedure around it that runs over many elements,
// so that the compiler inlines the kernel there. For kernels that are not read.
//
// The file exports, by names of their own since Fortran's names of modules are names of symbols, too,
//   op2jit_range       the range function (op_range_fn)
//   op2jit_constants   const void *[], in the order of RangeText::kernel.variables
// Variables of modules are copies, which receive the program's values before elements run. Rows and maps are reached as
// they are described by the call. Where strides are not those of the shape, the program's own kernel is called.
#pragma once

#include <string>

#include "jit/fortran/parse/project.hpp"
#include "jit/loop/loop_code.hpp"

namespace op2::core::jit::fortran {

struct RangeText {
  LoopCode code;
  KernelText kernel; // its variables; nothing else
  std::string from;  // "kernels.f90:12"
};

// Throws NoText, or Refusal("file:line: what") for what cannot be taken out of the program.
RangeText range_text(const std::string &symbol, const LoopShape &shape, Project &project);

inline constexpr const char *fortran_range_symbol = "op2jit_range", *fortran_constants_symbol = "op2jit_constants";

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
