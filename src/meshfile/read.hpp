// Reads mesh files: which format, and the reader of each. This folder is a library of its own: it uses src/base alone,
// so its readers need no session, and a program links them with nothing else (tests/fuzz does).
#pragma once

#include <functional>
#include <memory>

#include "meshfile/cursor.hpp"
#include "meshfile/mesh_file.hpp"
#include "meshfile/vtk/vtk_common.hpp"

namespace op2::core {

// The whole of a file.
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

// Reads, checks all numbers, and throws OP_ERR_FILE (what is wrong, with file and line), OP_ERR_ARGUMENT (no such
// format) or std::bad_alloc. `format` "": by the name of the file, then by how it begins.
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

// The pieces of a mesh in VTK's XML format: those of one file, and the files that a list of pieces (.pvtu) names, in
// its own words.
std::vector<VtkPiece> read_vtu_pieces(Cursor in);
bool is_pvtu(std::string_view bytes);
std::vector<std::string> pvtu_files(Cursor in);
// One mesh of all pieces.
MeshFile join_vtu(const std::string &file, std::span<VtkPiece> pieces);

struct OpenFoamFiles {
  Cursor points, faces, owner, neighbour, boundary;
};
MeshFile read_openfoam(OpenFoamFiles files);

} // namespace op2::core
