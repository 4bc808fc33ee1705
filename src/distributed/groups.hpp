// Items grouped by their destination process, and messages of them by the sparse exchange.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "host/communicator.hpp"

namespace op2::core {

// Items by destination. No array has the length of the number of processes.
struct Groups {
  std::vector<int> ranks;                // ascending
  std::vector<std::size_t> offset = {0}; // [ranks + 1] into order
  std::vector<int> order;                // items; those for one process in ascending order
  int count() const { return static_cast<int>(ranks.size()); }
  std::span<const int> items(int group) const {
    return std::span(order).subspan(
        offset[static_cast<std::size_t>(group)],
        offset[static_cast<std::size_t>(group) + 1] - offset[static_cast<std::size_t>(group)]);
  }
};

// rank[i]: the destination of item i; below 0: none.
Groups group_by_rank(std::span<const int> rank);

// Sends row i of `rows` to the destination of item i; a message has its rows in the order of `order`. Collective.
SparseMessages post_rows(Communicator &communicator, const Groups &groups, const char *rows, std::size_t row_bytes);
template <class T>
SparseMessages post(Communicator &communicator, const Groups &groups, std::span<const T> values) {
  return post_rows(communicator, groups, reinterpret_cast<const char *>(values.data()), sizeof(T));
}

// Sends a message back to each sender: the next `count(message)` elements of `values`. Collective.
template <class T, class Count>
SparseMessages answer(Communicator &communicator, const SparseMessages &received, const std::vector<T> &values,
                      const Count &count) {
  std::vector<int> ranks;
  std::vector<std::size_t> offset = {0};
  for (int m = 0; m < received.count(); ++m) {
    ranks.push_back(received.sender(m));
    offset.push_back(offset.back() + static_cast<std::size_t>(count(m)) * sizeof(T));
  }
  return communicator.sparse_exchange(ranks, offset, values.data());
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
