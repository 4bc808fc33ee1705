// run_program.hpp: runs an example as a user does, on a back end of choice, and finds numbers in what it prints.
#ifndef OP2_TESTS_RUN_PROGRAM_HPP
#define OP2_TESTS_RUN_PROGRAM_HPP

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

struct Output {
  int exit_code = -1;
  std::string text; // standard output
};

// settings: "OP2_BACKEND=seq OP2_NUM_THREADS=1"; command: the program and its arguments, for the shell.
inline Output run_program(const std::string &settings, const std::string &command) {
  Output out;
  std::FILE *pipe = popen((settings + " " + command).c_str(), "r");
  if (!pipe) return out;
  std::array<char, 4096> piece;
  for (std::size_t n; (n = std::fread(piece.data(), 1, piece.size(), pipe)) > 0;) out.text.append(piece.data(), n);
  const int status = pclose(pipe);
  out.exit_code = status >= 0 && status % 256 == 0 ? status / 256 : -1; // -1: ended by a signal
  return out;
}

// The numbers that follow each occurrence of `word` in a text.
inline std::vector<double> numbers_after(const std::string &text, const std::string &word) {
  std::vector<double> out;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    out.push_back(std::strtod(text.c_str() + at + word.size(), nullptr));
  return out;
}

// The back ends that the examples must agree on: those that this build has.
inline std::vector<std::string> back_ends() {
  std::vector<std::string> out = {"OP2_BACKEND=seq", "OP2_BACKEND=check"};
#ifdef OP2_TESTS_OPENMP
  for (const char *threads : {"1", "2"})
    out.push_back(std::string("OMP_WAIT_POLICY=passive OP2_BACKEND=openmp OP2_NUM_THREADS=") + threads);
#endif
  return out;
}

#endif

// SPDX-License-Identifier: MIT
