// The texts of a unit in Fortran that its compiler has kept in a note of the program (host/unit_notes.hpp). Written by
// src/tools/text.
#pragma once

#include <string>
#include <vector>

namespace op2::core::jit {

struct SourceFile {
  std::string path; // for messages, and for its relative include 'name'
  std::string text;
};

// Its source, which a preprocessor has read, and what that includes.
struct FortranUnit {
  std::vector<SourceFile> files;

  // What include 'name' in the file `from` means; NULL if it is not here.
  const SourceFile *included(const std::string &name, const std::string &from) const;
};

// Throws Refusal, also for options that give the text another meaning than the reader gives it.
FortranUnit read_fortran_unit(const std::string &note);

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
