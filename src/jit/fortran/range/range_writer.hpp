// The parts of range_text.hpp that are not the program's own: the range procedure, and copies of variables.
#pragma once

#include <string>
#include <vector>

#include "jit/loop/code_writer.hpp"
#include "jit/loop/loop_code.hpp"

namespace op2::core::jit::fortran {

struct ModuleVariable {
  std::string name, type; // "real(8)"
  std::vector<long> extents;
  bool logical = false;
  int number = 0; // its place in op2jit_constants, from 1
};

// Modules of the program are called op2jit_m<number>.
inline constexpr const char *module_prefix = "op2jit_m";

// The procedure op2jit_take_<number> of such a module, which copies its variables from the program.
void write_copy(CodeWriter &out, const std::vector<ModuleVariable> &variables, int number);

struct KernelPlace {
  std::string name, module; // "": external
};

// The module with the range procedure. copied: modules with variables. constants: entries of op2jit_constants.
void write_range(CodeWriter &out, const KernelPlace &kernel, const LoopShape &shape, const std::vector<int> &copied,
                 int constants);

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
