// A program that runs kernels in Fortran three times over the same values: as gfortran has compiled them, and as text
// for generated loops, one by one and in lanes. Arguments with two pointers (vector arguments) get rows of two values.
#pragma once

#include <set>
#include <string>

#include "jit/text/kernel_text.hpp"

namespace op2_test {

class FortranProgram {
 public:
  // Returns why the kernel has no form for lanes, "" if it has; it then runs one by one only. symbol: that of its
  // compiled code.
  std::string add(const std::string &symbol, const op2::core::jit::KernelText &kernel);
  // C++, to be linked with the compiled kernels. Prints a line for each difference and returns whether there is one.
  std::string text() const;

 private:
  std::string kernels_, calls_;
  std::set<std::string> variables_; // of the program
};

// A module `random` with the kernels r1, r2, ...
std::string random_kernels(int count, unsigned seed);

} // namespace op2_test

// SPDX-License-Identifier: MIT
