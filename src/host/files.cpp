#include "host/files.hpp"

#include <fcntl.h>
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
#include <vector>

#include "base/text.hpp"
#include "host/plugins/descriptor.hpp"
#include "host/plugins/without_signal.hpp"

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
  pid_t process = getpid();
};

void remove_remaining();

Remaining &remaining() {
  static Remaining *const all = [] {
    std::atexit(remove_remaining);
    return std::make_unique<Remaining>().release(); // which the handler needs after the end of main()
  }();
  return *all;
}

void remove_remaining() {
  Remaining &all = remaining();
  const std::lock_guard lock(all.mutex);
  if (all.process != getpid()) return; // a child of fork() has none
  std::error_code ignored;
  for (const std::string &path : all.paths) std::filesystem::remove_all(path, ignored);
}

} // namespace

TemporaryFolder::TemporaryFolder(const std::string &prefix) {
  const char *requested = secure_getenv("TMPDIR");
  std::vector<std::string> places = {"/tmp", "/var/tmp", "/dev/shm"};
  if (requested && requested[0] == '/') places.insert(places.begin(), requested);
  int error = 0;
  for (const std::string &place : places) {
    std::string path = text(place, "/", prefix, "XXXXXX");
    if (mkdtemp(path.data())) {
      path_ = path;
      const std::lock_guard lock(remaining().mutex);
      remaining().paths.insert(path);
      chmod(path.c_str(), S_IRWXU); // a umask may have left less, too little to remove it again
      return;
    }
    if (!error) error = errno;
  }
  throw std::runtime_error(text("no temporary folder can be made in ", listing(places), ": ", std::strerror(error)));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  const std::lock_guard lock(remaining().mutex);
  remaining().paths.erase(path_);
}

} // namespace op2::core
