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
  const TouchedRows touched(what);
  for (int stage = 0; stage < static_cast<int>(ends.size()); ++stage) find_waits(touched, order, stage);
}

// For a row it is enough to wait for the last block before that touches the row, as that one waits for the others.
void PostWait::find_waits(const TouchedRows &touched, std::span<const int> order, int stage) {
  std::vector<std::vector<int>> last; // block, by dat and row
  for (const Dat *const dat : touched.dats()) last.emplace_back(static_cast<std::size_t>(dat->on().rows()), -1);
  const std::size_t s = static_cast<std::size_t>(stage);
  for (int block = first_[s]; block < first_[s + 1]; ++block) {
    const std::size_t b = static_cast<std::size_t>(block);
    std::vector<int> &waits = waits_[b];
    for (int p = begin_[b]; p < begin_[b + 1]; ++p)
      touched.of(order[static_cast<std::size_t>(p)], [&](const TouchedRows::Touch &touch) {
        int &before = last[touch.dat][static_cast<std::size_t>(touch.row)];
        if (before >= 0 && before != block) waits.push_back(before);
        before = block;
      });
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
