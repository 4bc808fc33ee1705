#include "distributed/halo/halo_memory.hpp"

namespace op2::core {

HaloMemory halo_memory(const Mesh &mesh) {
  HaloMemory out;
  const auto add = [&out](double bytes_each, double rows, double rows_at_most) {
    out.bytes += bytes_each * rows;
    out.at_most += bytes_each * rows_at_most;
  };
  for (const auto &set : mesh.sets()) add(sizeof(op_gindex), set->copies, static_cast<double>(set->at_most.copies));
  for (const auto &dat : mesh.dats())
    if (!dat->freed) add(dat->size, dat->on().copies, static_cast<double>(dat->on().at_most.copies));
  for (const auto &map : mesh.maps()) {
    if (!map->built) continue;
    const Set &from = map->source();
    add(map->dim * static_cast<double>(sizeof(int)), map->table_rows() - from.size,
        static_cast<double>(from.at_most.executed));
  }
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
