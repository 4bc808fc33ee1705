// The host's C++ compiler: finding it, and turning a file of text into a shared object.
#pragma once

#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "base/settings.hpp"
#include "host/process.hpp"

namespace op2::core::jit {

struct Compilation {
  bool done = false; // the output file is there and complete
  ProcessEnd end = ProcessEnd::not_started;
  std::string what_happened; // to the compiler: "ended with status 1"
  std::string first_error;   // "" when it gave none
  std::string log;           // the command and all it printed
  double seconds = 0;
};

class Compiler {
 public:
  // OP2_CXX (a path, or a name searched in PATH), else c++, g++ or clang++ in PATH. Looks for files only, starts
  // nothing.
  explicit Compiler(const Settings &settings, double timeout = 120);

  bool found() const { return !path_.empty(); }
  const std::string &path() const { return path_; }
  // Changes when the compiler does: its real path, size and time. "" when there is none.
  const std::string &identity() const { return identity_; }
  // What was looked for, a sentence: "no C++ compiler: ...".
  const std::string &missing() const { return missing_; }
  // First line of what it says about itself ("g++ (Debian 12.2.0-14) 12.2.0"). Starts it the first time.
  const std::string &version() const;

  // All flags but those of the machine, as they are given to it: part of the key of what it makes.
  const std::vector<std::string> &flags() const { return flags_; }

  // Compiles `source` to the shared object `output` with flags() and `more`. Its own temporary files go to `folder`.
  Compilation compile(const std::string &source, const std::string &output, const std::vector<std::string> &more,
                      const std::string &folder, std::stop_token stop = {}) const;

 private:
  void look_for(const std::string &name);

  std::string path_, identity_, missing_;
  std::vector<std::string> flags_;
  double timeout_;
  mutable std::once_flag asked_;
  mutable std::string version_;
};

// "-O2 '-DX=a b'" -> {"-O2", "-DX=a b"}: split at blanks; quotes and backslashes as in a shell. OP_ERR_ARGUMENT when a
// quote does not end.
std::vector<std::string> split_flags(const std::string &flags);

// The first line of a compiler's messages that reports an error, without the folder of the file; else the first line.
std::string first_error_of(const std::string &messages);

} // namespace op2::core::jit
