// A mesh, or a part of its cells, as the lists that VTK's files have: what is written to files of other formats.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "meshfile/join.hpp"
#include "meshfile/model.hpp"

namespace op2::core {

// Cells in the order of the mesh, then the boundary faces that have a patch. Points of its own, in the order of the
// cells; those of a whole mesh in the order of the mesh.
struct MeshPiece {
  std::vector<std::int64_t> ids;                           // of each point in the mesh
  std::vector<double> points;                              // three for each
  std::vector<std::int64_t> nodes, ends, faces, face_ends; // as VtkGrid has them
  std::vector<std::uint8_t> types;
  std::vector<std::int32_t> patches; // boundary faces: the number of their patch; cells: no_patch
  std::vector<std::int32_t> parts;   // empty where the mesh has not been divided
};

// part -1: all of the mesh. Throws OP_ERR_UNSUPPORTED for polygons that are no rings of edges.
MeshPiece mesh_piece(const MeshModel &model, int part = -1);

// Gives all cells of a piece by their faces where some have to be: formats that take only the one or the other.
void all_by_faces(MeshPiece &piece);

// Which points of the pieces are one, each pair from both sides, those of one pair of pieces side by side.
std::vector<PointLink> shared_points(std::span<const MeshPiece> pieces);

} // namespace op2::core
