// Meshes written to files of VTK's XML format.
#pragma once

#include <string>

#include "mesh/mesh.hpp"
#include "meshfile/model.hpp"

namespace op2::core {

// Does the name end as those of such files do?
bool is_mesh_vtk(const std::string &path);

// A .vtu with the whole mesh, or a .pvtu that lists one file beside it, NAME_0.vtu, ..., for each part of the mesh.
// Process 0 writes. Collective. Throws OP_ERR_FILE, OP_ERR_UNSUPPORTED.
void write_mesh_vtk(Mesh &mesh, const MeshModel &model, const std::string &path);

} // namespace op2::core
