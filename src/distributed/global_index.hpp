// From the global number of an element to its row on this process.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "op2/types.h"

namespace op2::core {

// Numbers that lie close together are looked up in an array, others in a hash table with linear probing.
class GlobalIndex {
 public:
  GlobalIndex() : GlobalIndex(std::span<const idx_g_t>()) {}
  explicit GlobalIndex(std::span<const idx_g_t> global); // row i has number global[i]

  void add(idx_g_t number, int row); // the number must be new
  int find(idx_g_t number) const {   // its row, -1 = not here
    if (number >= first_ && number - first_ < static_cast<idx_g_t>(dense_.size()))
      return dense_[static_cast<std::size_t>(number - first_)];
    return keys_.empty() ? -1 : find_hashed(number);
  }

 private:
  int find_hashed(idx_g_t number) const;
  std::size_t slot_of(idx_g_t number) const; // of the number, or for it
  void grow();

  idx_g_t first_ = 0;         // number of dense_[0]
  std::vector<int> dense_;    // rows; -1 = not here
  std::vector<idx_g_t> keys_; // -1 = free; a power of two of slots
  std::vector<int> rows_;
  std::size_t used_ = 0;
};

} // namespace op2::core
