// Reads mesh files: detects the format and calls its reader. This folder is a separate library: it uses only src/base,
// so its readers need no session, and a program can link it alone (tests/fuzz does).
#pragma once

#include <functional>
#include <memory>

#include "meshfile/cursor.hpp"
#include "meshfile/mesh_file.hpp"
#include "meshfile/vtk/vtk_common.hpp"

namespace op2::core {

// The contents of a file.
class FileBytes {
 public:
  explicit FileBytes(const std::string &path); // throws OP_ERR_FILE
  std::string_view bytes() const { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0;
};

// The names of all formats, for messages: "gmsh", "openfoam", ...
std::vector<std::string> mesh_formats();

// Reads a file and checks all numbers. Throws OP_ERR_FILE (with file and line), OP_ERR_ARGUMENT (unknown format) or
// std::bad_alloc. format "": detected by the first bytes of the file, then by its name.
MeshFile read_mesh(const std::string &path, std::string_view format = "");

// The same from memory; not for OpenFOAM, which has several files.
MeshFile parse_mesh(std::string_view bytes, const std::string &file, std::string_view format);

// The readers.
MeshFile read_airfoil(Cursor in);
MeshFile read_gmsh(Cursor in);
MeshFile read_medit(Cursor in);        // .mesh and .meshb
MeshFile read_medit_binary(Cursor in); // .meshb
MeshFile read_su2(Cursor in);
MeshFile read_vtk(Cursor in);
MeshFile read_vtu(Cursor in);

// The pieces of a mesh in VTK's XML format: of one file; pvtu_files(): the file names in a list of pieces (.pvtu),
// unchanged.
std::vector<VtkPiece> read_vtu_pieces(Cursor in);
bool is_pvtu(std::string_view bytes);
std::vector<std::string> pvtu_files(Cursor in);
// One mesh of all pieces.
MeshFile join_vtu(const std::string &file, std::span<VtkPiece> pieces);

struct OpenFoamFiles {
  Cursor points, faces, owner, neighbour, boundary;
};
MeshFile read_openfoam(OpenFoamFiles files);
// Notes of the zones in a file such as cellZones, which are left out.
void note_openfoam_zones(MeshFile &mesh, Cursor in);

} // namespace op2::core

// SPDX-License-Identifier: MIT
