// What waits for its next steps, by the block that it is in: particles, and in a simulation their numbers.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

namespace op2::core::tracer {

template <class Item>
class Queue {
 public:
  void add(int block, const Item &item) { blocks_[block].push_back(item); }
  bool empty() const { return blocks_.empty(); }
  std::size_t size() const {
    std::size_t out = 0;
    for (const auto &[block, all] : blocks_) out += all.size();
    return out;
  }
  // Up to `most`, of the fullest block first: those that are near each other find the same cells in the cache.
  std::vector<Item> take(std::size_t most) {
    std::vector<Item> out;
    while (!blocks_.empty() && out.size() < most) {
      const auto fullest = std::max_element(blocks_.begin(), blocks_.end(), [](const auto &a, const auto &b) {
        return a.second.size() < b.second.size();
      });
      std::vector<Item> &from = fullest->second;
      const auto count = static_cast<std::ptrdiff_t>(std::min(from.size(), most - out.size()));
      out.insert(out.end(), from.end() - count, from.end());
      from.erase(from.end() - count, from.end());
      if (from.empty()) blocks_.erase(fullest);
    }
    return out;
  }

 private:
  std::map<int, std::vector<Item>> blocks_; // none of them empty
};

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
