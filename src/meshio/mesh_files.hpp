// Mesh files of all formats: the name of a file, its beginning or the user's word chooses what reads or writes it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/text.hpp"
#include "io/files.hpp"
#include "meshfile/model.hpp"

namespace op2::core {

// Whether a file is HDF5: `format` says so, or is empty and the file begins like one.
bool is_mesh_hdf5(const std::string &path, std::string_view format);

// HDF5 is read by all processes together, any other format by each for itself. `files` is called for formats that take
// a driver, and throws where there is no session.
MeshFile read_mesh_file(const std::string &path, std::string_view format, const std::function<Files &()> &files);

// By the end of the name: VTK, CGNS, or else HDF5 in OP2's layout. Collective.
void write_mesh_file(Files &files, const MeshModel &model, const std::string &path);

// OP2's layout in HDF5. Collective. To write, every process has the same model and gives its block of each set.
MeshFile read_mesh_hdf5(Files &files, const std::string &path);
void write_mesh_hdf5(Files &files, const MeshModel &model, const std::string &path);
// The names of patches are attributes of an array in pieces: `patches`, `patches1`, ...
inline std::string patches_key(std::size_t piece) { return piece == 0 ? "patches" : text("patches", piece); }

// By plugin mesh_cgns; both throw OP_ERR_BACKEND without it, OP_ERR_PLUGIN, OP_ERR_FILE. Each process reads for itself.
// Process 0 writes one zone, or one for each part of the mesh that has cells. Collective. Throws OP_ERR_UNSUPPORTED.
MeshFile read_mesh_cgns(Files &files, const std::string &path);
void write_mesh_cgns(Files &files, const MeshModel &model, const std::string &path);

// A .vtu with the whole mesh, or a .pvtu that lists one file beside it, NAME_0.vtu, ..., for each part of the mesh.
// Process 0 writes. Collective. Throws OP_ERR_FILE, OP_ERR_UNSUPPORTED.
void write_mesh_vtk(Files &files, const MeshModel &model, const std::string &path);

} // namespace op2::core
