// The processor that generated code is for: how wide its vectors are and which flags make a compiler use them.
#pragma once

#include <string>
#include <vector>

namespace op2::core::jit {

struct Machine {
  std::string isa;          // "native", "avx512", "avx2", "sse2", "scalar"
  int vector_bytes = 0;     // of the widest vectors to use explicitly; 0 = none (scalar)
  bool vector_math = false; // functions of mathematics come from a library of vector functions
  std::vector<std::string> flags;
  std::string identity; // equal = code compiled for one runs on the other and is the same
  // Identities of code that runs here, too, with vectors of the same width: code compiled elsewhere, for a level and
  // not for one processor, can be used.
  std::vector<std::string> others;
};

// For a value of OP2_JIT_ISA. OP_ERR_ARGUMENT when this processor cannot run it. vector_math: where there are vectors
// and a library for them.
Machine find_machine(const std::string &isa, bool vector_math = false);

} // namespace op2::core::jit
