#include "meshfile/vtk/write_vtu.hpp"

#include "meshfile/vtk/appended.hpp"
#include "meshfile/vtk/mesh_piece.hpp"

namespace op2::core {

namespace {

constexpr const char *global_ids = "GlobalNodeIds";

} // namespace

std::string vtu_bytes(const MeshModel &model, int part) {
  const MeshPiece piece = mesh_piece(model, part);
  Appended arrays;
  std::string out = text(Appended::head("UnstructuredGrid"), "<UnstructuredGrid>\n<Piece NumberOfPoints=\"",
                         piece.ids.size(), "\" NumberOfCells=\"", piece.types.size(), "\">\n");
  if (part >= 0)
    out += text("<PointData GlobalIds=\"", global_ids, "\">\n", arrays.array("Int64", global_ids, 1, piece.ids),
                "</PointData>\n");
  out += text("<CellData>\n", arrays.array("Int32", "patch", 1, piece.patches));
  if (model.parts() > 0) out += arrays.array("Int32", "part", 1, piece.parts);
  out += text("</CellData>\n<Points>\n", arrays.array("Float64", "Points", 3, piece.points), "</Points>\n<Cells>\n",
              arrays.array("Int64", "connectivity", 1, piece.nodes), arrays.array("Int64", "offsets", 1, piece.ends),
              arrays.array("UInt8", "types", 1, piece.types));
  if (!piece.faces.empty())
    out += arrays.array("Int64", "faces", 1, piece.faces) + arrays.array("Int64", "faceoffsets", 1, piece.face_ends);
  return out + "</Cells>\n</Piece>\n</UnstructuredGrid>\n" + arrays.tail();
}

std::string pvtu_bytes(const std::vector<std::string> &files, bool parts) {
  std::string out = text(Appended::head("PUnstructuredGrid"), "<PUnstructuredGrid GhostLevel=\"0\">\n");
  if (parts)
    out += text("<PPointData GlobalIds=\"", global_ids, "\">\n<PDataArray type=\"Int64\" Name=\"", global_ids,
                "\"/>\n</PPointData>\n");
  out += text("<PCellData>\n<PDataArray type=\"Int32\" Name=\"patch\"/>\n",
              parts ? "<PDataArray type=\"Int32\" Name=\"part\"/>\n" : "",
              "</PCellData>\n<PPoints>\n<PDataArray type=\"Float64\" Name=\"Points\" "
              "NumberOfComponents=\"3\"/>\n</PPoints>\n");
  for (const std::string &file : files) out += text("<Piece Source=\"", file, "\"/>\n");
  return out + "</PUnstructuredGrid>\n</VTKFile>\n";
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
