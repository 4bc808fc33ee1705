// Safe places for writing: a new file gets its name when it is complete, and disk space for a growing file is reserved
// before the first write.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "host/plugins/descriptor.hpp"

namespace op2::core {

// Names of unfinished files: "<file>.<machine>.<process>.unfinished", or "<process>_<n>" if that exists.
constexpr std::string_view unfinished_end = ".unfinished";
std::string unfinished_of_machine(); // ".<machine>."

// A new file, on the process that writes it.
class NewFile {
 public:
  // Follows symbolic links. Throws OP_ERR_FILE if the file cannot be made.
  explicit NewFile(const std::string &path);
  ~NewFile(); // removes the file unless finish() has succeeded
  NewFile(const NewFile &) = delete;
  NewFile &operator=(const NewFile &) = delete;

  const std::string &path() const { return unfinished_; } // of the unfinished file
  // Brings the file to the disk and gives it its name. Throws OP_ERR_FILE.
  void finish();

 private:
  std::string path_, unfinished_;
};

// A whole new file, replacing an existing one when it is complete. Throws OP_ERR_FILE.
void write_new_file(const std::string &path, std::string_view bytes);

// Disk space reserved after the end of a file. `title`: the file in messages.
class Room {
 public:
  // Throws OP_ERR_FILE if the disk or the limit on file sizes leaves less.
  Room(const std::string &title, const std::string &path, std::int64_t bytes);
  ~Room(); // releases unused space
  Room(const Room &) = delete;
  Room &operator=(const Room &) = delete;

  void sync(); // brings all writes to the disk. Throws OP_ERR_FILE

 private:
  std::string title_;
  Descriptor file_;
};

// For processes with other working folders. The path itself if the working folder was removed.
std::string absolute_path(const std::string &path);

// Throws OP_ERR_FILE if the folder does not exist or the path is no regular file. Writing the file finds other errors.
void need_place(const std::string &path);

// Whether the file exists. but_empty: an empty file counts as none. Throws OP_ERR_FILE for folders, devices and paths
// without access.
bool file_is_there(const std::string &path, bool but_empty = false);

} // namespace op2::core

// SPDX-License-Identifier: MIT
