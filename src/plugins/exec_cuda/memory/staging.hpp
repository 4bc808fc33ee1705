// Bulk copies between the device and ordinary host memory, in pieces through page-locked memory: while one piece is on
// its way, the next is filled or the last one emptied.
#pragma once

#include "stream.hpp"

namespace op2::exec_cuda {

class Staging {
 public:
  // At most `limit` bytes of page-locked memory, but two small pieces in any case.
  Staging(const Driver &driver, const Queue &stream, size_t limit);
  // Returns when the host memory has been read.
  void to_device(CUdeviceptr to, const char *from, size_t bytes);
  // Returns when the bytes are there.
  void to_host(char *to, CUdeviceptr from, size_t bytes);
  size_t pieces() const { return pieces_.size(); }

 private:
  struct Piece {
    Pinned memory;
    Event used;           // passes when the device is done with it
    bool waiting = false; // used has been recorded and was not seen past
    bool held = false;    // holds bytes that the host has not taken yet
  };
  Piece &take();
  void grow();

  const Driver &driver_;
  const Queue &stream_;
  size_t piece_bytes_, most_pieces_;
  std::vector<std::unique_ptr<Piece>> pieces_;
  size_t next_ = 0; // the piece that was used the longest ago
};

} // namespace op2::exec_cuda
