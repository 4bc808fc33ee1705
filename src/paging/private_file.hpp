// The file of a pager: nobody else can open it, it goes with its process, and it has room for all that is stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace op2::core::paging {

class PrivateFile {
 public:
  // direct: past the kernel's page cache, if the file system can. Throws OP_ERR_FILE with the folder and the reason.
  PrivateFile(const std::string &folder, bool direct);
  ~PrivateFile();
  PrivateFile(const PrivateFile &) = delete;
  PrivateFile &operator=(const PrivateFile &) = delete;

  // A range of the file (bytes: whole blocks) with room on the disk: its offset. Throws OP_ERR_FILE if there is none.
  // name: of what is to be stored.
  std::int64_t take(std::size_t bytes, const std::string &name);
  void give(std::int64_t offset, std::size_t bytes); // for others that are taken later

  int number() const { return file_; }
  bool direct() const { return direct_; }
  const std::string &folder() const { return folder_; }

 private:
  int open_without_name(int flags);
  int reserve(std::int64_t bytes);

  std::string folder_;
  int file_ = -1;
  bool direct_ = false;
  std::int64_t size_ = 0;
  std::map<std::int64_t, std::int64_t> free_; // bytes by offset; no two are neighbours
};

} // namespace op2::core::paging

// SPDX-License-Identifier: MIT
