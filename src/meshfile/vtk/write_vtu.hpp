// Meshes as files of VTK's XML format for unstructured grids, whole or a part of the cells in each.
#pragma once

#include <string>
#include <vector>

#include "meshfile/model.hpp"

namespace op2::core {

// The bytes of a file: cells in the order of the mesh, then the boundary faces that have a patch. Data of cells:
// `patch` (boundary faces: the number of their patch; cells: -1), and `part` where the mesh has been divided. part -1:
// all of the mesh; else only the cells of this part, their points with global numbers. Throws OP_ERR_UNSUPPORTED for
// polygons that are no rings of edges.
std::string vtu_bytes(const MeshModel &model, int part = -1);

// The list of such files; `files`: their names as attributes have them.
std::string pvtu_bytes(const std::vector<std::string> &files, bool parts);

} // namespace op2::core
