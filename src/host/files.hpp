// Files and folders without surprises: errors are texts, a limit on file sizes does not kill the program.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace op2::core {

// Writes all bytes to an open file. Returns "" or what went wrong ("No space left on device"). Where the process has a
// limit on file sizes (RLIMIT_FSIZE), reaching it is such an error and not the end of the program by SIGXFSZ.
std::string write_all(int file, std::string_view bytes);

// All bytes of an open file; nothing on an error or when there are more than `most`.
std::optional<std::string> read_all(int file, std::size_t most);

// The whole of a new or replaced file. "" or a sentence with the path in it.
std::string write_file(const std::string &path, std::string_view bytes, unsigned mode = 0600);
std::optional<std::string> read_file(const std::string &path, std::size_t most);

// Makes the folder and those above it, new ones with this mode. "" or a sentence with the path in it. A folder that is
// there is good.
std::string make_folders(const std::string &path, unsigned mode);

// A folder of this process alone (mode 0700) in TMPDIR or /tmp, removed with what is in it.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string &prefix); // throws std::runtime_error when there is no place for it
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  const std::string &path() const { return path_; }

 private:
  std::string path_;
};

} // namespace op2::core
