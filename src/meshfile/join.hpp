// A mesh that stands in several pieces: the files of a .pvtu, the zones of a CGNS file. Which of their points are one.
#pragma once

#include <span>
#include <vector>

#include "meshfile/vtk/vtk_common.hpp"

namespace op2::core {

// Two points of a file that says so: those of pieces `piece` and `other`. other_point -1: the one in the same place.
struct PointLink {
  int piece = 0;
  long long point = 0;
  int other = 0;
  long long other_point = 0;
};

// All of these count the points of all pieces one behind the other, and return for each point the first one that it is
// one with. They throw OP_ERR_FILE where that cannot be or cannot be told; `file` is for messages.

// By the global numbers of the points, if all pieces have them; else points of different pieces that have exactly the
// same coordinates are one. Points of one piece stay apart.
std::vector<int> join_points(const std::string &file, std::span<const VtkPiece> pieces);

// By links alone.
std::vector<int> join_linked(const std::string &file, std::span<const VtkPiece> pieces,
                             std::span<const PointLink> links);

// Where each piece's points begin, and where those of the last one end.
std::vector<int> piece_starts(const std::string &file, std::span<const VtkPiece> pieces);

// Makes those points of the mesh one, and leaves out boundary faces that two pieces list: they lie between them.
void merge_nodes(MeshFile &mesh, std::span<const int> same, std::span<const int> starts);

} // namespace op2::core
