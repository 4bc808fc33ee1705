// The processor that generated code is for: how wide its vectors are and which flags make a compiler use them.
#pragma once

#include <string>
#include <vector>

namespace op2::core::jit {

struct Machine {
  std::string isa;          // "native", "avx512", "avx2", "sse2", "scalar"
  int vector_bytes = 0;     // of the widest vectors to use explicitly; 0 = none (scalar)
  bool vector_math = false; // mathematical functions come from a vector library
  std::vector<std::string> flags;
  // With these, compilers may make vectors of straight-line code: without instructions that fuse a product and a sum,
  // which gcc 12 takes for a[0] * b[0] - c[0], a[1] * b[1] + c[1] although -ffp-contract=off forbids it. Empty: there
  // is no such choice of instructions. They take the explicit vectors of AVX-512 away.
  std::vector<std::string> straight_line_flags;
  std::string identity; // equal: compilation gives the same code, which runs on both
  // Identities of other code that runs here with vectors of the same width: compiled elsewhere for an ISA level, not
  // for one processor.
  std::vector<std::string> others;
};

// For a value of OP2_JIT_ISA. Throws OP_ERR_ARGUMENT if this processor cannot run it. vector_math: requests it; needs
// vectors and a library.
Machine find_machine(const std::string &isa, bool vector_math = false);

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
