// The text of a translation unit that its compiler has kept in the program (OP_UNIT_TEXT): what the preprocessor left,
// with the options that say what the text means. Written by src/tools/text.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "jit/text/kernel_text.hpp"
#include "jit/unit/preprocessed.hpp"

namespace op2::core::jit {

struct UnitText {
  std::string compiler; // path of its compiler
  bool c_language = false;
  std::vector<std::string> options; // -std=c++17, -ffast-math
  std::string text;                 // with line markers
};

// Whether op_loop_site::text is such a text, and not that of one kernel.
bool is_unit_text(const char *text);

// A digest of the text in the program, which is not unpacked for that. "" if it is none, or damaged.
std::string digest_of_unit(const char *text);

// Throws Refusal if the text is damaged, or of another version of the library.
UnitText read_unit(const char *text);

// Its tokens: no macro and no condition is left.
Preprocessed tokens_of(const UnitText &unit);
// Those of a text that the program gives for a kernel. Throws Refusal for lines of the preprocessor, other than
// #include <...> and #pragma: nothing says what they would do.
Preprocessed tokens_of_given(const std::string &text);

// Throws Refusal for options with which the compiler has read the text otherwise than that of generated code does; and
// for those with which it has computed this kernel otherwise.
void check_options(const UnitText &unit);
void check_options_of(const UnitText &unit, const KernelText &kernel);

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
