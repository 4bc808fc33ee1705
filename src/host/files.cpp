#include "host/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "base/without_signal.hpp"
#include "host/process.hpp"

namespace op2::core {

std::string write_all(int file, std::string_view bytes) {
  const WithoutSignal signal(SIGXFSZ);
  while (!bytes.empty()) {
    const ssize_t count = write(file, bytes.data(), bytes.size());
    if (count > 0)
      bytes.remove_prefix(static_cast<std::size_t>(count));
    else if (count == 0)
      return std::strerror(ENOSPC);
    else if (errno != EINTR)
      return std::strerror(errno);
  }
  return {};
}

std::optional<std::string> read_all(int file, std::size_t most) {
  std::string out;
  std::array<char, 16384> buffer;
  for (;;) {
    const ssize_t count = read(file, buffer.data(), buffer.size());
    if (count == 0) return out;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 || out.size() + static_cast<std::size_t>(count) > most) return std::nullopt;
    out.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

std::string write_file(const std::string &path, std::string_view bytes, unsigned mode) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode));
  if (!file.valid()) return text(path, ": ", std::strerror(errno));
  const std::string problem = write_all(file.number(), bytes);
  if (!problem.empty()) return text(path, ": ", problem);
  // Some file systems (NFS, quotas) tell about a full disk only now.
  return ::close(file.release()) == 0 ? std::string() : text(path, ": ", std::strerror(errno));
}

std::optional<std::string> read_file(const std::string &path, std::size_t most) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)); // a pipe is not waited for
  if (!file.valid()) return std::nullopt;
  return read_all(file.number(), most);
}

std::string make_folders(const std::string &path, unsigned mode) {
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string part = path.substr(0, end);
    struct stat info {};
    if (mkdir(part.c_str(), mode) != 0) {
      const int error = errno;
      const bool there = stat(part.c_str(), &info) == 0;
      if (there && !S_ISDIR(info.st_mode)) return text(part, ": not a folder");
      if (!there) return text(part, ": ", std::strerror(error));
    }
    if (end == std::string::npos) return {};
  }
}

namespace {

// The folders of this process that still exist: a program may end while a compiler is at work.
struct Remaining {
  std::mutex mutex;
  std::set<std::string> paths;
  bool swept = false, ended = false;
  pid_t process = getpid();
};

Remaining &remaining() {
  static Remaining *const all = [] {
    std::atexit(leave_nothing_behind);
    return std::make_unique<Remaining>().release(); // which the handler needs after the end of main()
  }();
  return *all;
}

// Without a free descriptor only an empty folder can be removed; false: it is still there.
bool removed(const std::string &path) {
  std::error_code error;
  if (rmdir(path.c_str()) == 0 || errno == ENOENT) return true;
  std::filesystem::remove_all(path, error);
  return !error;
}

// A part of the names that tells which system's locks count: other machines may share the place. "" if unknown.
std::string system_part() {
  constexpr std::size_t length = 8;
  const std::optional<std::string> id = read_file("/proc/sys/kernel/random/boot_id", 64);
  return id && id->size() > length ? id->substr(0, length) + "-" : "";
}

bool is_locked_by_us(const Descriptor &folder, const std::string &path) {
  struct stat opened {
  }, named{};
  return flock(folder.number(), LOCK_EX | LOCK_NB) == 0 && fstat(folder.number(), &opened) == 0 &&
         lstat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev &&
         opened.st_uid == geteuid();
}

// The system frees the locks of a process that ends, however it does.
void remove_abandoned(const std::string &place, const std::string &system) {
  std::error_code error;
  std::filesystem::directory_iterator each(place, error), end;
  std::vector<std::string> paths;
  for (; !error && each != end; each.increment(error)) {
    const std::string name = each->path().filename();
    const std::size_t random = sizeof "XXXXXX" - 1;
    if (name.starts_with("op2-") && name.size() > system.size() + random &&
        name.substr(name.size() - random - system.size(), system.size()) == system)
      paths.push_back(each->path());
  }
  for (const std::string &path : paths) {
    const Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
    if (folder.valid() && is_locked_by_us(folder, path)) std::filesystem::remove_all(path, error);
  }
}

// A new folder at a place. Returns "" and errno where none can be made. Another process that looks for abandoned ones
// may be the first to lock it, and removes it then.
std::string make_held(const std::string &start, Descriptor &held) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    std::string path = start + "XXXXXX";
    if (!mkdtemp(path.data())) return {};
    chmod(path.c_str(), S_IRWXU); // a umask may have left less, too little to remove it again
    held = Descriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
    if (!held.valid() && errno != ENOENT) { // too few descriptors: none for the files in it either
      const int error = errno;
      rmdir(path.c_str());
      errno = error;
      return {};
    }
    if (!held.valid()) continue;
    const bool locks = flock(held.number(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; // some disks have none
    if (locks && access(path.c_str(), F_OK) == 0) return path;
  }
  errno = EAGAIN;
  return {};
}

} // namespace

void leave_nothing_behind() noexcept {
  Remaining &all = remaining();
  if (all.process != getpid()) return; // a child of fork() has none, and somebody may have held the mutex
  end_processes();                     // a compiler would go on writing
  const std::lock_guard lock(all.mutex);
  all.ended = true;
  try {
    for (const std::string &path : all.paths) // a compiler dies a moment after it is killed
      for (int attempt = 0; attempt < 100 && !removed(path); ++attempt) usleep(1000);
  } catch (...) { // no memory: a later run removes them
  }
}

TemporaryFolder::TemporaryFolder(const std::string &prefix) {
  const char *requested = secure_getenv("TMPDIR");
  std::vector<std::string> places = {"/tmp", "/var/tmp", "/dev/shm"};
  if (requested && requested[0] == '/') places.insert(places.begin(), requested);
  const std::string system = system_part();
  Remaining &all = remaining();
  const std::lock_guard lock(all.mutex);
  if (all.process != getpid()) all.process = getpid(), all.paths.clear(), all.swept = false;
  if (all.ended) throw std::runtime_error("no temporary folder is made: the program ends");
  int error = 0;
  for (const std::string &place : places) {
    path_ = make_held(text(place, "/", prefix, system), held_);
    if (!path_.empty()) {
      all.paths.insert(path_);
      if (!std::exchange(all.swept, true) && !system.empty()) remove_abandoned(place, system);
      return;
    }
    if (!error) error = errno;
  }
  throw std::runtime_error(text("no temporary folder can be made in ", listing(places), ": ", std::strerror(error)));
}

TemporaryFolder::~TemporaryFolder() {
  held_ = Descriptor(); // one more for the removal
  const bool gone = removed(path_);
  const std::lock_guard lock(remaining().mutex);
  if (gone) remaining().paths.erase(path_); // else the end of the program tries again
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
