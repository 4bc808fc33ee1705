// The steps of compiling a unit with its text: the same compiler preprocesses, then compiles with the text in front.
#pragma once

#include <string>
#include <vector>

namespace op2::text {

// A compiler with its arguments, `program` first. of_driver: of g++ or clang++, else of cc1 or cc1plus, which takes
// some options otherwise.
struct Command {
  std::vector<std::string> words;
  bool of_driver = false;
  std::string language; // "c", "c++" or "fortran"
};

// Options that say what the text means or how it is computed.
std::vector<std::string> options_of(const Command &command);

// Whether the command compiles one source whose text can be kept.
bool keeps_text(const Command &command);

// Runs the command with the text of its source kept in the object; without it where the text cannot be had. The exit
// code is the compiler's own.
int compile(const Command &command);

// The same for gfortran's f951: its source, and the files that it includes, become a note of the object.
int compile_fortran(const Command &command);

// Runs a program in place of this one. Returns only where that fails, with the exit code 127.
int run_instead(const std::vector<std::string> &words);

} // namespace op2::text

// SPDX-License-Identifier: MIT
