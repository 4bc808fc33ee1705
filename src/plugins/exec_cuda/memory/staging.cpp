// staging.cpp: a ring of page-locked pieces that grows up to its limit.
#include "memory/staging.hpp"

#include <algorithm>
#include <cstring>

namespace op2::exec_cuda {

namespace {
constexpr size_t piece_bytes = size_t{2} << 20; // long enough for the full bandwidth of the bus
} // namespace

Staging::Staging(const Driver &driver, const Queue &stream) : driver_(driver), stream_(stream) {}

Staging::Piece &Staging::take() {
  for (;;) {
    if (!pieces_.empty()) {
      next_ %= pieces_.size();
      Piece &piece = *pieces_[next_];
      if (piece.waiting && piece.used.past()) piece.waiting = false;
      const bool full = pieces_.size() == most_pieces_;
      if (!piece.held && full && piece.waiting) {
        piece.used.wait();
        piece.waiting = false;
      }
      if (!piece.held && !piece.waiting) {
        ++next_;
        return piece;
      }
      if (full) { // held: there are others
        ++next_;
        continue;
      }
    }
    grow();
  }
}

void Staging::grow() {
  try {
    pieces_.insert(pieces_.begin() + static_cast<std::ptrdiff_t>(next_),
                   std::make_unique<Piece>(Piece{Pinned(driver_, piece_bytes), Event(driver_), false, false}));
  } catch (const Failure &) {
    if (pieces_.size() < 2) throw;
    most_pieces_ = pieces_.size(); // the machine allows no more: these are used in turn
  }
}

void Staging::to_device(CUdeviceptr to, const char *from, size_t bytes) {
  while (bytes > 0) {
    Piece &piece = take();
    const size_t length = std::min(bytes, piece_bytes);
    std::memcpy(piece.memory.data(), from, length);
    driver_.check(driver_.cuMemcpyHtoDAsync(to, piece.memory.data(), length, stream_), "copy to the device");
    piece.used.record(stream_);
    piece.waiting = true;
    to += length;
    from += length;
    bytes -= length;
  }
}

void Staging::to_host(char *to, CUdeviceptr from, size_t bytes) {
  Piece *before = nullptr;
  size_t length_before = 0;
  while (bytes > 0 || before) {
    Piece *piece = nullptr;
    const size_t length = std::min(bytes, piece_bytes);
    if (bytes > 0) {
      piece = &take();
      driver_.check(driver_.cuMemcpyDtoHAsync(piece->memory.data(), from, length, stream_), "copy from the device");
      piece->used.record(stream_);
      piece->waiting = piece->held = true;
      from += length;
      bytes -= length;
    }
    if (before) {
      before->used.wait();
      std::memcpy(to, before->memory.data(), length_before);
      before->waiting = before->held = false;
      to += length_before;
    }
    before = piece;
    length_before = length;
  }
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
