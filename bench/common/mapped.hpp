// mapped.hpp: arrays in a mapped file, which the kernel pages, and a control group that limits the memory of a process.
#ifndef OP2_BENCH_MAPPED_HPP
#define OP2_BENCH_MAPPED_HPP

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>

namespace bench {

[[noreturn]] inline void fail_with_errno(const std::string &what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

// A file without a name, to which arrays move that keep their addresses and values.
class MappedFile {
 public:
  explicit MappedFile(const std::string &folder) {
    std::string name = folder + "/bench_mapped_XXXXXX";
    file_ = mkstemp(name.data());
    if (file_ < 0) fail_with_errno("cannot make a file in " + folder);
    unlink(name.c_str());
  }
  MappedFile(const MappedFile &) = delete;
  MappedFile &operator=(const MappedFile &) = delete;
  ~MappedFile() { close(file_); }

  // Their whole pages.
  void take(std::span<char> array) {
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const auto start = reinterpret_cast<std::uintptr_t>(array.data()), begin = (start + page - 1) / page * page,
               end = (start + array.size()) / page * page;
    if (begin >= end) return;
    char *const first = array.data() + (begin - start);
    for (std::size_t done = 0; done < end - begin;) {
      const ssize_t moved = pwrite(file_, first + done, end - begin - done, offset_ + static_cast<off_t>(done));
      if (moved <= 0) fail_with_errno("cannot write the mapped file");
      done += static_cast<std::size_t>(moved);
    }
    if (mmap(first, end - begin, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file_, offset_) == MAP_FAILED)
      fail_with_errno("cannot map the file");
    offset_ += static_cast<off_t>(end - begin);
  }
  // The kernel holds none of it.
  void leave_memory() const {
    if (fdatasync(file_) != 0) fail_with_errno("cannot write the mapped file");
    posix_fadvise(file_, 0, 0, POSIX_FADV_DONTNEED);
  }

 private:
  int file_;
  off_t offset_ = 0;
};

// The group in folder BENCH_CGROUP, which somebody has made for this purpose: in it, and in no other one, a process
// and a limit may be put. Of either version of the kernel's interface.
class MemoryGroup {
 public:
  MemoryGroup() {
    const char *const folder = std::getenv("BENCH_CGROUP");
    if (!folder) {
      why_ = "BENCH_CGROUP names no control group whose memory may be limited";
      return;
    }
    folder_ = folder;
    for (const char *name : {"/memory.max", "/memory.limit_in_bytes"})
      if (limit_.empty() && access((folder_ + name).c_str(), W_OK) == 0) limit_ = folder_ + name;
    if (limit_.empty())
      why_ = folder_ + " has no memory.max or memory.limit_in_bytes that may be written";
    else if (access((folder_ + "/cgroup.procs").c_str(), W_OK) != 0)
      why_ = folder_ + "/cgroup.procs may not be written";
  }
  [[nodiscard]] const std::string &why_not() const { return why_; } // "" = it can be used

  // This process gets so many bytes from now on. What it holds already does not count.
  void enter(double bytes) const {
    put(limit_, std::to_string(static_cast<long long>(bytes)));
    put(folder_ + "/cgroup.procs", std::to_string(getpid()));
  }

 private:
  static void put(const std::string &file, const std::string &text) {
    const int out = open(file.c_str(), O_WRONLY);
    const bool done = out >= 0 && write(out, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    const int error = errno;
    if (out >= 0) close(out);
    if (!done) throw std::runtime_error("cannot write " + text + " to " + file + ": " + std::strerror(error));
  }
  std::string folder_, limit_, why_;
};

// What this process has read from disks, and changed for them, in bytes.
struct DiskBytes {
  double read = 0, written = 0;
  static DiskBytes so_far() {
    DiskBytes out;
    std::ifstream in("/proc/self/io");
    std::string name;
    for (double value = 0; in >> name >> value;) {
      if (name == "read_bytes:") out.read = value;
      if (name == "write_bytes:") out.written = value;
    }
    return out;
  }
};

} // namespace bench

#endif

// SPDX-License-Identifier: MIT
