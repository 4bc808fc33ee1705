// Finds a kernel's text, and everything it needs, in the program's sources.
#pragma once

#include <span>
#include <string>

#include "jit/preprocess/source_files.hpp"
#include "jit/text/kernel_text.hpp"

namespace op2::core::jit {

// What the program has told op_decl_const().
struct DeclaredConstant {
  std::string name;
  Scalar scalar = Scalar::other;
  int dim = 1;
};

struct KernelRequest {
  std::string expression; // as written in the program: "res_calc", "&k", "ns::k", "k<2>", "[](const double *a) {...}"
  std::string file;       // where the loop is, may be relative to some folder, or ""
  int line = 0;
  std::string text; // the definition of the kernel and its helpers, when the program gives it; used instead of the file
  std::span<const DeclaredConstant> constants;
  int parameters = -1; // how many the kernel has, which chooses among functions of one name; -1: not known
};

// Throws Refusal when the text is not found, not understood, or needs something that generated code cannot have.
KernelText find_kernel(const KernelRequest &request, SourceFiles &files);

} // namespace op2::core::jit
