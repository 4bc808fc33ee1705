// Compiled code in an ordinary file, which debuggers and profilers can open by its name.
#pragma once

#include <string>
#include <string_view>

#include "host/plugins/descriptor.hpp"

namespace op2::core {

// Whether nobody but this user and root can put a file at a path below the folder, or another folder in its place. The
// dynamic linker opens a path anew, so that what was checked before counts only then.
bool is_private_folder(const std::string &path);

class CodeFile {
 public:
  CodeFile() = default;
  // The file with this name in a private folder, which has these bytes: as an earlier run has left it, or written anew.
  // Invalid where that is not possible, e.g. on a full disk.
  CodeFile(const std::string &folder, const std::string &name, std::string_view bytes);
  bool valid() const { return file_.valid(); }
  bool in_place() const; // the path still leads to this file
  const std::string &path() const { return path_; }

 private:
  bool take(int folder, const std::string &name, std::string_view bytes);
  bool write(int folder, const std::string &name, std::string_view bytes);

  std::string path_;
  Descriptor file_;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
