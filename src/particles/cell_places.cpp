#include "particles/cell_places.hpp"

namespace op2::core {

namespace {

void add_owners(std::vector<int> &owner, const HaloRange &range) {
  for (std::size_t n = 0; n < range.ranks.size(); ++n)
    owner.insert(owner.end(), static_cast<std::size_t>(range.offset[n + 1] - range.offset[n]), range.ranks[n]);
}

} // namespace

CellPlaces::CellPlaces(Mesh &mesh, const Set &cells)
    : communicator_(mesh.communicator()),
      cells_(cells),
      revision_(cells.revision),
      several_(mesh.several()),
      directory_(communicator_, several_ ? cells.global_size : 0) {
  if (!several_) return;
  index_ = GlobalIndex(cells.global);
  for (const HaloLayer &layer : cells.layers) { // copies lie in this order
    add_owners(owner_of_copy_, layer.exec.imported);
    add_owners(owner_of_copy_, layer.nonexec.imported);
  }
  const std::span<const op_gindex> own(cells.global.data(), static_cast<std::size_t>(cells.size));
  directory_.enter(own, std::vector<int>(own.size(), communicator_.rank()));
}

op_gindex CellPlaces::number(int row) const {
  const auto at = static_cast<std::size_t>(row);
  if (several_) return cells_.global[at];
  return cells_.renumbered() ? cells_.original[at] : row;
}

int CellPlaces::row(op_gindex number) const {
  if (several_) {
    const int row = index_.find(number);
    return row < cells_.size ? row : -1;
  }
  return cells_.renumbered() ? cells_.place[static_cast<std::size_t>(number)] : static_cast<int>(number);
}

int CellPlaces::neighbour(op_gindex number) const {
  const int row = index_.find(number);
  return row < cells_.size ? -1 : owner_of_copy_[static_cast<std::size_t>(row - cells_.size)];
}

std::vector<int> CellPlaces::owners(std::span<const op_gindex> numbers) { return directory_.ask(numbers); }

} // namespace op2::core

// SPDX-License-Identifier: MIT
