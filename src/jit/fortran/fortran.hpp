// A kernel in Fortran: found in the program's sources by the kernel's symbol, and written in the words of C++ that
// everything behind is made of.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "jit/fortran/parse/project.hpp"
#include "jit/text/kernel_text.hpp"

namespace op2::core::jit::fortran {

// What a compiler made of a procedure's name.
struct KernelName {
  std::string module; // "" for an external procedure
  std::string procedure;
};
// __m_MOD_k (gfortran), _QMmPk (flang), m_mp_k_ (Intel), k_; nothing for other symbols, such as those of internal
// procedures.
std::optional<KernelName> kernel_name(const std::string &symbol);

// Where a name of ProgramVariable lies.
struct PartOfVariable {
  std::string symbol;
  std::size_t offset = 0; // bytes
  bool whole = true;
};
PartOfVariable part_of_variable(const std::string &name);

// The symbols that a variable of a module or a common block may have, of the one that gfortran gives it.
std::vector<std::string> variable_symbols(const std::string &symbol);

// No text was found; the message says what was looked for and where.
class NoText : public Refusal {
 public:
  using Refusal::Refusal;
};

// The procedure with this symbol. Throws NoText; Refusal if its text is not what the program was compiled from.
const Unit &kernel_unit(const std::string &symbol, Project &project);

// Throws NoText, or Refusal("file:line: what") for what is not read.
KernelText fortran_kernel(const std::string &symbol, Project &project);

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
