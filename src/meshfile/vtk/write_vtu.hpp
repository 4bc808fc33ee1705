// Meshes as files of VTK's XML format for unstructured grids, with all cells or a part of them.
#pragma once

#include <string>
#include <vector>

#include "meshfile/model.hpp"

namespace op2::core {

// The bytes of a file: cells in the order of the mesh, then the boundary faces that have a patch. Data of cells:
// `patch` (boundary faces: the number of their patch; cells: -1), and `part` if the mesh is divided. part -1: all of
// the mesh; else only the cells of this part, their points with global numbers. Throws OP_ERR_UNSUPPORTED if the edges
// of a polygon form no ring.
std::string vtu_bytes(const MeshModel &model, int part = -1);

// The list of pieces (.pvtu). files: their names, as values of attributes.
std::string pvtu_bytes(const std::vector<std::string> &files, bool parts);

} // namespace op2::core

// SPDX-License-Identifier: MIT
