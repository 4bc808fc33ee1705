// The mesh of a CGNS file, as lists like those of VTK's files.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "op2/types.h"

namespace cgns {

struct Failure : std::runtime_error {
  Failure(op_status why, const std::string &message) : std::runtime_error(message), code(why) {}
  op_status code;
};

struct Grid {
  std::vector<double> points; // three for each node
  std::vector<std::int64_t> nodes, ends, faces, face_ends;
  std::vector<int> types, patch; // patch: 0, or from 1 the place in `patches`
};

struct Zones {
  std::vector<Grid> grids;
  std::vector<std::string> names; // of the zones
  std::vector<std::string> patches, notes;
  // Connections between zones, four numbers each, from 0: zone and node, the other zone and the same node there; -1:
  // the node with the same coordinates.
  std::vector<std::int64_t> links;
};

// All zones of the first base. Throws Failure.
Zones read_zones(const char *path);

// Creates an empty file; replaces an existing one. Throws Failure.
void make_file(const char *path);

// Writes zones into an empty file. Links must exist in both directions, links of a pair of zones adjacent. Throws
// Failure; the file is then incomplete.
void write_zones(const char *path, const Zones &zones);

// Throws Failure unless all numbers in the lists are valid.
void check_zones(const Zones &zones);

} // namespace cgns

// SPDX-License-Identifier: MIT
