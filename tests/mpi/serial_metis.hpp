// serial_metis.hpp: METIS in one process, what the partitioners are compared with.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mpi {

// The part of each vertex by METIS_PartGraphKway as it is by default; false: built without METIS.
bool serial_metis(std::span<const std::int64_t> offset, std::span<const std::int64_t> neighbour, int parts,
                  std::vector<int> &part);

} // namespace mpi

// SPDX-License-Identifier: MIT
