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
  std::string identity; // equal: compilation gives the same code, which runs on both
  // Identities of other code that runs here with vectors of the same width: compiled elsewhere for an ISA level, not
  // for one processor.
  std::vector<std::string> others;
};

// For a value of OP2_JIT_ISA. Throws OP_ERR_ARGUMENT if this processor cannot run it. vector_math: requests it; needs
// vectors and a library.
Machine find_machine(const std::string &isa, bool vector_math = false);

} // namespace op2::core::jit
