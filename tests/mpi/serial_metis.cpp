// serial_metis.cpp: see serial_metis.hpp.
#include "serial_metis.hpp"

#ifdef OP2_HAVE_METIS
#include <metis.h>
#endif

namespace mpi {

bool serial_metis([[maybe_unused]] std::span<const std::int64_t> offset,
                  [[maybe_unused]] std::span<const std::int64_t> neighbour, [[maybe_unused]] int parts,
                  [[maybe_unused]] std::vector<int> &part) {
#ifdef OP2_HAVE_METIS
  idx_t vertices = static_cast<idx_t>(offset.size() - 1), constraints = 1, wanted = parts, cut = 0;
  std::vector<idx_t> begin, to, out(offset.size() - 1);
  for (const std::int64_t o : offset) begin.push_back(static_cast<idx_t>(o));
  for (const std::int64_t n : neighbour) to.push_back(static_cast<idx_t>(n));
  if (METIS_PartGraphKway(&vertices, &constraints, begin.data(), to.data(), nullptr, nullptr, nullptr, &wanted, nullptr,
                          nullptr, nullptr, &cut, out.data()) != METIS_OK)
    return false;
  part.clear();
  for (const idx_t p : out) part.push_back(static_cast<int>(p));
  return true;
#else
  return false;
#endif
}

} // namespace mpi

// SPDX-License-Identifier: MIT
