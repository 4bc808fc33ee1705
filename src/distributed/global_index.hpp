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
  GlobalIndex() : GlobalIndex(std::span<const op_gindex>()) {}
  explicit GlobalIndex(std::span<const op_gindex> global); // row i has number global[i]

  void add(op_gindex number, int row); // the number must be new
  int find(op_gindex number) const {   // its row, -1 = not here
    if (number >= first_ && number - first_ < static_cast<op_gindex>(dense_.size()))
      return dense_[static_cast<std::size_t>(number - first_)];
    return keys_.empty() ? -1 : find_hashed(number);
  }

 private:
  int find_hashed(op_gindex number) const;
  std::size_t slot_of(op_gindex number) const; // of the number, or for it
  void grow();

  op_gindex first_ = 0;       // number of dense_[0]
  std::vector<int> dense_;    // rows; -1 = not here
  std::vector<op_gindex> keys_; // -1 = free; a power of two of slots
  std::vector<int> rows_;
  std::size_t used_ = 0;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
