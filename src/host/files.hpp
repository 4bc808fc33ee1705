// Files and folders: errors are returned as texts, and a limit on file sizes does not kill the program.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "host/plugins/descriptor.hpp"

namespace op2::core {

// Writes all bytes to an open file. Returns "" or the error ("No space left on device"). The limit on file sizes
// (RLIMIT_FSIZE) is an error, too: SIGXFSZ does not end the program.
std::string write_all(int file, std::string_view bytes);

// All bytes from the position of an open file; nothing on an error or if there are more than `most`.
std::optional<std::string> read_all(int file, std::size_t most);

// Write (replacing) or read a whole file. write_file() returns "" or an error with the path.
std::string write_file(const std::string &path, std::string_view bytes, unsigned mode = 0600);
std::optional<std::string> read_file(const std::string &path, std::size_t most);

// Makes the folder and its missing parents with this mode. Returns "" or an error with the path. An existing folder is
// no error.
std::string make_folders(const std::string &path, unsigned mode);

// A new folder (mode 0700) in TMPDIR or /tmp. The destructor removes it with its contents; the first one of a process
// also removes those of this user's processes that have been killed.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string &prefix); // "op2-...-"; throws std::runtime_error if it cannot be made
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  const std::string &path() const { return path_; }

 private:
  std::string path_;
  Descriptor held_; // the folder, locked: whoever can lock it knows that its process is gone
};

// Ends the programs that run_process() has started and removes the temporary folders of this process, as exit() does.
// For processes that end in another way. No folder is made afterwards.
void leave_nothing_behind() noexcept;

} // namespace op2::core

// SPDX-License-Identifier: MIT
