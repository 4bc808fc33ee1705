// The quality of a mesh.
#pragma once

#include "meshfile/connectivity.hpp"

namespace op2::core {

struct VolumeRange {
  double least = 0, most = 0, sum = 0;
};

struct Quality {
  VolumeRange volume;      // of cells; areas in two dimensions
  double worst_aspect = 0; // longest edge of a cell over its shortest
  double mean_aspect = 0;
  int bandwidth = 0; // largest distance of the numbers of two neighbouring cells
  double mean_bandwidth = 0;
  int negative = 0, zero = 0; // volumes
  int unused_nodes = 0;       // no face has them
  int duplicate_nodes = 0;    // with the coordinates of another one
  int duplicate_cells = 0;    // of the same nodes as another one
  int open_cells = 0;         // whose faces do not enclose them
  int turned_faces = 0;       // whose normal points to the wrong side
};

Quality measure(const MeshFile &mesh, const Connectivity &faces);

// One sentence for each thing that is wrong. Nothing: the mesh is clean.
std::vector<std::string> findings(const MeshFile &mesh, const Connectivity &faces, const Quality &quality);

} // namespace op2::core

// SPDX-License-Identifier: MIT
