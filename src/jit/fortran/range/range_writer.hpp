// The parts of range_text.hpp that are not the program's own: the range procedure, and copies of variables.
#pragma once

#include <string>
#include <vector>

#include "jit/fortran/parse/tree.hpp"
#include "jit/loop/code_writer.hpp"
#include "jit/loop/loop_code.hpp"

namespace op2::core::jit::fortran {

struct ModuleVariable {
  std::string name, type; // "real(8)"
  std::vector<long> extents;
  bool logical = false;
  int number = 0; // its place in op2jit_constants, from 1
};

// A module with variables: its procedure op2jit_take_<number> copies them from the program.
struct CopiedModule {
  std::string name;
  int number = 0;
};

void write_copy(CodeWriter &out, const std::vector<ModuleVariable> &variables, int number);

// The module with the range procedure. constants: entries of op2jit_constants.
void write_range(CodeWriter &out, const Unit &kernel, const LoopShape &shape, const std::vector<CopiedModule> &copied,
                 int constants);

} // namespace op2::core::jit::fortran
