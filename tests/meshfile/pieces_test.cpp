// pieces_test.cpp: meshes in several pieces: .vtu files that a .pvtu lists, several pieces in one file, and what we
// write ourselves.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "base/error.hpp"
#include "judge.hpp"
#include "meshfile/vtk/mesh_piece.hpp"
#include "meshfile/vtk/write_vtu.hpp"

namespace {

using namespace meshes;
using namespace op2::core;

// A column of the strip of squares from x = `first`, so many squares long: points, cells, edges of patch 1 below.
struct Column {
  int first, length;
  std::string ids, ghosts; // text of these arrays, "" for none
};

std::string array(const char *type, const char *name, const std::string &values) {
  return std::string("<DataArray type=\"") + type + "\" Name=\"" + name + "\" format=\"ascii\">" + values +
         "</DataArray>\n";
}

std::string piece(const Column &column, double height = 1) {
  std::string points, nodes, ends, types, patches;
  const int row = column.length + 1;
  for (const double y : {0.0, height})
    for (int i = 0; i < row; ++i) points += std::to_string(column.first + i) + " " + std::to_string(y) + " 0 ";
  int end = 0;
  const auto cell = [&](std::vector<int> own, const char *type, const char *patch) {
    for (const int node : own) nodes += std::to_string(node) + " ";
    ends += std::to_string(end += static_cast<int>(own.size())) + " ";
    types += type;
    patches += patch;
  };
  for (int i = 0; i < column.length; ++i) cell({i, i + 1, row + i + 1, row + i}, "9 ", "0 ");
  for (int i = 0; i < column.length; ++i) cell({i, i + 1}, "3 ", "1 ");
  const std::string point_data =
      column.ids.empty() ? "" : "<PointData GlobalIds=\"id\">\n" + array("Int64", "id", column.ids) + "</PointData>\n";
  const std::string cell_data = column.ghosts.empty() ? "" : array("UInt8", "vtkGhostType", column.ghosts);
  return "<Piece>\n" + point_data + "<CellData>\n" + cell_data + array("Int32", "patch", patches) +
         "</CellData>\n<Points>\n" + array("Float64", "Points", points) + "</Points>\n<Cells>\n" +
         array("Int32", "connectivity", nodes) + array("Int32", "offsets", ends) + array("UInt8", "types", types) +
         "</Cells>\n</Piece>\n";
}

std::string file_of(const std::string &pieces, const char *type = "UnstructuredGrid") {
  return std::string("<?xml version=\"1.0\"?>\n<VTKFile type=\"") + type +
         "\" version=\"1.0\" byte_order=\"LittleEndian\">\n<" + type + ">\n" + pieces + "</" + type + ">\n</VTKFile>\n";
}

std::string list_of(const std::vector<std::string> &names) {
  std::string pieces;
  for (const std::string &name : names) pieces += "<Piece Source=\"" + name + "\"/>\n";
  return file_of(pieces, "PUnstructuredGrid");
}

// A folder with files, which goes with the test.
class Folder : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("op2_pieces_" + std::to_string(getpid()));
    std::filesystem::create_directory(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string put(const std::string &name, const std::string &bytes) {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return (folder_ / name).string();
  }
  // What is said of a list of these pieces.
  std::string refused(const std::vector<std::string> &pieces) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < pieces.size(); ++i) put(names.emplace_back("p" + std::to_string(i)), pieces[i]);
    const std::string path = put("list.pvtu", list_of(names));
    return refusal([&] { read_mesh(path); });
  }

  std::filesystem::path folder_;
};

void expect_strip(const MeshFile &mesh, int squares) {
  EXPECT_EQ(mesh.dim, 2);
  EXPECT_EQ(mesh.nodes(), 2 * squares + 2);
  EXPECT_EQ(mesh.cells, squares);
  const Connectivity faces = connect(mesh);
  EXPECT_EQ(faces.faces(), squares - 1);
  EXPECT_EQ(faces.boundary_faces() - faces.unnamed, squares);
  EXPECT_EQ(findings(mesh, faces, measure(mesh, faces)),
            (std::vector<std::string>{std::to_string(squares + 2) +
                                      " boundary faces belong to no patch: the boundary is open"}));
}

TEST_F(Folder, PointsInOnePlaceAreOne) {
  put("a&b.vtu", file_of(piece({0, 2, "", ""})));
  put("empty.vtu", file_of("<Piece></Piece>"));
  put("c.vtu", file_of(piece({2, 1, "", ""}) + piece({3, 2, "", ""})));
  expect_strip(read_mesh(put("all.pvtu", list_of({"a&amp;b.vtu", "empty.vtu", (folder_ / "c.vtu").string()}))), 5);
}

// Numbers that the file gives, in no order, also where rounding has moved a point.
TEST_F(Folder, PointsOfOneNumberAreOne) {
  put("a.vtu", file_of(piece({0, 2, "70 4 9 71 5 8", ""})));
  put("b.vtu", file_of(piece({2, 1, "9 2 8 3", ""}, 1 + 1e-9)));
  expect_strip(read_mesh(put("all.pvtu", list_of({"a.vtu", "b.vtu"}))), 3);
}

