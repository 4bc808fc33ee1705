// Bulk copies between the device and ordinary host memory, in pieces through page-locked memory: while the device
// copies one piece, the host fills or empties another.
#pragma once

#include "stream.hpp"

namespace op2::exec_cuda {

class Staging {
 public:
  Staging(const Driver &driver, const Queue &stream);
  // Returns when the host memory has been read.
  void to_device(CUdeviceptr to, const char *from, size_t bytes);
  // Returns when the host has the bytes.
  void to_host(char *to, CUdeviceptr from, size_t bytes);
  size_t pieces() const { return pieces_.size(); }

 private:
  struct Piece {
    Pinned memory;
    Event used;           // complete when the device no longer uses the memory
    bool waiting = false; // `used` was recorded and not yet seen complete
    bool held = false;    // holds bytes that the host has not copied yet
  };
  Piece &take();
  void grow();

  const Driver &driver_;
  const Queue &stream_;
  size_t most_pieces_ = 128; // 256 MiB
  std::vector<std::unique_ptr<Piece>> pieces_;
  size_t next_ = 0; // the least recently used piece
};

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
