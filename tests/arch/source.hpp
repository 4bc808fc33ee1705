// source.hpp: source files as the rules see them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace arch {

struct Include {
  int line;
  std::string name; // without quotes or brackets
  bool angled;      // <...>
};

struct Source {
  std::string path;              // relative to the root, with '/'
  std::vector<std::string> text; // lines as they are
  std::vector<std::string> code; // the same lines, comments and the contents of strings replaced by blanks
  std::vector<Include> includes;
};

// All files below root/folder that git could hold and people write, in the order of their paths; none when there is no
// such folder. Folders called build and those beginning with a dot are left out.
std::vector<Source> read_sources(const std::filesystem::path &root, const std::string &folder);

// C, C++ and CUDA, headers included.
bool is_code(const Source &source);

} // namespace arch

// SPDX-License-Identifier: MIT
