#include "distributed/global_index.hpp"

#include <algorithm>

namespace op2::core {

namespace {

constexpr op_gindex most_gaps = 8; // an array of 4-byte rows with so many gaps is still smaller than a hash table

} // namespace

GlobalIndex::GlobalIndex(std::span<const op_gindex> global) {
  if (global.empty()) return;
  const auto [least, most] = std::minmax_element(global.begin(), global.end());
  if (*most - *least < most_gaps * static_cast<op_gindex>(global.size())) {
    first_ = *least;
    dense_.assign(static_cast<std::size_t>(*most - *least + 1), -1);
    for (std::size_t i = 0; i < global.size(); ++i)
      dense_[static_cast<std::size_t>(global[i] - first_)] = static_cast<int>(i);
    return;
  }
  for (std::size_t i = 0; i < global.size(); ++i) add(global[i], static_cast<int>(i));
}

std::size_t GlobalIndex::slot_of(op_gindex number) const {
  const std::size_t mask = keys_.size() - 1;
  std::size_t at = static_cast<std::size_t>(static_cast<std::uint64_t>(number) * 0x9e3779b97f4a7c15ull >> 20) & mask;
  while (keys_[at] != number && keys_[at] != -1) at = (at + 1) & mask;
  return at;
}

int GlobalIndex::find_hashed(op_gindex number) const {
  const std::size_t at = slot_of(number);
  return keys_[at] == number ? rows_[at] : -1;
}

void GlobalIndex::grow() {
  std::vector<op_gindex> keys(std::max<std::size_t>(64, 2 * keys_.size()), -1);
  std::vector<int> rows(keys.size());
  keys.swap(keys_);
  rows.swap(rows_);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i] == -1) continue;
    const std::size_t at = slot_of(keys[i]);
    keys_[at] = keys[i];
    rows_[at] = rows[i];
  }
}

void GlobalIndex::add(op_gindex number, int row) {
  if (number >= first_ && number - first_ < static_cast<op_gindex>(dense_.size())) {
    dense_[static_cast<std::size_t>(number - first_)] = row;
    return;
  }
  if (2 * (used_ + 1) > keys_.size()) grow();
  const std::size_t at = slot_of(number);
  keys_[at] = number;
  rows_[at] = row;
  ++used_;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
