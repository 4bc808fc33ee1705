// Moves rows between owners and declared parts. The declared part of a process: the elements of a set that were
// declared through it, in the order of their numbers. All data for the user pass here. Collective.
#pragma once

#include "mesh/mesh.hpp"

namespace op2::core {

// declared[declared_size][row_bytes] from own[size][row_bytes], and back.
void rows_to_declared(Mesh &mesh, const Set &set, const void *own, void *declared, std::size_t row_bytes);
void rows_from_declared(Mesh &mesh, const Set &set, const void *declared, void *own, std::size_t row_bytes);

// The elements low ... high (inclusive) that this process owns. Collective. Takes O(high - low) time, at most O(owned
// rows); the first call after each change of owners takes O(owned rows).
struct OwnRow {
  op_gindex number;
  int row;
};
std::vector<OwnRow> own_rows_between(Mesh &mesh, const Set &set, op_gindex low, op_gindex high);

} // namespace op2::core

// SPDX-License-Identifier: MIT
