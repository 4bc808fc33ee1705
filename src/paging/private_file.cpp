#include "paging/private_file.hpp"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/error.hpp"
#include "base/without_signal.hpp"
#include "paging/system_calls.hpp"

namespace op2::core::paging {

namespace {

// For the user that runs the program.
std::int64_t free_bytes(int file) {
  struct statvfs room {};
  if (fstatvfs(file, &room) != 0) return -1;
  return static_cast<std::int64_t>(room.f_bavail) * static_cast<std::int64_t>(room.f_frsize);
}

} // namespace

PrivateFile::PrivateFile(const std::string &folder, bool direct) : folder_(folder) {
  if (direct) file_ = open_without_name(O_DIRECT);
  direct_ = file_ >= 0;
  if (!direct_) file_ = open_without_name(0);
  if (file_ < 0)
    fail(OP_ERR_FILE, "cannot make a file in '", folder, "' for data larger than memory: ", std::strerror(errno),
         "; OP2_OOC_DIR chooses another folder");
}

PrivateFile::~PrivateFile() { close(file_); }

int PrivateFile::open_without_name(int flags) {
  const auto open = system_calls().open;
  const int file = open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL | flags, 0600);
  if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL && errno != ENOENT)) return file;
  // A file system, or a kernel, without files that never had a name.
  for (int i = 0; i < 100; ++i) {
    const std::string path = text(folder_, "/op2-paging-", getpid(), "-", i);
    const int named = open(path.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | flags, 0600);
    if (named >= 0) unlink(path.c_str());
    if (named >= 0 || errno != EEXIST) return named;
  }
  return -1;
}

// The file gets this size, with room on the disk for all of it. Returns 0 or an errno.
int PrivateFile::reserve(std::int64_t bytes) {
  const WithoutSignal signal(SIGXFSZ); // a limit on file sizes is an error like others
  int error = 0;
  do error = system_calls().reserve(file_, size_, bytes - size_) == 0 ? 0 : errno;
  while (error == EINTR);
  if (error == EOPNOTSUPP || error == ENOSYS) { // a file system that gives room to what is written only
    error = free_bytes(file_) < bytes - size_ ? ENOSPC : 0;
    if (error == 0 && ftruncate(file_, bytes) != 0) error = errno;
  }
  if (error != 0 && ftruncate(file_, size_) != 0) return errno; // gives back what it got
  return error;
}

std::int64_t PrivateFile::take(std::size_t bytes, const std::string &name) {
  const auto wanted = static_cast<std::int64_t>(bytes);
  for (auto range = free_.begin(); range != free_.end(); ++range) {
    const auto [offset, room] = *range;
    if (room < wanted) continue;
    free_.erase(range);
    if (room > wanted) free_.emplace(offset + wanted, room - wanted);
    return offset;
  }
  if (const int error = reserve(size_ + wanted); error != 0)
    fail(OP_ERR_FILE, "no room in '", folder_, "' for ", name, ": ", bytes, " bytes wanted, ", free_bytes(file_),
         " free (", std::strerror(error), "); OP2_OOC_DIR chooses a folder of another file system");
  size_ += wanted;
  return size_ - wanted;
}

void PrivateFile::give(std::int64_t offset, std::size_t bytes) {
  auto range = free_.emplace(offset, static_cast<std::int64_t>(bytes)).first;
  if (const auto next = std::next(range); next != free_.end() && range->first + range->second == next->first) {
    range->second += next->second;
    free_.erase(next);
  }
  if (range == free_.begin()) return;
  const auto before = std::prev(range);
  if (before->first + before->second != range->first) return;
  before->second += range->second;
  free_.erase(range);
}

} // namespace op2::core::paging

// SPDX-License-Identifier: MIT
