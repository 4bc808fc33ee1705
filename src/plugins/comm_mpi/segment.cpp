// Memory that processes of a node share, by POSIX names.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "segment.hpp"

namespace op2::comm_mpi {

namespace {

char *map(int file, size_t bytes) {
  void *const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return at == MAP_FAILED ? nullptr : static_cast<char *>(at);
}

} // namespace

Segment::Segment(Segment &&other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

Segment &Segment::operator=(Segment &&other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

Segment::~Segment() {
  if (data_) munmap(data_, bytes_);
}

// The memory is asked for at once: where there is too little of it, writing later would end the process.
Segment Segment::create(const std::string &name, size_t bytes) {
  Segment out;
  const int file = shm_open(name.c_str(), O_RDWR | O_CREAT | O_EXCL, S_IRUSR | S_IWUSR);
  if (file < 0) return out;
  if (posix_fallocate(file, 0, static_cast<off_t>(bytes)) == 0) out.data_ = map(file, bytes);
  if (out.data_)
    out.bytes_ = bytes;
  else
    shm_unlink(name.c_str());
  ::close(file);
  return out;
}

Segment Segment::open(const std::string &name) {
  Segment out;
  const int file = shm_open(name.c_str(), O_RDWR, 0);
  if (file < 0) return out;
  struct stat info {};
  if (fstat(file, &info) == 0 && info.st_uid == geteuid() && info.st_size > 0)
    out.data_ = map(file, static_cast<size_t>(info.st_size));
  if (out.data_) out.bytes_ = static_cast<size_t>(info.st_size);
  ::close(file);
  return out;
}

void Segment::forget(const std::string &name) { shm_unlink(name.c_str()); }

} // namespace op2::comm_mpi

// SPDX-License-Identifier: MIT
