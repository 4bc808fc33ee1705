// What VTK's two formats have in common: types of values, and cells as lists of nodes with offsets.
#pragma once

#include <span>

#include "meshfile/cursor.hpp"
#include "meshfile/elements.hpp"

namespace op2::core {

enum class VtkType { none, int8, uint8, int16, uint16, int32, uint32, int64, uint64, float32, float64 };

std::size_t vtk_size(VtkType type); // bytes
inline bool vtk_whole(VtkType type) { return type != VtkType::none && type < VtkType::float32; }
long long vtk_integer(VtkType type, const char *from, bool swap);
double vtk_real(VtkType type, const char *from, bool swap);

// The values of a binary array, which must be finite.
std::vector<double> vtk_reals(const Cursor &in, VtkType type, std::string_view bytes, bool swap);
std::vector<long long> vtk_integers(const Cursor &in, VtkType type, std::string_view bytes, bool swap);

struct VtkGrid {
  std::vector<double> points;
  std::vector<long long> nodes;     // of all cells, one behind the other
  std::vector<long long> ends;      // where each cell ends in `nodes`
  std::vector<long long> types;     // of cells
  std::vector<long long> faces;     // of polyhedra: how many, then for each how many nodes and which
  std::vector<long long> face_ends; // where each polyhedron ends there, other cells: -1; empty: `nodes` has the faces
  std::vector<long long> cell_data; // of cells; numbers of patches if a cell is a side; may be empty
  std::string data_name;            // the file's name of cell_data
  std::vector<long long> ids;       // global numbers of points; may be empty
  std::vector<long long> ghosts;    // of cells: not 0 where another piece has the cell; may be empty
};

// A part of a mesh with its own points; messages name it by the file of `in`.
struct VtkPiece {
  Cursor in;
  VtkGrid grid;
};

// `in` is for messages.
MeshFile vtk_mesh(const Cursor &in, VtkGrid grid, const char *format);

// same[i]: the first point that is the same as point i, from the functions of join.hpp.
MeshFile vtk_mesh(std::span<VtkPiece> pieces, std::span<const int> same, const char *format);

} // namespace op2::core

// SPDX-License-Identifier: MIT
