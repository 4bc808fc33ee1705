// The text of a unit as its compiler saw it: what the preprocessor leaves, without what comes from headers of the
// languages and of this library, which are named instead.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace op2::text {

// preprocessed: with line markers (`# 12 "file.h" 1 3`), as gcc and clang write them. The result has line markers, too,
// and `#include <cmath>` in place of a left-out header.
std::string reduced(std::string_view preprocessed);

// What OP_UNIT_TEXT is where the text is taken and where it is compiled.
constexpr std::string_view name_of_text = "op_unit_text_";

// Whether a loop of the text refers to OP_UNIT_TEXT.
bool has_loops(std::string_view reduced);

// A header that puts the text into the unit which includes it: OP_UNIT_TEXT is its address then. compiler, options: of
// the unit; the library reads them (jit/unit/unit_text.hpp).
std::string header_of(std::string_view reduced, const std::string &compiler, const std::string &language,
                      const std::vector<std::string> &options);

// A file with text in Fortran.
struct FortranFile {
  std::string path, text;
};
// Lines for the assembler that put the texts into a note of the object.
std::string note_of(const std::vector<FortranFile> &files, const std::string &compiler,
                    const std::vector<std::string> &options);

} // namespace op2::text

// SPDX-License-Identifier: MIT
