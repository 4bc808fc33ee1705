// Partial results of the blocks of one run, for executors that run the blocks in several goes: they are combined in the
// order of the blocks after the last go, so that values have the bits of one go.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

namespace op2::core {

class BlockRecords {
 public:
  // bytes: of a record. start: the record that partial results start from.
  BlockRecords(std::size_t bytes, const char *start) : start_(start, start + bytes), slot_(start_) {}

  // The executor runs these blocks next, ascending numbers; it combines them into the returned record, one by one.
  char *begin(std::span<const int> blocks) {
    blocks_ = blocks;
    next_ = 0;
    return slot_.data();
  }
  bool owns(const void *record) const { return record == slot_.data(); }
  void take(const char *later) {
    const std::size_t at = static_cast<std::size_t>(blocks_[next_++]) * start_.size();
    while (records_.size() < at + start_.size()) records_.insert(records_.end(), start_.begin(), start_.end());
    std::memcpy(records_.data() + at, later, start_.size());
  }
  template <class Take>
  void each(const Take &take) const {
    for (std::size_t at = 0; at < records_.size(); at += start_.size()) take(records_.data() + at);
  }

 private:
  std::vector<char> start_, slot_, records_;
  std::span<const int> blocks_;
  std::size_t next_ = 0;
};

} // namespace op2::core
// SPDX-License-Identifier: MIT
