// The library's own order of the elements: moves rows of dats and maps, translates entries of maps, and keeps the
// declared numbers for loops and transfers.
#pragma once

#include <vector>

#include "mesh/copies.hpp"
#include "mesh/objects.hpp"

namespace op2::core {

class Numbering {
 public:
  Numbering(Executor &executor, Objects &objects, Copies &copies)
      : executor_(executor), objects_(objects), copies_(copies) {}

  // Gives sets another order: orders[set->index][i] is the present row that becomes row i; empty = unchanged. Moves
  // rows of maps and dats and translates entries of maps; pointers to them stay valid. No host view may be open. The
  // caller drops plans and exchanges made from maps.
  void reorder(const std::vector<std::vector<int>> &orders);

  // The declared numbers, where the executor can read them: of the elements of a renumbered set [size], and of the
  // targets of a map to a renumbered set [from->size][dim]. Valid until the next reorder().
  const int *of_elements(const Set &set);
  const int *of_targets(const Map &map);
  const int *of_targets_on_host(const Map &map); // in host memory
  // 1-based numbers, for sets in any order: declared ones, or local row numbers (of_rows); of_rows must be the same in
  // all calls on a mesh. Where the executor can read them, or on the host (here = false).
  const int *of_elements_from_one(const Set &set, bool of_rows, bool here);
  const int *of_targets_from_one(const Map &map, bool of_rows, bool here);
  // Drops the numbers of a map whose entries have changed.
  static void forget(Map &map);

 private:
  Executor &executor_;
  Objects &objects_;
  Copies &copies_;
};

// Translates the entries of a map from the order of the declaration to the library's.
void translate(std::vector<int> &table, const Set &from, const Set &to, int dim);

} // namespace op2::core

// SPDX-License-Identifier: MIT
