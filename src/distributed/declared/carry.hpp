// Carries rows from a dat to one on another set, whose elements each have a parent in the first set.
#pragma once

#include <span>
#include <vector>

#include "mesh/mesh.hpp"

namespace op2::core {

// Of the elements of the new set that this process declares: parents[declared_size], declared numbers in the old set
// from 0, below 0: none.
struct Parentage {
  std::vector<op_gindex> parents;
  bool sums = false;           // the value of a parent is divided among its children; else each gets the value
  std::vector<double> weights; // [declared_size] of the children, for sums; empty: equal shares
  const char *fill = nullptr;  // a row for elements without a parent; NULL: zeros
};

// All rows of `to` get new values. The dats have equal types and dims; for sums, of double or float. Fails before the
// first change, on all processes: OP_ERR_ARGUMENT if a value cannot be divided, since its element has no children, or
// since all of their weights are 0. Shares are added up in the order of the declaration, so that their bits do not
// depend on the number of processes. Collective.
void carry_rows(Mesh &mesh, Dat &from, Dat &to, const Parentage &how);

} // namespace op2::core
// SPDX-License-Identifier: MIT
