// Moves rows between owners and declared parts. The declared part of a process: the elements of a set that were
// declared through it, in the order of their numbers. All data for the user pass here. Collective.
#pragma once

#include <functional>
#include <span>

#include "distributed/declared/pieces.hpp"
#include "mesh/mesh.hpp"

namespace op2::core {

// declared[declared_size][row_bytes] from own[size][row_bytes], and back.
void rows_to_declared(Mesh &mesh, const Set &set, const void *own, void *declared, std::size_t row_bytes);
void rows_from_declared(Mesh &mesh, const Set &set, const void *declared, void *own, std::size_t row_bytes);

// The same for one piece of each declared part, with memory for that: rows of processes that own them go through get()
// or put(rows, bytes). The set is distributed. declared[rows of the piece][row_bytes].
struct OnePiece {
  Pieces pieces; // of this process; `step` is the same on all
  std::int64_t number;
  std::size_t row_bytes;
};
void piece_to_declared(Mesh &mesh, const Set &set, const OnePiece &piece, char *declared,
                       const std::function<void(std::span<const int> rows, char *to)> &get);
void piece_from_declared(Mesh &mesh, const Set &set, const OnePiece &piece, const char *declared,
                         const std::function<void(std::span<const int> rows, const char *from)> &put);

// The elements low ... high (inclusive) that this process owns. Collective. Takes O(high - low) time, at most O(owned
// rows); the first call after each change of owners takes O(owned rows).
struct OwnRow {
  op_gindex number;
  int row;
};
std::vector<OwnRow> own_rows_between(Mesh &mesh, const Set &set, op_gindex low, op_gindex high);

} // namespace op2::core

// SPDX-License-Identifier: MIT
