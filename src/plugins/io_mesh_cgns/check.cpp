// What is to be written must fit together: else lists would be read beyond their ends.
#include <cgnslib.h>

#include <algorithm>
#include <limits>

#include "grid.hpp"
#include "types.hpp"

namespace cgns {

namespace {

std::int64_t points_of(const Grid &grid) { return static_cast<std::int64_t>(grid.points.size() / 3); }

bool all_below(const std::vector<std::int64_t> &numbers, std::int64_t limit) {
  return std::all_of(numbers.begin(), numbers.end(),
                     [&](std::int64_t number) { return number >= 0 && number < limit; });
}

// Steps over the faces of a polyhedron: how many, then for each how many nodes and which.
bool has_faces(const Grid &grid, std::size_t &at) {
  const auto next = [&] { return at < grid.faces.size() ? grid.faces[at++] : -1; };
  const std::int64_t faces = next();
  if (faces < 1) return false;
  for (std::int64_t face = 0; face < faces; ++face) {
    const std::int64_t nodes = next();
    if (nodes < 1 || nodes > static_cast<std::int64_t>(grid.faces.size() - at)) return false;
    for (std::int64_t k = 0; k < nodes; ++k)
      if (const std::int64_t node = next(); node < 0 || node >= points_of(grid)) return false;
  }
  return true;
}

bool fits_together(const Grid &grid, std::size_t patches) {
  const std::size_t cells = grid.types.size();
  if (grid.points.empty() || cells == 0 || grid.ends.size() != cells || grid.face_ends.size() != cells ||
      grid.patch.size() != cells)
    return false;
  if (grid.ends.front() < 0 || !std::is_sorted(grid.ends.begin(), grid.ends.end()) ||
      static_cast<std::size_t>(grid.ends.back()) != grid.nodes.size() || !all_below(grid.nodes, points_of(grid)))
    return false;
  std::size_t at = 0;
  for (std::size_t i = 0; i < cells; ++i) {
    if (grid.patch[i] < 0 || static_cast<std::size_t>(grid.patch[i]) > patches) return false;
    if (grid.types[i] == vtk_polyhedron && (!has_faces(grid, at) || static_cast<std::size_t>(grid.face_ends[i]) != at))
      return false;
  }
  return true;
}

bool is_point(const Zones &zones, std::int64_t zone, std::int64_t point) {
  return zone >= 0 && static_cast<std::size_t>(zone) < zones.grids.size() && point >= 0 &&
         point < points_of(zones.grids[static_cast<std::size_t>(zone)]);
}

} // namespace

void check_zones(const Zones &zones) {
  if (zones.grids.empty() || zones.names.size() != zones.grids.size())
    throw Failure(OP_ERR_ARGUMENT, "there are " + std::to_string(zones.grids.size()) + " zones and " +
                                       std::to_string(zones.names.size()) + " names of zones");
  for (const Grid &grid : zones.grids) {
    if (!fits_together(grid, zones.patches.size()))
      throw Failure(OP_ERR_ARGUMENT, "the lists of cells, nodes and faces do not fit together");
    if (grid.types.size() + grid.nodes.size() + grid.faces.size() >
        static_cast<std::size_t>(std::numeric_limits<cgsize_t>::max()))
      throw Failure(OP_ERR_UNSUPPORTED, "a zone has " + std::to_string(grid.types.size()) +
                                            " cells and sides, whose numbers this libcgns cannot hold; divide the "
                                            "mesh into more parts, or write .vtu or .h5");
  }
  for (std::size_t i = 0; i + 3 < zones.links.size(); i += 4)
    if (!is_point(zones, zones.links[i], zones.links[i + 1]) ||
        !is_point(zones, zones.links[i + 2], zones.links[i + 3]))
      throw Failure(OP_ERR_ARGUMENT, "a connection names a node that is not there");
}

} // namespace cgns

// SPDX-License-Identifier: MIT
