#include "distributed/groups.hpp"

#include <algorithm>

#include "mesh/rows.hpp"

namespace op2::core {

Groups group_by_rank(std::span<const int> rank) {
  Groups out;
  int last = -1; // neighbours in memory often go to the same place
  for (const int r : rank) {
    if (r < 0 || r == last) continue;
    last = r;
    const auto at = std::lower_bound(out.ranks.begin(), out.ranks.end(), r);
    if (at == out.ranks.end() || *at != r) out.ranks.insert(at, r);
  }
  const auto group_of = [&](int r) {
    return static_cast<std::size_t>(std::lower_bound(out.ranks.begin(), out.ranks.end(), r) - out.ranks.begin());
  };
  out.offset.assign(out.ranks.size() + 1, 0);
  for (const int r : rank)
    if (r >= 0) ++out.offset[group_of(r) + 1];
  for (std::size_t g = 0; g < out.ranks.size(); ++g) out.offset[g + 1] += out.offset[g];
  std::vector<std::size_t> next(out.offset.begin(), out.offset.end() - 1);
  out.order.resize(out.offset.back());
  for (std::size_t i = 0; i < rank.size(); ++i)
    if (rank[i] >= 0) out.order[next[group_of(rank[i])]++] = static_cast<int>(i);
  return out;
}

SparseMessages post_rows(Communicator &communicator, const Groups &groups, const char *rows, std::size_t row_bytes) {
  std::vector<char> packed(groups.order.size() * row_bytes);
  gather_rows(packed.data(), rows, groups.order, row_bytes);
  std::vector<std::size_t> offset;
  for (const std::size_t at : groups.offset) offset.push_back(at * row_bytes);
  return communicator.sparse_exchange(groups.ranks, offset, packed.data());
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
