// Mesh files of all formats. The user, the name of the file or its first bytes choose the format.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/text.hpp"
#include "io/files.hpp"
#include "meshfile/model.hpp"

namespace op2::core {

// Whether a file is HDF5: by `format`, or, if that is empty, by the first bytes.
bool is_mesh_hdf5(const std::string &path, std::string_view format);

// All processes together read HDF5; each process by itself reads other formats. `files` is called for formats that need
// a driver, and throws without a session.
MeshFile read_mesh_file(const std::string &path, std::string_view format, const std::function<Files &()> &files);

// The extension chooses VTK, CGNS, or otherwise HDF5 in OP2's layout. Collective.
void write_mesh_file(Files &files, const MeshModel &model, const std::string &path);

// OP2's layout in HDF5. Collective. For writing, all processes pass the same model; each writes its block of each set.
MeshFile read_mesh_hdf5(Files &files, const std::string &path);
void write_mesh_hdf5(Files &files, const MeshModel &model, const std::string &path);
// The attributes that hold the names of patches, in pieces: `patches`, `patches1`, ...
inline std::string patches_key(std::size_t piece) { return piece == 0 ? "patches" : text("patches", piece); }

// By plugin mesh_cgns; both throw OP_ERR_BACKEND without it, OP_ERR_PLUGIN, OP_ERR_FILE. Each process reads by itself.
// Process 0 writes one zone, or one for each part of the mesh that has cells. Collective. Throws OP_ERR_UNSUPPORTED.
MeshFile read_mesh_cgns(Files &files, const std::string &path);
void write_mesh_cgns(Files &files, const MeshModel &model, const std::string &path);

// A .vtu with the whole mesh, or a .pvtu that lists one file beside it, NAME_0.vtu, ..., for each part of the mesh.
// Process 0 writes. Collective. Throws OP_ERR_FILE, OP_ERR_UNSUPPORTED.
void write_mesh_vtk(Files &files, const MeshModel &model, const std::string &path);

} // namespace op2::core

// SPDX-License-Identifier: MIT
