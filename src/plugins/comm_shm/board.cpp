#include "board.hpp"

#include <algorithm>

namespace op2::comm_shm {

namespace {

constexpr size_t kept_bytes = size_t{16} << 20; // longer outboxes go back when they have been read
constexpr size_t least_outbox = size_t{1} << 20;

} // namespace

Board::Board(Memory &memory) : memory_(memory), others_(static_cast<size_t>(memory.size())) {
  const size_t processes = others_.size();
  slot_bytes_ = processes <= 64 ? 16384 : 4096;
  const size_t bytes = sizeof(Head) + processes * (sizeof(Line) + 2 * slot_bytes_);
  Job &job = memory_.job();
  const uint64_t number = ++memory_.seat(memory_.rank()).opened;
  if (memory_.rank() == 0) { // all have found the one before, since they have passed its first step
    piece_ = memory_.make(bytes);
    job.board = piece_.offset();
    job.boards.tell(number);
  } else {
    memory_.await(job.boards, number, 0);
    if (job.board != 0) piece_ = memory_.find(job.board, bytes);
  }
  if (!piece_.data()) fail(OP_ERR_MEMORY, "no shared memory for the messages of ", processes, " processes");
  step();
}

Board::~Board() {
  memory_.give_back(outbox_); // nobody is reading it: the step that used it is over
  if (piece_.data() && std::atomic_ref<int32_t>(head().closed).fetch_add(1) + 1 == memory_.size())
    memory_.give_back(piece_);
}

char *Board::slot(int rank) const {
  char *const slots = piece_.data() + sizeof(Head) + others_.size() * sizeof(Line);
  return slots + (2 * static_cast<size_t>(rank) + step_ % 2) * slot_bytes_;
}

// Begins the step.
char *Board::place(size_t bytes) {
  ++step_;
  if (bytes <= slot_bytes_) return slot(memory_.rank());
  if (outbox_.size() < bytes) {
    memory_.give_back(outbox_);
    outbox_ = memory_.make(std::max(bytes, least_outbox));
  }
  return outbox_.data();
}

void Board::show(size_t bytes, uint64_t for_whom) {
  const bool is_long = bytes != no_memory && bytes > slot_bytes_;
  Line &mine = line(memory_.rank());
  mine.said[step_ % 2] = {is_long ? outbox_.offset() : 0, bytes, for_whom};
  mine.step.tell(step_);
  await_all();
}

void Board::await_all() {
  for (int rank = 0; rank < memory_.size(); ++rank) memory_.await(line(rank).step, step_, rank);
}

void Board::refuse_failures() const {
  for (int rank = 0; rank < memory_.size(); ++rank)
    if (said(rank).bytes == no_memory) fail(OP_ERR_MEMORY, "process ", rank, " has no shared memory for its messages");
}

const char *Board::of(int rank) {
  if (said(rank).offset == 0) return slot(rank);
  if (rank == memory_.rank()) return outbox_.data();
  Piece &piece = others_[static_cast<size_t>(rank)];
  if (piece.offset() != said(rank).offset || piece.size() < said(rank).bytes)
    piece = memory_.find(said(rank).offset, said(rank).bytes);
  if (!piece.data())
    fail(OP_ERR_MEMORY, "messages of process ", rank, " (", said(rank).bytes, " bytes) cannot be mapped");
  return piece.data();
}

// An outbox is written again when all have read it.
void Board::finish() {
  bool any_long = false;
  for (int rank = 0; rank < memory_.size(); ++rank) any_long = any_long || said(rank).offset != 0;
  if (!any_long) return;
  ++step_;
  show(0, 0);
  if (outbox_.size() > kept_bytes) memory_.give_back(outbox_);
  for (Piece &piece : others_)
    if (piece.size() > kept_bytes) piece = Piece();
}

bool Board::claim() {
  int32_t nobody = 0;
  return std::atomic_ref<int32_t>(head().claimed).compare_exchange_strong(nobody, 1);
}

} // namespace op2::comm_shm

// SPDX-License-Identifier: MIT
