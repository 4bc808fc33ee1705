// What a CGNS file has of a mesh, as lists like those of VTK's files.
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
  // Connections between zones, four numbers each: zone and node, the other zone and the node there that is the same
  // one; -1: the one in the same place. All from 0.
  std::vector<std::int64_t> links;
};

// All zones of the first base. Throws Failure.
Zones read_zones(const char *path);

// An empty file, in the place of one that may be there. Throws Failure.
void make_file(const char *path);

// These zones into an empty file. They must have their links from both sides, those of one pair of zones side by side.
// Throws Failure, and the file is then not whole.
void write_zones(const char *path, const Zones &zones);

// Throws Failure unless all numbers in the lists lead somewhere.
void check_zones(const Zones &zones);

} // namespace cgns
