// Rows for files, in the declared distribution: in the order of the declaration, each process with its share (its
// declared part). Collective.
#pragma once

#include <span>
#include <vector>

#include "mesh/mesh.hpp"

namespace op2::core {

// The rows [declared_size][dim] of a dat: its own storage, or a copy.
class DeclaredView {
 public:
  explicit DeclaredView(const char *rows) : rows_(rows) {}
  explicit DeclaredView(std::vector<char> copy) : copy_(std::move(copy)), rows_(copy_.data()) {}
  DeclaredView(DeclaredView &&) = default;
  const char *rows() const { return rows_; }

 private:
  std::vector<char> copy_;
  const char *rows_;
};

// Into declared[declared_size][dim]. Throws OP_ERR_STATE if acquired.
void copy_declared(Mesh &mesh, Dat &dat, char *declared);
// Valid until the next use of the dat. Throws as above.
DeclaredView fetch_declared(Mesh &mesh, Dat &dat);
void put_declared(Mesh &mesh, Dat &dat, const char *rows);

// The rows of any declared numbers, in the order of `numbers`, which may contain a number several times.
std::vector<char> rows_of_numbers(Mesh &mesh, Dat &dat, std::span<const op_gindex> numbers);

// The entries [declared_size of from][dim] of a map: declared numbers of targets, from 0.
std::vector<op_gindex> declared_entries(Mesh &mesh, const Map &map);

} // namespace op2::core

// SPDX-License-Identifier: MIT
