// Meshes of meshfile.h as HDF5 files in OP2's layout, and back.
#pragma once

#include <string>
#include <string_view>

#include "io/files.hpp"
#include "meshfile/model.hpp"

namespace op2::core {

// Whether a file is to be read as HDF5: `format` says so, or is empty and the file begins like one.
bool is_mesh_hdf5(const std::string &path, std::string_view format);

// Collective. Throws OP_ERR_STATE without a session.
MeshFile read_mesh_hdf5(const std::string &path);

// Collective; every process has the same model and writes its block of each set.
void write_mesh_hdf5(Files &files, const MeshModel &model, const std::string &path);

} // namespace op2::core
