// Meshes of CGNS files, by plugin mesh_cgns.
#pragma once

#include <string>
#include <string_view>

#include "io/files.hpp"
#include "meshfile/model.hpp"

namespace op2::core {

// Whether a file is CGNS: `format` says so, or is empty and the name ends that way.
bool is_mesh_cgns(const std::string &path, std::string_view format = "");

// Each process for itself. Throws OP_ERR_STATE without a session, OP_ERR_BACKEND without the plugin, OP_ERR_PLUGIN,
// OP_ERR_FILE.
MeshFile read_mesh_cgns(const std::string &path);

// One zone, or one for each part of the mesh that has cells. Process 0 writes. Collective. Throws OP_ERR_BACKEND
// without the plugin, OP_ERR_PLUGIN, OP_ERR_FILE, OP_ERR_UNSUPPORTED.
void write_mesh_cgns(Files &files, const MeshModel &model, const std::string &path);

} // namespace op2::core
