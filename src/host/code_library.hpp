// A shared object with compiled code, opened while this lives; and the file that code of the program came from.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "host/plugins/descriptor.hpp"

namespace op2::core {

// Says why code cannot be opened.
class CodeError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class CodeLibrary {
 public:
  // Opens exactly these bytes, whatever happens to the file they were read from. `name` is what debuggers and profilers
  // show. They must be a complete object: the dynamic linker trusts its tables.
  CodeLibrary(std::string_view bytes, const std::string &name);
  ~CodeLibrary();
  CodeLibrary(const CodeLibrary &) = delete;
  CodeLibrary &operator=(const CodeLibrary &) = delete;

  void *find(const std::string &symbol) const; // nullptr when the object itself does not have it

 private:
  void *handle_ = nullptr;
  // The file in memory stays open as long as the code is: the dynamic linker knows it by /proc/self/fd/<number>, and
  // would take another file with that number for the same one.
  Descriptor memory_;
};

// The executable or shared object that contains this address; "" when it cannot be told.
std::string program_path(const void *address);
// When that file was written, in nanoseconds since 1970.
std::optional<std::int64_t> program_mtime(const void *address);

} // namespace op2::core
