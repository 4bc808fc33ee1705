// The post/wait form (PW) of a loop whose elements must run in order: a block begins when all earlier blocks that touch
// its rows have posted their end. Threads take the blocks in order, so that the earliest one never waits for long.
#pragma once

#include <atomic>
#include <span>
#include <vector>

#include "loop/until/reached_rows.hpp"

namespace op2::core {

class PostWait {
 public:
  // order: the elements in the program's order. ends: of the stages, positions in `order`. Blocks of one stage have
  // block_size elements; they are counted from 0 in each stage.
  PostWait(const LoopSignature &what, std::span<const int> order, std::span<const int> ends, int block_size);

  void begin(int stage); // before its blocks
  void wait(int stage, int block);
  void post(int stage, int block);

 private:
  std::size_t number(int stage, int block) const {
    return static_cast<std::size_t>(first_[static_cast<std::size_t>(stage)] + block);
  }
  std::vector<int> first_;              // block of each stage, of all; then the number of blocks
  std::vector<std::vector<int>> waits_; // of each block: for these
  std::vector<std::atomic<int>> posted_;
};

} // namespace op2::core
// SPDX-License-Identifier: MIT
