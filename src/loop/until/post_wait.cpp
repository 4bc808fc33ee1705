#include "loop/until/post_wait.hpp"

namespace op2::core {

PostWait::PostWait(const LoopSignature &what, std::span<const int> order, std::span<const int> ends, int block_size) {
  int at = 0;
  for (const int end : ends) {
    first_.push_back(static_cast<int>(begin_.size()));
    for (; at < end; at = std::min(at + block_size, end)) begin_.push_back(at);
  }
  first_.push_back(static_cast<int>(begin_.size()));
  waits_.resize(begin_.size());
  posted_ = std::vector<std::atomic<int>>(begin_.size());
  begin_.push_back(at);
  const std::vector<ReachedRow> rows = rows_of_written_dats(what);
  RowNotes last(rows);
  for (int stage = 0; stage < static_cast<int>(ends.size()); ++stage) find_waits(rows, last, order, stage);
}

// For a row it is enough to wait for the last block before that touches the row, as that one waits for the others.
// Blocks of earlier stages are over.
void PostWait::find_waits(const std::vector<ReachedRow> &rows, RowNotes &last, std::span<const int> order, int stage) {
  const int first = first_[static_cast<std::size_t>(stage)], end = first_[static_cast<std::size_t>(stage) + 1];
  for (int block = first; block < end; ++block) {
    const std::size_t b = static_cast<std::size_t>(block);
    std::vector<int> &waits = waits_[b];
    for (int p = begin_[b]; p < begin_[b + 1]; ++p)
      for (std::size_t i = 0; i < rows.size(); ++i) {
        int &before = last(i, rows[i].row(order[static_cast<std::size_t>(p)]));
        if (before >= first && before != block) waits.push_back(before);
        before = block;
      }
    std::ranges::sort(waits);
    waits.erase(std::unique(waits.begin(), waits.end()), waits.end());
  }
}

void PostWait::begin(int stage) {
  const std::size_t s = static_cast<std::size_t>(stage);
  next_ = first_[s];
  for (int block = first_[s]; block < first_[s + 1]; ++block) posted_[static_cast<std::size_t>(block)] = 0;
}

void PostWait::wait(int block) {
  for (const int before : waits_[static_cast<std::size_t>(block)]) posted_[static_cast<std::size_t>(before)].wait(0);
}

void PostWait::post(int block) {
  std::atomic<int> &posted = posted_[static_cast<std::size_t>(block)];
  posted.store(1);
  posted.notify_all();
}

} // namespace op2::core
