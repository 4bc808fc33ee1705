// Joins a mesh of several pieces (the files of a .pvtu, the zones of a CGNS file): finds which points are the same.
#pragma once

#include <span>
#include <vector>

#include "meshfile/vtk/vtk_common.hpp"

namespace op2::core {

// A point of `piece` and a point of `other` that the file declares the same. other_point -1: at the same coordinates.
struct PointLink {
  int piece = 0;
  long long point = 0;
  int other = 0;
  long long other_point = 0;
};

// These functions number the points piece after piece, and return for each point the first point that is the same. They
// throw OP_ERR_FILE if the pieces contradict each other or do not tell; `file` is for messages.

// By global numbers of the points, if all pieces have them; else points of different pieces with equal coordinates are
// the same. Points of one piece stay distinct.
std::vector<int> join_points(const std::string &file, std::span<const VtkPiece> pieces);

// By links alone.
std::vector<int> join_linked(const std::string &file, std::span<const VtkPiece> pieces,
                             std::span<const PointLink> links);

// The number of each piece's first point, and the number of points.
std::vector<int> piece_starts(const std::string &file, std::span<const VtkPiece> pieces);

// Merges the points that are the same, and removes boundary faces that two pieces list, as they are interior.
void merge_nodes(MeshFile &mesh, std::span<const int> same, std::span<const int> starts);

} // namespace op2::core

// SPDX-License-Identifier: MIT
