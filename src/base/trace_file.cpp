#include "base/trace_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <set>

#include "base/error.hpp"

namespace op2::core {

namespace {

// "trace.json" and ".1" give "trace.1.json".
std::string before_extension(const std::string &name, const std::string &insertion) {
  const std::filesystem::path path = name;
  return (path.parent_path() / (path.stem().string() + insertion + path.extension().string())).string();
}

// The files that this process has written traces to. Contexts come one after another, but from any thread.
std::mutex written_mutex;
std::set<std::string> &written() {
  static std::set<std::string> names;
  return names;
}

std::string unused_name(const std::string &name) {
  std::string candidate = name;
  std::error_code ignored; // a device or a pipe may be written again, and a file that was taken away too
  for (int n = 2; written().count(candidate) && std::filesystem::is_regular_file(candidate, ignored); ++n)
    candidate = before_extension(name, text("-", n));
  return candidate;
}

} // namespace

std::string trace_file_name(const std::string &pattern, int rank) {
  std::string out;
  bool distinct = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char next = pattern[i] == '%' && i + 1 < pattern.size() ? pattern[i + 1] : '\0';
    if (next != 'r' && next != 'p' && next != '%') {
      out += pattern[i];
      continue;
    }
    ++i;
    distinct = distinct || next != '%';
    out += next == '%' ? "%" : text(next == 'r' ? static_cast<long>(rank) : static_cast<long>(getpid()));
  }
  return rank == 0 || distinct ? out : before_extension(out, text(".", rank));
}

TraceFile::TraceFile(const std::string &name) {
  const std::lock_guard lock(written_mutex);
  path_ = unused_name(name);
  descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0)
    fail(OP_ERR_FILE, "setting OP2_TRACE='", name, "': cannot write '", path_, "': ", std::strerror(errno));
  if (!write_all("[\n", 2)) {
    const int why = errno;
    ::close(descriptor_);
    fail(OP_ERR_FILE, "setting OP2_TRACE='", name, "': cannot write '", path_, "': ", std::strerror(why));
  }
  length_ = 2;
  written().insert(path_);
}

bool TraceFile::write_all(const char *data, std::size_t bytes) noexcept {
  while (bytes > 0) {
    const ssize_t written = ::write(descriptor_, data, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    data += written;
    bytes -= static_cast<std::size_t>(written);
  }
  return true;
}

bool TraceFile::append(const std::string &events) noexcept {
  if (events.empty()) return true;
  const std::size_t comma = empty_ ? 0 : 2;
  if ((comma == 0 || write_all(",\n", comma)) && write_all(events.data(), events.size())) {
    length_ += static_cast<off_t>(comma + events.size());
    empty_ = false;
    return true;
  }
  // Half an event would spoil the file. On a pipe this does nothing, and nothing can be done.
  const int why = errno;
  if (ftruncate(descriptor_, length_) == 0) lseek(descriptor_, length_, SEEK_SET);
  errno = why;
  return false;
}

bool TraceFile::close() noexcept {
  if (descriptor_ < 0) return true;
  const bool written = write_all("\n]\n", 3);
  const int why = errno;
  const bool closed = ::close(descriptor_) == 0;
  descriptor_ = -1;
  if (!written) errno = why;
  return written && closed;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
