// Where a file is written, so that what was there is not lost: new files get their name when they are complete, and
// files that grow have their room beforehand.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "host/plugins/descriptor.hpp"

namespace op2::core {

// Names of unfinished files: "<file>.<machine>.<process>.unfinished", or "<process>_<n>" where that was there.
constexpr std::string_view unfinished_end = ".unfinished";
std::string unfinished_of_machine(); // ".<machine>."

// A file that is made anew, on the process that makes it.
class NewFile {
 public:
  // Links are followed. Throws OP_ERR_FILE when no file can be there.
  explicit NewFile(const std::string &path);
  ~NewFile(); // removes it unless it was finished
  NewFile(const NewFile &) = delete;
  NewFile &operator=(const NewFile &) = delete;

  const std::string &path() const { return unfinished_; } // until then
  // All of it on the disk, and under its name. Throws OP_ERR_FILE.
  void finish();

 private:
  std::string path_, unfinished_;
};

// Room behind the end of a file, for what is added to it. `title` is how messages call the file.
class Room {
 public:
  // Throws OP_ERR_FILE when there is not that much.
  Room(const std::string &title, const std::string &path, std::int64_t bytes);
  ~Room(); // gives back what was not needed
  Room(const Room &) = delete;
  Room &operator=(const Room &) = delete;

  void sync(); // what was written is on the disk. Throws OP_ERR_FILE

 private:
  std::string title_;
  Descriptor file_;
};

// For processes that are in other folders. The path itself where this folder is no more.
std::string absolute_path(const std::string &path);

// Throws OP_ERR_FILE where a file cannot be for want of a folder, or is none. What else is wrong shows when it is
// written.
void need_place(const std::string &path);

// Throws OP_ERR_FILE for folders, devices and names that cannot be looked at. but_empty: one without a byte does not
// count.
bool file_is_there(const std::string &path, bool but_empty = false);

} // namespace op2::core
