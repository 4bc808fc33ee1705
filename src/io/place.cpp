#include "io/place.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include "base/error.hpp"
#include "host/files.hpp"

namespace op2::core {

namespace {

[[noreturn]] void refuse_titled(const std::string &title, int error) {
  fail(OP_ERR_FILE, title, ": ", std::strerror(error));
}
[[noreturn]] void refuse(const std::string &path, int error) { refuse_titled(text("file '", path, "'"), error); }

// Some file systems have nothing to bring to a disk.
bool is_synced(int file) { return fsync(file) == 0 || errno == EINVAL || errno == ENOSYS; }

std::string folder_of(const std::string &path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

// Where a path leads at the end of all links.
std::string resolved(const std::string &path) {
  std::error_code error;
  const std::filesystem::path out = std::filesystem::weakly_canonical(path, error);
  return error ? path : out.string();
}

// Where room cannot be kept free, the disk may still say that there is too little. 0 blocks: it does not say.
bool is_too_full(int file, std::int64_t bytes) {
  struct statvfs disk;
  return fstatvfs(file, &disk) == 0 && disk.f_blocks > 0 &&
         static_cast<std::uint64_t>(bytes) / std::max<std::uint64_t>(disk.f_frsize, 1) >= disk.f_bavail;
}

// Why the file cannot grow by so many bytes; 0: it can. Some file systems tell only when it is too late.
int keep_free(int file, std::int64_t size, std::int64_t bytes) {
  if (bytes <= 0 || fallocate(file, FALLOC_FL_KEEP_SIZE, size, bytes) == 0) return 0;
  if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG) return errno;
  return is_too_full(file, bytes) ? ENOSPC : 0;
}

} // namespace

bool file_is_there(const std::string &path, bool but_empty) {
  struct stat facts;
  if (stat(path.c_str(), &facts) == 0) {
    if (S_ISREG(facts.st_mode)) return !but_empty || facts.st_size > 0;
    fail(OP_ERR_FILE, "file '", path, "': it is ", S_ISDIR(facts.st_mode) ? "a folder" : "no ordinary file");
  }
  if (errno != ENOENT) refuse(path, errno);
  return false;
}

std::string absolute_path(const std::string &path) {
  std::error_code error;
  const std::string out = std::filesystem::absolute(path, error).string();
  return error ? path : out;
}

void need_place(const std::string &path) {
  struct stat facts;
  const std::string folder = folder_of(resolved(path));
  if (!file_is_there(path) && stat(folder.c_str(), &facts) != 0)
    fail(OP_ERR_FILE, "file '", path, "' cannot be written: folder '", folder, "': ", std::strerror(errno));
}

std::string unfinished_of_machine() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) name[0] = '\0';
  return text(".", name[0] ? name.data() : "localhost", ".");
}

NewFile::NewFile(const std::string &path) : path_(resolved(path)) {
  std::optional<mode_t> mode; // of the file it replaces
  if (file_is_there(path_)) {
    struct stat facts;
    if (stat(path_.c_str(), &facts) == 0) mode = facts.st_mode & 0777;
    if (access(path_.c_str(), W_OK) != 0) refuse(path, errno);
  }
  constexpr int most_left_over = 100; // by killed processes of this number
  Descriptor made;
  for (int attempt = 0; !made.valid() && attempt < most_left_over; ++attempt) {
    unfinished_ = text(path_, unfinished_of_machine(), getpid(), attempt > 0 ? text("_", attempt) : "", unfinished_end);
    made = Descriptor(open(unfinished_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666));
    if (!made.valid() && errno != EEXIST) break;
  }
  if (!made.valid()) {
    const int error = errno;
    unfinished_.clear();
    fail(OP_ERR_FILE, "file '", path, "' cannot be written: folder '", folder_of(path_), "': ", std::strerror(error));
  }
  if (mode && fchmod(made.number(), *mode) != 0) errno = 0; // a file system without modes
}

NewFile::~NewFile() {
  if (!unfinished_.empty()) unlink(unfinished_.c_str());
}

void NewFile::finish() {
  {
    const Descriptor made(open(unfinished_.c_str(), O_RDONLY | O_CLOEXEC));
    if (!made.valid()) refuse(path_, errno);
    if (!is_synced(made.number())) refuse(path_, errno);
  }
  if (rename(unfinished_.c_str(), path_.c_str()) != 0) refuse(path_, errno);
  unfinished_.clear();
  const Descriptor folder(open(folder_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.valid()) fsync(folder.number()); // the name
}

void write_new_file(const std::string &path, std::string_view bytes) {
  NewFile file(path);
  if (const std::string problem = write_file(file.path(), bytes, 0666); !problem.empty()) fail(OP_ERR_FILE, problem);
  file.finish();
}

Room::Room(const std::string &title, const std::string &path, std::int64_t bytes)
    : title_(title), file_(open(path.c_str(), O_WRONLY | O_CLOEXEC)) {
  struct stat facts;
  if (!file_.valid() || fstat(file_.number(), &facts) != 0) refuse_titled(title, errno);
  rlimit limit{};
  int error = 0;
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
      static_cast<rlim_t>(facts.st_size + bytes) > limit.rlim_cur)
    error = EFBIG;
  else
    error = keep_free(file_.number(), facts.st_size, bytes);
  if (error != 0)
    fail(OP_ERR_FILE, title, ": ", std::strerror(error), "; ", bytes,
         " more bytes are needed, and nothing was written");
}

Room::~Room() {
  struct stat facts;
  if (fstat(file_.number(), &facts) == 0 && ftruncate(file_.number(), facts.st_size) != 0)
    errno = 0; // it stays as large as it is
}

void Room::sync() {
  struct stat facts;
  if (fstat(file_.number(), &facts) == 0 && facts.st_nlink == 0)
    fail(OP_ERR_FILE, title_, ": it was deleted or replaced while it was written, and what was written is lost");
  if (!is_synced(file_.number())) refuse_titled(title_, errno);
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
