// Where the processes of one communicator show each other something: the one step that all collectives are made of.
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

  // Each process gives some bytes, written by fill(char *), and reads all in use(), with of(). `for_whom`: bit r % 64
  // for those processes r that need look.
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
  // The same with the bytes of others.
  void step() {
    share(
        0, [](char *) {}, [] {});
  }
  // Of the step that runs.
  size_t bytes_of(int rank) const { return said(rank).bytes; }
  bool is_for(int rank, int whom) const { return said(rank).for_whom >> (whom % 64) & 1; }
  const char *of(int rank); // fails when it cannot be mapped
  // 1 for the first one who asks.
  bool claim();

 private:
  static constexpr size_t no_memory = ~size_t{0};
  struct Said {
    uint64_t offset, bytes, for_whom; // offset 0: it lies in the slot
  };
  struct alignas(64) Line {
    comm_common::Counter step;
    Said said[2]; // steps alternate: who writes one has seen all others in the step between
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
  std::vector<Piece> others_; // their outboxes, as far as they were looked into
  size_t slot_bytes_ = 0;
  uint64_t step_ = 0;
};

} // namespace op2::comm_shm
