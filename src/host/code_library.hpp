// A shared object with compiled code, open as long as its CodeLibrary; and the file that holds code of the program.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "host/plugins/descriptor.hpp"

namespace op2::core {

// Why code cannot be opened.
class CodeError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class CodeLibrary {
 public:
  // Opens a copy of these bytes, which must be a complete object: the dynamic linker trusts its tables. Debuggers and
  // profilers find it as the file `name`.so in the folder; in memory if that is "", not private or full. Throws
  // CodeError.
  CodeLibrary(std::string_view bytes, const std::string &name, const std::string &folder = "");
  ~CodeLibrary();
  CodeLibrary(const CodeLibrary &) = delete;
  CodeLibrary &operator=(const CodeLibrary &) = delete;

  void *find(const std::string &symbol) const; // nullptr if the object itself does not define it

 private:
  bool open_file(std::string_view bytes, const std::string &name, const std::string &folder);
  bool open_memory(std::string_view bytes, const std::string &name, std::string &why);

  void *handle_ = nullptr;
  // The memory file stays open as long as the code: the dynamic linker identifies it by /proc/<process>/fd/<number> and
  // would take a later file with the same number for this one.
  Descriptor memory_;
  std::string memory_path_;
};

// The executable or shared object that contains this address; "" if unknown.
std::string program_path(const void *address);
// The time of the last change of that file, in nanoseconds since 1970.
std::optional<std::int64_t> program_mtime(const void *address);

} // namespace op2::core

// SPDX-License-Identifier: MIT
