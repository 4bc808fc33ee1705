// Meshes of CGNS files, by plugin mesh_cgns.
#pragma once

#include <string>
#include <string_view>

#include "meshfile/mesh_file.hpp"

namespace op2::core {

// Whether a file is to be read as CGNS: `format` says so, or is empty and the name ends that way.
bool is_mesh_cgns(const std::string &path, std::string_view format);

// Each process for itself. Throws OP_ERR_STATE without a session, OP_ERR_PLUGIN without the plugin, OP_ERR_FILE.
MeshFile read_mesh_cgns(const std::string &path);

} // namespace op2::core
