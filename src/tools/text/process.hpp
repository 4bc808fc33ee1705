// Running compilers, and files for them.
#pragma once

#include <string>
#include <vector>

namespace op2::text {

// The exit code, 128 and the signal's number after a signal. quietly: without messages.
int run(const std::vector<std::string> &words, bool quietly);

std::string read(const std::string &path); // "" if it cannot be read

// A folder that is removed with its files.
class Temporary {
 public:
  Temporary();
  ~Temporary();
  Temporary(const Temporary &) = delete;
  Temporary &operator=(const Temporary &) = delete;

  bool made() const { return !folder_.empty(); }
  std::string file(const std::string &name);                     // in the folder
  void also(const std::string &path) { names_.push_back(path); } // removed, too

 private:
  std::string folder_;
  std::vector<std::string> names_;
};

} // namespace op2::text

// SPDX-License-Identifier: MIT
