// Fortran text as statements: comments, continued lines and labels are taken care of, in free and in fixed form.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "jit/text/tokens.hpp"
#include "jit/unit/fortran_unit.hpp"

namespace op2::core::jit::fortran {

enum class WordKind { name, number, text, sign }; // sign: also .and., .true.

struct Word {
  WordKind kind = WordKind::sign;
  std::string text;  // names and signs in small letters; .eq. and its like as the signs they stand for
  char quote = '\0'; // around a text
  bool is(std::string_view spelling) const { return text == spelling && kind != WordKind::text; }
};
using Words = std::vector<Word>;

// One statement.
struct Line {
  Words words;
  int label = 0; // 0 = none
  int file = 0;  // in Statements::files
  int line = 0;  // the first one
};

struct Statements {
  std::vector<Line> lines;
  std::vector<std::string> files;
  std::vector<std::string> missing; // "the included file 'a.inc' is not found": included files that are not in `lines`
  std::string place(const Line &line) const;
};

// Whether a file's name ends as one of Fortran's does; fixed form: .f, .for, .ftn and their capitals.
bool is_fortran_name(std::string_view path);

// Of the unit's source; follows include. A line that cannot be read becomes a statement of the one word "?", a text.
// Throws Refusal("file:line: what") for lines of a preprocessor.
Statements read_statements(const FortranUnit &unit);

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
