// A compiler of the host: finds it, and compiles a source file to a shared object.
#pragma once

#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "base/settings.hpp"
#include "host/process.hpp"

namespace op2::core::jit {

struct Compilation {
  bool done = false; // the output file exists and is complete
  ProcessEnd end = ProcessEnd::not_started;
  std::string what_happened; // how the compiler ended: "ended with status 1"
  std::string first_error;   // "" when it gave none
  std::string log;           // the command and its output
  double seconds = 0;
};

struct CompilerRun {
  std::string source, output; // output: a shared object
  std::vector<std::string> flags;
  std::string folder;     // for the compiler's temporary files
  bool when_idle = false; // other programs come first
  bool plain = false;     // the source includes nothing and needs no other libraries than those of C
};

enum class Language { cxx, fortran };

class Compiler {
 public:
  // C++: OP2_CXX (a path, or a name searched in PATH, and flags), else c++, g++ or clang++ in PATH. Fortran: OP2_FC,
  // else gfortran; none for "off". Only looks for files. Throws OP_ERR_ARGUMENT if a quote in the setting does not end.
  explicit Compiler(const Settings &settings, double timeout = 120, Language language = Language::cxx);

  bool found() const { return !path_.empty(); }
  const std::string &path() const { return path_; }
  // Identifies the compiler: real path, size and time of its file. "" if there is none.
  const std::string &identity() const { return identity_; }
  // A sentence with the names tried: "no C++ compiler: ...".
  const std::string &missing() const { return missing_; }
  // First line of its --version ("g++ (Debian 12.2.0-14) 12.2.0"). The first call starts the compiler.
  const std::string &version() const;

  // Flags for text in Fortran: procedures are inlined however long they are, local arrays belong to the thread that
  // runs.
  std::vector<std::string> fortran_flags(const std::string &module_folder) const;

  // Flags for text whose loops over lanes the compiler is to vectorise (`#pragma omp simd`) and to report that it did.
  // Both sides of a branch may be computed: the caller makes sure that floating-point exceptions do not trap.
  std::vector<std::string> vector_flags() const;

  // All flags except those of the machine: part of the key of compiled code.
  const std::vector<std::string> &flags() const { return flags_; }

  // Compiles with flags() and those of the run.
  Compilation compile(const CompilerRun &run, std::stop_token stop = {}) const;

 private:
  void look_for(const std::string &name);

  std::string path_, identity_, missing_;
  std::vector<std::string> flags_;
  std::size_t own_flags_ = 0; // of these; the user's are behind them
  bool users_flags_ = false;  // some of them are the user's
  double timeout_;
  mutable std::once_flag asked_;
  mutable std::string version_;
};

// "g++ '-DX=a b'" -> {"g++", "-DX=a b"}: split at blanks; quotes and backslashes as in a shell. Throws OP_ERR_ARGUMENT,
// with the name of the setting, if a quote does not end.
std::vector<std::string> split_command(const std::string &command, const char *setting);

// Whether a compiler's messages, with vector_flags(), say that a loop in `file` was vectorised.
bool says_vectorised(const std::string &messages, const std::string &file);

// The first line of a compiler's messages that reports an error, without the folder of the file; else the first line.
std::string first_error_of(const std::string &messages);

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
