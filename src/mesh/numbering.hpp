// The library's own order of the elements: rows of dats and maps moved, entries of maps translated, and the numbers of
// the declaration kept for loops and transfers that ask for them.
#pragma once

#include <vector>

#include "mesh/copies.hpp"
#include "mesh/objects.hpp"

namespace op2::core {

class Numbering {
 public:
  Numbering(Executor &executor, Objects &objects, Copies &copies)
      : executor_(executor), objects_(objects), copies_(copies) {}

  // Gives sets another order: orders[set->index][i] is the present row that becomes row i; empty = as it is. Moves rows
  // of maps and dats and translates entries of maps; pointers to them stay valid. No host view may be open, and the
  // caller must forget what it keeps of maps.
  void reorder(const std::vector<std::vector<int>> &orders);

  // The numbers of the declaration, where the executor's loops can read them: of the elements of a renumbered set
  // [size], and of what a map to one leads to [from->size][dim]. Valid until the next reorder().
  const int *of_elements(const Set &set);
  const int *of_targets(const Map &map);
  const int *of_targets_on_host(const Map &map); // where the host can
  // The same from 1, of sets in any order; of_rows: places of rows on this process instead. One mesh asks for one of
  // both only. Where the executor or (here = false) the host can read them.
  const int *of_elements_from_one(const Set &set, bool of_rows, bool here);
  const int *of_targets_from_one(const Map &map, bool of_rows, bool here);
  // Those of a map whose entries have changed.
  static void forget(Map &map);

 private:
  Executor &executor_;
  Objects &objects_;
  Copies &copies_;
};

// The entries of a map from the order of the declaration to the library's.
void translate(std::vector<int> &table, const Set &from, const Set &to, int dim);

} // namespace op2::core
