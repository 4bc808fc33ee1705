// The memory of a job: one unnamed file that all its processes have open. Pieces are allocated at its end and freed as
// holes of the file, so no name is left behind and limits of file systems do not apply.
#pragma once

#include <utility>

#include "job.hpp"
#include "plugins/comm_common/entry.hpp"

namespace op2::comm_shm {

using comm_common::fail;

// A piece as mapped by this process.
class Piece {
 public:
  Piece() = default;
  Piece(int file, uint64_t offset, size_t bytes); // empty if it cannot be mapped
  ~Piece();
  Piece(Piece &&other) noexcept { swap(other); }
  Piece &operator=(Piece &&other) noexcept {
    Piece(std::move(other)).swap(*this);
    return *this;
  }
  char *data() const { return data_; }
  size_t size() const { return bytes_; }
  uint64_t offset() const { return offset_; }

 private:
  void swap(Piece &other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    std::swap(offset_, other.offset_);
  }
  char *data_ = nullptr;
  size_t bytes_ = 0;
  uint64_t offset_ = 0;
};

class Memory {
 public:
  // Of the job that op2_launch started, or of a single process. Throws a Failure.
  Memory();
  ~Memory();
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;

  Job &job() const { return *reinterpret_cast<Job *>(head_.data()); }
  int rank() const { return rank_; }
  int size() const { return size_; }
  Seat &seat(int rank) const { return job().seats[rank]; }

  Piece make(size_t bytes); // zeros; empty if there is not enough memory
  Piece find(uint64_t offset, size_t bytes) const { return Piece(file_, offset, bytes); }
  void give_back(Piece &piece); // no process needs its contents

  // Waits until process `from` has raised the counter to `least`; throws a Failure when it never will.
  void await(comm_common::Counter &counter, uint64_t least, int from) const;
  void refuse_when_over() const; // throws a Failure when the job ends
  void refuse_when_over(int from, comm_common::Counter &counter, uint64_t least) const;

 private:
  void refuse_when_noted() const; // ... and the memory says so
  void join(const char *size);
  void be_alone();
  void sit_down();
  int file_ = -1;
  bool own_file_ = false;
  int rank_ = 0, size_ = 1, spins_ = 0;
  Piece head_;
};

// "process 1 was killed by signal 9 (Killed)"
std::string summary_of(const Ending &ending);

} // namespace op2::comm_shm

// SPDX-License-Identifier: MIT