// Cells that another piece has are marked, and do not count; nor are the marks taken for patches.
TEST_F(Folder, GhostsAreLeftOut) {
  put("a.vtu", file_of(piece({0, 3, "", "0 0 1 0 0 1"})));
  put("b.vtu", file_of(piece({1, 3, "", "33 0 0 1 0 0"})));
  expect_strip(read_mesh(put("all.pvtu", list_of({"a.vtu", "b.vtu"}))), 4);
}

TEST_F(Folder, SaysWhichPieceIsWrong) {
  const auto has = [](const std::string &message, const std::string &words) {
    EXPECT_NE(message.find(words), message.npos) << message;
  };
  const std::string good = file_of(piece({0, 1, "", ""}));
  const std::string path = put("list.pvtu", list_of({"not_there.vtu"}));
  has(refusal([&] { read_mesh(path); }), "list.pvtu: piece 0 of 1: ");
  has(refusal([&] { read_mesh(path); }), "not_there.vtu: No such file or directory");
  has(refused({good, good.substr(0, good.size() / 2)}), "list.pvtu: piece 1 of 2: ");
  has(refused({good, file_of("", "PolyData")}), "only files of type UnstructuredGrid can be read");
  has(refused({good, list_of({"p0"})}), "piece 1 of 2: ");
  std::string outside = file_of(piece({1, 1, "", ""}));
  outside.replace(outside.find(">0 1 3 2"), 8, ">0 1 4 2"); // a node of the first piece
  has(refused({good, outside}), "p1: cell 0 has node 4 of 4");
  std::string other = file_of(piece({1, 1, "", ""}));
  other.replace(other.find("patch"), 5, "group");
  has(refused({good, other}), "are 'patch' in");
  has(refused({file_of(piece({0, 1, "1 2 3 4", ""})), file_of(piece({1, 1, "2 5 3 6", ""}))}),
      "there is one point of number 3, but it lies at (0, 1, 0) in");
  has(refused({file_of(piece({0, 1, "1 2 3 1", ""})), file_of(piece({1, 1, "2 5 4 6", ""}))}),
      "p0: two points have the global number 1");
  has(refused({file_of(piece({0, 1, "1 2 3", ""})), file_of(piece({1, 1, "2 5 4 6", ""}))}),
      "p0: there are 3 global numbers for 4 points");
  has(refused({file_of(piece({0, 1, "", ""}, 0)), file_of(piece({1, 1, "", ""}))}),
      "which of them are one cannot be told");
  const std::string list = list_of({"a", "b"});
  EXPECT_EQ(refusal([&] { pvtu_files(Cursor(list.substr(0, list.size() - 12), "m")); }),
            "m: line 6: the list of pieces ends before its tag /VTKFile");
  has(refusal([&] { parse_mesh(list, "m", "vtu"); }), "this is a list of pieces, which are in other files");
  has(refusal([&] { read_mesh(put("none.pvtu", list_of({}))); }), "the list has no pieces");
  has(refusal([&] { read_mesh(put("unnamed.pvtu", file_of("<Piece/>", "PUnstructuredGrid"))); }),
      "no attribute Source");
}

// What we write is what we read: whole, and each part of a division.
TEST_F(Folder, WrittenAndReadAgain) {
  for (const Sample &sample : {strip(), mixed()})
    for (const bool by_faces : {false, true}) {
      if (by_faces && sample.dim == 2) continue;
      MeshModel model(by_faces ? parse_mesh(vtk_polyhedra(sample), "m", "vtk")
                               : parse_mesh(vtk(sample, Form::text, true), "m", "vtk"));
      const MeshFile again = parse_mesh(vtu_bytes(model), "m", "vtu");
      EXPECT_EQ(again.x, model.file().x);
      EXPECT_EQ(connect(again).face_nodes, model.faces().face_nodes);
      EXPECT_EQ(connect(again).boundary_patch, model.faces().boundary_patch);
      const std::string before = model.info();
      std::vector<int> part(static_cast<std::size_t>(model.file().cells));
      for (std::size_t i = 0; i < part.size(); ++i) part[i] = static_cast<int>(i % 2);
      model.set_parts(3, part); // one of them is empty
      std::vector<std::string> names;
      for (int i = 0; i < 3; ++i) put(names.emplace_back("part" + std::to_string(i) + ".vtu"), vtu_bytes(model, i));
      MeshModel joined(read_mesh(put("parts.pvtu", pvtu_bytes(names, true))));
      const auto head = [](const std::string &info) { // its lines, without what depends on the order
        std::istringstream text(info.substr(info.find('\n'), info.find("bandwidth") - info.find('\n')));
        std::multiset<std::string> lines;
        for (std::string line; std::getline(text, line);) lines.insert(line);
        return lines;
      };
      EXPECT_EQ(head(joined.info()), head(before));
      EXPECT_EQ(joined.findings(), model.findings());
    }
}

