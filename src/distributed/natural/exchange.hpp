// Between the rows a process owns and its natural part of a set: the elements that were declared through it, in the
// order of their numbers. Everything that reaches the user goes this way. Collective.
#pragma once

#include "mesh/mesh.hpp"

namespace op2::core {

// natural[natural_size][row_bytes] from own[size][row_bytes], and back.
void rows_to_natural(Mesh &mesh, const Set &set, const void *own, void *natural, std::size_t row_bytes);
void rows_from_natural(Mesh &mesh, const Set &set, const void *natural, void *own, std::size_t row_bytes);

// Those of the elements low ... high that this process owns. Costs their number, except for the first call after each
// change of owners, and never more than the number of owned rows.
struct OwnRow {
  idx_g_t number;
  int row;
};
std::vector<OwnRow> own_rows_between(Mesh &mesh, const Set &set, idx_g_t low, idx_g_t high);

} // namespace op2::core
