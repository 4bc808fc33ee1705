// Shared memory in which each process of a communicator publishes bytes to all: the step of which all collectives
// consist.
#pragma once

#include <cstring>
#include <vector>

#include "memory.hpp"

namespace op2::comm_shm {

class Board {
 public:
  // Collective over the job.
  explicit Board(Memory &memory);
  ~Board();
  Board(const Board &) = delete;
  Board &operator=(const Board &) = delete;

  // Collective. Each process writes `bytes` bytes in fill(char *), and reads the bytes of all processes by of() in
  // use(). for_whom: bit r % 64 for processes r that must read them.
  template <class Fill, class Use>
  void share(size_t bytes, const Fill &fill, const Use &use, uint64_t for_whom = ~uint64_t{0}) {
    char *const into = place(bytes);
    if (into && bytes > 0) fill(into);
    show(into ? bytes : no_memory, for_whom);
    try {
      refuse_failures();
      use();
    } catch (...) {
      finish();
      throw;
    }
    finish();
  }
  // A step without bytes.
  void step() {
    share(
        0, [](char *) {}, [] {});
  }
  // About the current step.
  size_t bytes_of(int rank) const { return said(rank).bytes; }
  bool is_for(int rank, int whom) const { return said(rank).for_whom >> (whom % 64) & 1; }
  const char *of(int rank); // throws if it cannot be mapped
  // The last message that was posted to a process: its offset, 0 = none (post.cpp).
  uint64_t &inbox(int rank) const { return line(rank).inbox; }
  // True for the first process that calls it.
  bool claim();

 private:
  static constexpr size_t no_memory = ~size_t{0};
  struct Said {
    uint64_t offset, bytes, for_whom; // offset 0: the bytes are in the slot
  };
  struct alignas(64) Line {
    comm_common::Counter step;
    alignas(64) uint64_t inbox;
    Said said[2]; // for alternate steps: a process that rewrites one has seen all others in the step between
  };
  struct alignas(64) Head {
    int32_t claimed, closed;
  };
  Head &head() const { return *reinterpret_cast<Head *>(piece_.data()); }
  Line &line(int rank) const { return reinterpret_cast<Line *>(piece_.data() + sizeof(Head))[rank]; }
  const Said &said(int rank) const { return line(rank).said[step_ % 2]; }
  char *slot(int rank) const;
  char *place(size_t bytes);
  void show(size_t bytes, uint64_t for_whom);
  void await_all();
  void refuse_failures() const;
  void finish();

  Memory &memory_;
  Piece piece_, outbox_;
  std::vector<Piece> others_; // outboxes of other processes, mapped at their first use
  size_t slot_bytes_ = 0;
  uint64_t step_ = 0;
};

} // namespace op2::comm_shm

// SPDX-License-Identifier: MIT
