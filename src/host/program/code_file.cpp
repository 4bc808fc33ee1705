// code_file.cpp: see code_file.hpp.
#include "host/program/code_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <ctime>

#include "base/text.hpp"
#include "host/files.hpp"

namespace op2::core {

namespace {

constexpr std::time_t use_noted_after = 3600; // seconds; the cache removes what was not used for longest

bool is_of_user(const struct stat &info) {
  return info.st_uid == geteuid() && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// In /tmp, which is sticky, nobody can rename what belongs to others.
bool keeps_what_it_has(const struct stat &info) {
  return (info.st_uid == 0 || info.st_uid == geteuid()) &&
         ((info.st_mode & (S_IWGRP | S_IWOTH)) == 0 || (info.st_mode & S_ISVTX) != 0);
}

} // namespace

bool is_private_folder(const std::string &path) {
  char real[PATH_MAX];
  struct stat info {};
  if (!realpath(path.c_str(), real) || path != real) return false; // links on the way may change
  if (lstat(real, &info) != 0 || !S_ISDIR(info.st_mode) || !is_of_user(info)) return false;
  std::string above = real;
  while (above.size() > 1) {
    above.erase(std::max<std::size_t>(above.rfind('/'), 1));
    if (lstat(above.c_str(), &info) != 0 || !keeps_what_it_has(info)) return false;
  }
  return true;
}

CodeFile::CodeFile(const std::string &folder, const std::string &name, std::string_view bytes)
    : path_(text(folder, "/", name)) {
  const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
  if (!opened.valid() || !is_private_folder(folder)) return;
  if (!take(opened.number(), name, bytes) && write(opened.number(), name, bytes)) take(opened.number(), name, bytes);
}

bool CodeFile::take(int folder, const std::string &name, std::string_view bytes) {
  Descriptor file(openat(folder, name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
  struct stat info {};
  if (!file.valid() || fstat(file.number(), &info) != 0 || !S_ISREG(info.st_mode) || !is_of_user(info)) return false;
  const std::optional<std::string> found = read_all(file.number(), bytes.size());
  if (!found || *found != bytes) return false;
  const timespec times[2] = {{0, UTIME_NOW}, {0, UTIME_OMIT}};
  if (std::time(nullptr) - info.st_atim.tv_sec > use_noted_after) futimens(file.number(), times);
  file_ = std::move(file);
  return true;
}

// A new file beside, then one step to its place. A file that another process has loaded is never written to.
bool CodeFile::write(int folder, const std::string &name, std::string_view bytes) {
  timespec time{};
  clock_gettime(CLOCK_REALTIME, &time); // with the process, what makes names differ; O_EXCL makes sure
  const std::string temporary = text(".tmp-", getpid(), "-", time.tv_nsec);
  Descriptor file(openat(folder, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, S_IRWXU));
  if (!file.valid()) return false;
  bool done = write_all(file.number(), bytes).empty();
  done = ::close(file.release()) == 0 && done; // some file systems tell about a full disk only now
  done = done && renameat(folder, temporary.c_str(), folder, name.c_str()) == 0;
  if (!done) unlinkat(folder, temporary.c_str(), 0);
  return done;
}

bool CodeFile::in_place() const {
  struct stat here {
  }, there{};
  return fstat(file_.number(), &here) == 0 && lstat(path_.c_str(), &there) == 0 && here.st_ino == there.st_ino &&
         here.st_dev == there.st_dev;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