// A pentagon beside a square.
TEST_F(Folder, PolygonsAreWritten) {
  const std::string text =
      "# vtk DataFile Version 2.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 7 float\n0 0 0 1 0 0 1 1 0 0 1 0 2 0 0 "
      "2 1 0 1.5 1.5 0\nCELLS 2 11\n4 0 1 2 3\n5 2 6 5 4 1\nCELL_TYPES 2\n9 7\n";
  const MeshModel model(parse_mesh(text, "m", "vtk"));
  const MeshFile again = parse_mesh(vtu_bytes(model), "m", "vtu");
  EXPECT_EQ(again.block(CellType::polygon).cells, std::vector<int>{1});
  EXPECT_DOUBLE_EQ(measure(again, connect(again)).volume.sum, 2.25);
}

std::vector<int> halves(const MeshModel &model) {
  std::vector<int> out;
  for (int cell = 0; cell < model.file().cells; ++cell) out.push_back(cell % 2);
  return out;
}

// Parts of a mesh have the nodes between them in common, from both sides, and nothing else.
TEST(Pieces, ShareTheNodesBetweenThem) {
  for (const Sample &sample : {strip(), mixed()}) {
    MeshModel model(parse_mesh(vtk(sample, Form::text, true), "m", "vtk"));
    model.set_parts(2, halves(model));
    const std::vector<MeshPiece> pieces = {mesh_piece(model, 0), mesh_piece(model, 1)};
    const std::vector<PointLink> links = shared_points(pieces);
    std::vector<std::int64_t> first = pieces[0].ids, second = pieces[1].ids, both;
    std::sort(first.begin(), first.end());
    std::sort(second.begin(), second.end());
    std::set_intersection(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(both));
    EXPECT_EQ(links.size(), 2 * both.size());
    for (const PointLink &link : links) {
      EXPECT_NE(link.piece, link.other);
      EXPECT_EQ(pieces[static_cast<std::size_t>(link.piece)].ids[static_cast<std::size_t>(link.point)],
                pieces[static_cast<std::size_t>(link.other)].ids[static_cast<std::size_t>(link.other_point)]);
    }
    EXPECT_TRUE(std::is_sorted(links.begin(), links.end(),
                               [](const PointLink &a, const PointLink &b) { return a.piece < b.piece; }));
  }
}

// Where one cell of a piece is a polyhedron, all of them are given by their faces, each with its own ones.
TEST(Pieces, AllCellsByFaces) {
  MeshModel model(parse_mesh(vtk(mixed(), Form::text, true), "m", "vtk"));
  MeshPiece piece = mesh_piece(model);
  const std::vector<std::uint8_t> types = piece.types;
  all_by_faces(piece);
  EXPECT_EQ(piece.types, types) << "no cell has to be";
  const std::string cubes =
      "# vtk DataFile Version 4.2\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 12 double\n0 0 0 1 0 0 1 1 0 0 1 0 0 0 "
      "1 1 "
      "0 1 1 1 1 0 1 1 0 0 2 1 0 2 1 1 2 0 1 2\nCELLS 2 41\n8 4 5 6 7 8 9 10 11\n31 6 4 0 3 2 1 4 4 5 6 7 4 0 1 5 4 4 "
      "1 2 6 "
      "5 4 2 3 7 6 4 3 0 4 7\nCELL_TYPES 2\n12 42\n";
  MeshPiece both = mesh_piece(MeshModel(parse_mesh(cubes, "m", "vtk")));
  const std::vector<std::int64_t> own_faces = both.faces;
  all_by_faces(both);
  EXPECT_EQ(both.types, (std::vector<std::uint8_t>{42, 42}));
  EXPECT_EQ(both.face_ends, (std::vector<std::int64_t>{31, 62}));
  ASSERT_EQ(both.faces.size(), 62u);
  EXPECT_EQ(std::vector<std::int64_t>(both.faces.begin() + 31, both.faces.end()), own_faces);
  EXPECT_EQ(std::vector<std::int64_t>(both.faces.begin(), both.faces.begin() + 6),
            (std::vector<std::int64_t>{6, 4, 4, 7, 6, 5}));
}

// A square with a square hole, whose edges are two rings.
TEST(Pieces, PolygonsAreRings) {
  MeshFile file;
  file.dim = file.cell_dim = 2;
  file.x = {0, 0, 3, 0, 3, 3, 0, 3, 1, 1, 1, 2, 2, 2, 2, 1};
  file.cells = 1;
  file.block(CellType::polygon).cells = {0};
  for (const int first : {0, 4})
    for (int k = 0; k < 4; ++k) {
      file.faces.nodes.items.insert(file.faces.nodes.items.end(), {first + k, first + (k + 1) % 4});
      file.faces.nodes.close();
      file.faces.left.push_back(0);
      file.boundary_patch.push_back(file.patch(1, "wall"));
    }
  const MeshModel model(std::move(file));
  EXPECT_EQ(refusal([&] { mesh_piece(model); }),
            "cell 0 is a polygon whose edges are not one ring; write HDF5 (.h5), where such cells can be");
}

} // namespace

// SPDX-License-Identifier: MIT
