#include "distributed/halo/copy_order.hpp"

#include <cstddef>

namespace op2::core {

namespace {

void add_part(Communicator &communicator, const Set &set, const HaloPart &part, std::vector<CopiedFrom> &out) {
  std::vector<int> words; // 2 * row, + 1 for core rows
  for (const int row : part.exported.row) words.push_back(2 * row + (row < set.core_size ? 1 : 0));
  std::vector<std::size_t> offset;
  for (const int at : part.exported.offset) offset.push_back(static_cast<std::size_t>(at) * sizeof(int));
  const SparseMessages received = communicator.sparse_exchange(part.exported.ranks, offset, words.data());
  for (int m = 0; m < received.count(); ++m) // by ascending owner, as the copies
    for (const int word : received.values<int>(m)) out.push_back({received.sender(m), word / 2, word % 2 != 0});
}

} // namespace

std::vector<CopiedFrom> copied_from(Mesh &mesh, const Set &set) {
  std::vector<CopiedFrom> out;
  for (const HaloLayer &layer : set.layers)
    for (const HaloPart *part : {&layer.exec, &layer.nonexec}) add_part(mesh.communicator(), set, *part, out);
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
