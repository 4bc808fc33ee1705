// Where the cells of a set are: the row of a cell's number here, or the process that owns it.
#pragma once

#include <vector>

#include "distributed/directory.hpp"
#include "distributed/global_index.hpp"
#include "mesh/mesh.hpp"

namespace op2::core {

class CellPlaces {
 public:
  // For the present division and order of the mesh. Collective.
  CellPlaces(Mesh &mesh, const Set &cells);
  bool valid() const { return cells_.revision == revision_; }

  const Set &cells() const { return cells_; }
  bool exists(op_gindex number) const { return number >= 0 && number < cells_.global_size; }
  op_gindex number(int row) const; // of an owned cell
  // The row of a cell that exists, below cells().size; -1: another process owns it.
  int row(op_gindex number) const;
  // The process that owns the cell, if it owns a cell beside those of this process; -1: it must be asked for.
  int neighbour(op_gindex number) const;
  // The owners of any cells. Collective.
  std::vector<int> owners(std::span<const op_gindex> numbers);

 private:
  Communicator &communicator_;
  const Set &cells_;
  Revision revision_;
  bool several_;
  GlobalIndex index_; // several processes: owned cells and copies
  std::vector<int> owner_of_copy_;
  Directory directory_;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
