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
  // block_size elements.
  PostWait(const LoopSignature &what, std::span<const int> order, std::span<const int> ends, int block_size);

  void begin(int stage); // before its blocks
  // On any thread: the next block of the stage, whose elements are order[begin] to order[end - 1]. To be called exactly
  // once for each block of the stage.
  struct Block {
    int number, begin, end;
  };
  Block take() {
    const int number = next_.fetch_add(1);
    return {number, begin_[static_cast<std::size_t>(number)], begin_[static_cast<std::size_t>(number) + 1]};
  }
  void wait(int block);
  void post(int block);
  int blocks(int stage) const {
    return first_[static_cast<std::size_t>(stage) + 1] - first_[static_cast<std::size_t>(stage)];
  }

 private:
  void find_waits(const std::vector<ReachedRow> &rows, RowNotes &last, std::span<const int> order, int stage);

  std::vector<int> begin_;              // of each block; then the end of the last one
  std::vector<int> first_;              // block of each stage; then the number of blocks
  std::vector<std::vector<int>> waits_; // of each block: for these
  std::vector<std::atomic<int>> posted_;
  std::atomic<int> next_ = 0;
};

} // namespace op2::core
