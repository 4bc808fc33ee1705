#include "loop/until/post_wait.hpp"

namespace op2::core {

// For a row it is enough to wait for the last block before that touches the row, as that one waits for the others.
// Blocks of earlier stages are over.
PostWait::PostWait(const LoopSignature &what, std::span<const int> order, std::span<const int> ends, int block_size) {
  const std::vector<ReachedRow> rows = rows_of_written_dats(what);
  RowNotes last(rows);
  int at = 0;
  for (const int end : ends) {
    const int first = static_cast<int>(waits_.size());
    first_.push_back(first);
    while (at < end) {
      const int block = static_cast<int>(waits_.size());
      std::vector<int> &waits = waits_.emplace_back();
      for (const int last_of_block = std::min(at + block_size, end); at < last_of_block; ++at)
        for (std::size_t i = 0; i < rows.size(); ++i) {
          int &before = last(i, rows[i].row(order[static_cast<std::size_t>(at)]));
          if (before >= first && before != block) waits.push_back(before);
          before = block;
        }
      std::ranges::sort(waits);
      waits.erase(std::unique(waits.begin(), waits.end()), waits.end());
    }
  }
  first_.push_back(static_cast<int>(waits_.size()));
  posted_ = std::vector<std::atomic<int>>(waits_.size());
}

void PostWait::begin(int stage) {
  for (std::size_t block = number(stage, 0); block < number(stage + 1, 0); ++block) posted_[block] = 0;
}

void PostWait::wait(int stage, int block) {
  for (const int before : waits_[number(stage, block)]) posted_[static_cast<std::size_t>(before)].wait(0);
}

void PostWait::post(int stage, int block) {
  std::atomic<int> &posted = posted_[number(stage, block)];
  posted.store(1);
  posted.notify_all();
}

} // namespace op2::core
// SPDX-License-Identifier: MIT
