// levels.hpp: a channel with a bump on its floor, as a mesh of triangles and as coarser meshes of polygons: each of
// them made of groups of about four neighbours of the one before.
#ifndef OP2_EXAMPLES_LEVELS_HPP
#define OP2_EXAMPLES_LEVELS_HPP

#include <vector>

#include "triangle_mesh.hpp"

namespace multigrid {

enum Kind { END, WALL }; // of the boundary: where the flow enters and leaves; floor and ceiling

// One mesh, as finite volumes see it. Rows are contiguous.
struct Grid {
  int ncell = 0, nface = 0, nbface = 0;
  std::vector<double> volume;   // [ncell]
  std::vector<int> face_cells;  // [nface][2] all of the boundary between two cells is one face
  std::vector<double> normal;   // [nface][2] from the first cell to the second, as long as the face
  std::vector<int> bface_cell;  // [nbface] all of a cell's boundary of one kind is one face
  std::vector<double> bnormal;  // [nbface][2] outwards
  std::vector<int> kind;        // [nbface]
  std::vector<int> coarse_cell; // [ncell] the cell of the next coarser mesh that this one is part of; empty on the last
};

// The triangles: 3*n x n small rectangles in two. The channel is 3 long and 1 high, the bump 1 long and 0.1 high.
// Throws std::invalid_argument as triangles::make_mesh() does.
triangles::Mesh make_channel(int n);

// The triangles as finite volumes and `count` - 1 coarser meshes.
std::vector<Grid> make_grids(const triangles::Mesh &mesh, int count);

} // namespace multigrid

#endif

// SPDX-License-Identifier: MIT
