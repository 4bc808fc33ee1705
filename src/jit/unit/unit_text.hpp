// The text of a translation unit that its compiler has kept in the program (OP_UNIT_TEXT): what the preprocessor left,
// with the options that say what the text means. Written by src/tools/text.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "jit/preprocess/preprocess.hpp"
#include "jit/preprocess/source_files.hpp"
#include "jit/text/kernel_text.hpp"

namespace op2::core::jit {

struct UnitText {
  std::string compiler; // path of its compiler
  bool c_language = false;
  std::vector<std::string> options; // -std=c++17, -ffast-math
  std::string text;                 // with line markers
};

// Texts of a unit in Fortran, in a note of the program (host/unit_notes.hpp): its source and what it includes.
struct FortranUnit {
  std::vector<SourceFile> files;
};
// Throws Refusal, also for options that give the text another meaning than the reader gives it.
FortranUnit read_fortran_unit(const std::string &note);

// Whether op_loop_site::text is such a text, and not that of one kernel.
bool is_unit_text(const char *text);

// A digest of the text in the program, which is not unpacked for that. "" if it is none, or damaged.
std::string digest_of_unit(const char *text);

// Throws Refusal if the text is damaged, or of another version of the library.
UnitText read_unit(const char *text);

// Its tokens. Nothing is doubtful: no macro and no condition is left.
Preprocessed tokens_of(const UnitText &unit);

// Throws Refusal for options with which the compiler has read the text otherwise than that of generated code does; and
// for those with which it has computed this kernel otherwise.
void check_options(const UnitText &unit);
void check_options_of(const UnitText &unit, const KernelText &kernel);

} // namespace op2::core::jit
