// Polyhedra of files without NFACE_n: faces that name the cells on both sides.
#pragma once

#include <cgnslib.h>

#include <cstdint>
#include <string>
#include <vector>

#include "file.hpp"

namespace cgns {

// Faces of a section with the numbers of the cells on their left and right, 0 where there is none.
struct Parents {
  cgsize_t first_face = 0;
  std::vector<std::int64_t> left, right;
};

// Those of the section with so many faces whose node has this path, from its ParentElements, or ParentData of older
// files. Empty without them.
Parents read_parents(const File &file, const std::string &section, cgsize_t first, cgsize_t faces);

// The faces of each of so many cells, as in NFACE_n: negative where the normal points into the cell. Cells may be
// numbered from any number, as some files count them behind the faces and some from 1. Throws Failure unless each cell
// has a face. `zone` is for messages.
std::vector<std::vector<cgsize_t>> cells_of_parents(const std::vector<Parents> &all, cgsize_t cells,
                                                    const std::string &zone);

} // namespace cgns

// SPDX-License-Identifier: MIT
