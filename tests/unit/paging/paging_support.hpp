// paging_support.hpp: arrays in odd places, beside the values that they must have, and system calls that fail when
// told.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "paging/engine.hpp"
#include "paging/pager.hpp"
#include "paging/system_calls.hpp"
#include "support.hpp"

namespace unit {

using op2::core::Chunks;
using op2::core::IoWay;
using op2::core::Pager;
using op2::core::PagerOptions;
using op2::core::PagerStats;
using op2::core::paging::system_calls;
using op2::core::paging::SystemCalls;
using op2::core::paging::uring_works;

// An empty folder, removed with its contents.
class EmptyFolder {
 public:
  EmptyFolder() {
    path_ = testing::TempDir() + "op2_paging_XXXXXX";
    if (!mkdtemp(path_.data())) ADD_FAILURE() << path_;
  }
  ~EmptyFolder() { std::filesystem::remove_all(path_); }
  EmptyFolder(const EmptyFolder &) = delete;
  EmptyFolder &operator=(const EmptyFolder &) = delete;

  const std::string &path() const { return path_; }
  bool empty() const { return std::filesystem::is_empty(path_); }

 private:
  std::string path_;
};

// Numbers in memory that a pager may have, `skip` bytes after the start of an allocation.
class Numbers {
 public:
  enum class Where { vector, heap, pages };
  Numbers(Where where, std::size_t count, std::size_t skip) : where_(where), right(count) {
    const std::size_t bytes = count * sizeof(std::uint64_t) + skip;
    if (where == Where::vector) {
      vector_.resize(bytes);
      memory_ = vector_.data();
    } else if (where == Where::heap) {
      memory_ = static_cast<char *>(std::malloc(bytes));
    } else {
      mapped_ = bytes;
      memory_ = static_cast<char *>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    }
    data = reinterpret_cast<std::uint64_t *>(memory_ + skip);
    for (std::size_t i = 0; i < count; ++i) data[i] = right[i] = i * 0x9E3779B97F4A7C15U + skip;
  }
  ~Numbers() {
    if (where_ == Where::heap) std::free(memory_);
    if (where_ == Where::pages) munmap(memory_, mapped_);
  }
  Numbers(const Numbers &) = delete;
  Numbers &operator=(const Numbers &) = delete;

  std::size_t count() const { return right.size(); }
  std::size_t bytes() const { return count() * sizeof(std::uint64_t); }
  void set(std::size_t i, std::uint64_t value) { data[i] = right[i] = value; }
  // How many of [begin, end) are wrong.
  std::size_t wrong(std::size_t begin, std::size_t end) const {
    std::size_t out = 0;
    for (std::size_t i = begin; i < end; ++i) out += data[i] != right[i];
    return out;
  }
  std::size_t wrong() const { return wrong(0, count()); }
  Chunks all(const Pager &pager) const { return pager.chunks_of(array, 0, bytes()); }

 private:
  Where where_;
  std::vector<char> vector_;
  char *memory_ = nullptr;
  std::size_t mapped_ = 0;

 public:
  std::uint64_t *data = nullptr;
  std::vector<std::uint64_t> right;
  int array = -1;
};

// Makes one system call of the pager fail, in its scope: the N-th one of a kind, or all after it.
enum class Plant { none, read, write, reserve, open };
enum class How { error, interrupted, part, end };
class Planted {
 public:
  Planted(Plant what, How how, int nth, int error = EIO, bool lasting = false) : before_(system_calls()) {
    what_ = what, how_ = how, error_ = error, lasting_ = lasting;
    first_ = left_ = nth;
    met_ = 0;
    system_calls() = {open, reserve, read, write, completed};
  }
  ~Planted() { system_calls() = before_; }
  Planted(const Planted &) = delete;
  Planted &operator=(const Planted &) = delete;

  bool met() const { return met_ > 0; }
  std::size_t calls() const { return static_cast<std::size_t>(first_ - left_); } // of the kind

 private:
  static bool now(Plant what) {
    if (what != what_) return false;
    const int left = --left_;
    if (left > 0 || (left < 0 && !lasting_)) return false;
    ++met_;
    return true;
  }
  // What a call gives that would move these bytes.
  static std::int64_t fail(std::int64_t bytes) {
    if (how_ == How::part) return bytes / 3 / 512 * 512; // whole sectors, as the disk does
    if (how_ == How::end) return 0;
    errno = how_ == How::interrupted ? EINTR : error_;
    return -1;
  }
  static int open(const char *path, int flags, unsigned mode) {
    return now(Plant::open) ? static_cast<int>(fail(0)) : ::open(path, flags, mode);
  }
  static int reserve(int file, std::int64_t offset, std::int64_t bytes) {
    return now(Plant::reserve) ? static_cast<int>(fail(0)) : ::fallocate(file, 0, offset, bytes);
  }
  static std::int64_t read(int file, void *to, std::size_t bytes, std::int64_t offset) {
    if (!now(Plant::read)) return ::pread(file, to, bytes, offset);
    return how_ == How::part ? ::pread(file, to, bytes / 3 / 512 * 512, offset) : fail(0);
  }
  static std::int64_t write(int file, const void *from, std::size_t bytes, std::int64_t offset) {
    if (!now(Plant::write)) return ::pwrite(file, from, bytes, offset);
    return how_ == How::part ? ::pwrite(file, from, bytes / 3 / 512 * 512, offset) : fail(0);
  }
  static int completed(bool write, int result) {
    if (result <= 0 || !now(write ? Plant::write : Plant::read)) return result;
    const auto moved = static_cast<int>(fail(result));
    return moved < 0 ? -errno : moved;
  }

  static inline Plant what_ = Plant::none;
  static inline How how_ = How::error;
  static inline int error_ = 0;
  static inline bool lasting_ = false;
  static inline std::atomic<int> left_, met_;
  int first_ = 0;
  SystemCalls before_;
};

// Tests that run with each engine.
class PagingTest : public testing::TestWithParam<IoWay> {
 protected:
  void SetUp() override {
    if (GetParam() == IoWay::uring && !uring_works()) GTEST_SKIP() << "io_uring does not work here";
  }
  PagerOptions options(std::size_t limit, std::size_t chunk) const {
    PagerOptions out;
    out.folder = folder.path();
    out.limit = limit;
    out.chunk = chunk;
    out.io = GetParam();
    return out;
  }
  EmptyFolder folder;
};
inline std::string way_name(const testing::TestParamInfo<IoWay> &way) {
  return way.param == IoWay::uring ? "uring" : "threads";
}

} // namespace unit

// SPDX-License-Identifier: MIT
