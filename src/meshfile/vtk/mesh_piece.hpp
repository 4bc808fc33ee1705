// A mesh, or a part of its cells, as the lists of VTK's files; writers of other formats use it too.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "meshfile/join.hpp"
#include "meshfile/model.hpp"

namespace op2::core {

// Cells in the order of the mesh, then boundary faces with a patch. Only points of these, in the order of the cells;
// for a whole mesh in the order of the mesh.
struct MeshPiece {
  std::vector<std::int64_t> ids;                           // of each point in the mesh
  std::vector<double> points;                              // three for each
  std::vector<std::int64_t> nodes, ends, faces, face_ends; // as VtkGrid has them
  std::vector<std::uint8_t> types;
  std::vector<std::int32_t> patches; // boundary faces: the number of their patch; cells: no_patch
  std::vector<std::int32_t> parts;   // empty if the mesh is not divided
};

// part -1: all of the mesh. Throws OP_ERR_UNSUPPORTED if the edges of a polygon form no ring.
MeshPiece mesh_piece(const MeshModel &model, int part = -1);

// If a cell is given by its faces, converts all cells to faces, for formats that cannot mix both.
void all_by_faces(MeshPiece &piece);

// Points that are the same in two pieces: each link in both directions, links of a pair of pieces adjacent.
std::vector<PointLink> shared_points(std::span<const MeshPiece> pieces);

} // namespace op2::core

// SPDX-License-Identifier: MIT
