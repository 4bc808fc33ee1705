// read_test.cpp: the same two meshes in every format, in all its forms; and files that are wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "bytes.hpp"
#include "judge.hpp"
#include "meshfile/model.hpp"

namespace {

using namespace meshes;
using op2::core::MeshFile;
using op2::core::MeshModel;
using op2::core::parse_mesh;

const char *const data = OP2_MESH_DATA;

// Formats that know patches only by number.
Sample numbered(Sample sample, const std::string &word) {
  for (std::size_t i = 0; i < sample.patches.size(); ++i) sample.patches[i] = word + std::to_string(i + 1);
  return sample;
}

TEST(Read, EveryFormatAndForm) {
  for (const Sample &sample : {strip(), mixed()})
    for (const auto &[format, bytes] : all_formats(sample)) {
      SCOPED_TRACE(bytes.substr(0, 200));
      const char *word = format == "medit" ? "ref" : format == "vtk" || format == "vtu" ? "patch" : nullptr;
      // Medit's files have all cells of one type together.
      expect_sample(parse_mesh(bytes, "a file", format), word ? numbered(sample, word) : sample, format != "medit");
    }
}

// The same mesh with cells that are given by their sides.
TEST(Read, PolyhedraLikeOtherCells) {
  const MeshFile given = parse_mesh(vtk(mixed(), Form::text, false), "m", "vtk");
  const MeshFile mesh = parse_mesh(vtk_polyhedra(mixed()), "m", "vtk");
  EXPECT_EQ(mesh.block(op2::core::CellType::polyhedron).cells, (std::vector<int>{0, 1, 2, 3}));
  const auto expected = connect(given), faces = connect(mesh);
  EXPECT_EQ(faces.face_cells, expected.face_cells);
  EXPECT_EQ(faces.boundary_cell, expected.boundary_cell);
  EXPECT_EQ(faces.boundary_patch, expected.boundary_patch);
  const auto quality = measure(mesh, faces);
  EXPECT_NEAR(quality.volume.sum, mixed().volume, 1e-14);
  EXPECT_EQ(findings(mesh, faces, quality), findings(given, expected, measure(given, expected)));
  EXPECT_EQ(refusal([] { parse_mesh(vtk_polyhedra(mixed()).replace(200, 1, "x"), "m", "vtk"); }).substr(0, 7),
            "m: line");
}

// A pentagon beside a square, both cut out of a strip of two squares.
TEST(Read, Polygons) {
  const std::string text =
      "# vtk DataFile Version 2.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 7 float\n0 0 0 1 0 0 1 1 0 0 1 0 2 0 0 "
      "2 1 0 1.5 1.5 0\nCELLS 3 14\n4 0 1 2 3\n5 2 6 5 4 1\n2 3 0\nCELL_TYPES 3\n9 7 3\n";
  const MeshFile mesh = parse_mesh(text, "m", "vtk");
  EXPECT_EQ(mesh.block(op2::core::CellType::polygon).cells, std::vector<int>{1});
  const auto faces = connect(mesh);
  EXPECT_EQ(faces.face_cells, (std::vector<int>{0, 1}));
  EXPECT_EQ(faces.face_nodes, (std::vector<int>{1, 2}));
  EXPECT_EQ(faces.boundary_cell, (std::vector<int>{0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(faces.unnamed, 6);
  const auto quality = measure(mesh, faces);
  EXPECT_DOUBLE_EQ(quality.volume.sum, 2.25);
  EXPECT_EQ(quality.turned_faces + quality.open_cells, 0);
}

// Types of VTK with nodes beside their corners, all of which lie in one place.
TEST(Read, VtkSecondOrder) {
  using op2::core::CellType;
  const std::string prism = "0 0 0 0 1 0 1 0 0 0 0 1 0 1 1 1 0 1 ", square = "0 0 0 1 0 0 1 1 0 0 1 0 ";
  struct Row {
    int type, nodes;
    std::string corners;
    CellType kind;
    double volume;
  };
  for (const Row &row :
       {Row{30, 6, square, CellType::quadrangle, 1}, Row{31, 12, prism, CellType::prism, 0.5},
        Row{32, 18, prism, CellType::prism, 0.5}, Row{34, 7, "0 0 0 1 0 0 0 1 0 ", CellType::triangle, 0.5},
        Row{33, 24, square + "0 0 1 1 0 1 1 1 1 0 1 1 ", CellType::hexahedron, 1},
        Row{37, 19, square + "0 0 1 ", CellType::pyramid, 1.0 / 3}}) {
    SCOPED_TRACE(row.type);
    const auto corners = static_cast<int>(std::count(row.corners.begin(), row.corners.end(), ' ')) / 3;
    std::string points = row.corners, cell = std::to_string(row.nodes);
    for (int i = corners; i < row.nodes; ++i) points += "7 7 7 ";
    for (int i = 0; i < row.nodes; ++i) cell += " " + std::to_string(i);
    const std::string number = std::to_string(row.nodes);
    const MeshFile mesh = parse_mesh("# vtk DataFile Version 2.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS " +
                                         number + " float\n" + points + "\nCELLS 1 " + std::to_string(row.nodes + 1) +
                                         "\n" + cell + "\nCELL_TYPES 1\n" + std::to_string(row.type) + "\n",
                                     "m", "vtk");
    EXPECT_EQ(mesh.block(row.kind).cells, std::vector<int>{0});
    EXPECT_EQ(mesh.nodes(), corners);
    EXPECT_DOUBLE_EQ(measure(mesh, connect(mesh)).volume.sum, row.volume);
  }
}

TEST(Read, VtkLeavesOutWhatIsOfNoUse) {
  std::string text = vtk(strip(), Form::text, false);
  const std::size_t at = text.find("SCALARS patch");
  const std::string nine = "1 2 3 4 5 6 7 8 9\n";
  text.insert(at, "SCALARS pressure double\nLOOKUP_TABLE default\nnan " + nine.substr(2) + "VECTORS u float\n" + nine +
                      nine + nine + "FIELD more 3\nbits 1 9 bit\n" + nine +
                      "METADATA\nINFORMATION 0\n\nwords 1 9 string\na\n\n\nd\ne\nf\ng\nh\ni\nreal 2 9 double\n" + nine +
                      nine + "GLOBAL_IDS id vtkIdType\n" + nine);
  expect_sample(parse_mesh(text, "m", "vtk"), numbered(strip(), "patch"));
}

TEST(Read, MeditBinarySaysWhere) {
  const auto says = [](const std::string &bytes) { return refusal([&] { parse_mesh(bytes, "m", "medit"); }); };
  std::string bytes = medit_binary(strip(), 2, false);
  EXPECT_EQ(parse_mesh(bytes, "no.ending", "").format, "medit");
  EXPECT_EQ(parse_mesh(medit_binary(strip(), 1, true), "no.ending", "").nodes(), 6);
  EXPECT_EQ(says(bytes.substr(0, 50)), "m: the table at byte 20: the table behind it begins at byte 152 of 50");
  bytes[4] = 5;
  EXPECT_EQ(says(bytes), "m: the table at byte 0: this is version 5; 1 to 4 can be read");
}

TEST(Read, OpenFoamSaysWhichFileAndLine) {
  const auto says = [](const char *points, const std::string &faces, const std::string &owner) {
    const std::string head = "FoamFile\n{\n format ascii;\n}\n";
    const std::string texts[] = {head + points, head + faces, head + owner, head + "0()\n", head + "0()\n"};
    return refusal([&] {
      op2::core::read_openfoam({{texts[0], "points"},
                                {texts[1], "faces"},
                                {texts[2], "owner"},
                                {texts[3], "neighbour"},
                                {texts[4], "boundary"}});
    });
  };
  const char *const points = "3((0 0 0) (1 0 0) (0 1 0))";
  EXPECT_EQ(says(points, "1\n(\n3(0 1 7)\n)\n", "1(0)"),
            "faces: line 7: expected the number of a point from 0 to 2, found 7");
  EXPECT_EQ(says(points, "1(3(0 1 2))", "1(4)"), "owner: line 5: expected the owner of a face from 0 to 0, found 4");
}

TEST(Read, ManyPatchesTakeNoTime) {
  MeshFile mesh;
  for (int i = 0; i < 200000; ++i) EXPECT_EQ(mesh.patch(i, "name" + std::to_string(i)), i);
  EXPECT_EQ(mesh.patch(7, ""), 7);
  EXPECT_EQ(mesh.patch(7, "another"), 200000);
}

TEST(Read, Vtu) {
  std::string compressed = vtu(strip(), Encoding::base64, false);
  compressed.insert(compressed.find(" byte_order"), " compressor=\"vtkLZ4DataCompressor\"");
  std::string named = vtu(strip(), Encoding::text, false);
  ASSERT_NE(named.find("<CellData>"), named.npos);
  named.insert(named.find("<CellData>") + 10,
               "<DataArray type=\"String\" Name=\"s\" format=\"ascii\">97 0</DataArray>");
  expect_sample(parse_mesh(named, "m", "vtu"), numbered(strip(), "patch"));
  compressed = refusal([&] { parse_mesh(compressed, "m", "vtu"); });
  EXPECT_NE(compressed.find("the arrays are compressed by vtkLZ4DataCompressor; write the file again with zlib"),
            std::string::npos);
}

// VTK's prisms begin with the triangle that looks out of them, others with one that looks in.
TEST(Read, PrismsOfBothKinds) {
  Sample sample = mixed();
  sample.cells[2].nodes = {1, 9, 5, 2, 10, 6};
  for (const std::string &bytes : {su2(sample), vtk(sample, Form::text, true)}) {
    const MeshFile mesh = parse_mesh(bytes, "m", bytes[0] == '#' ? "vtk" : "su2");
    EXPECT_EQ(mesh.block(op2::core::CellType::prism).nodes, mixed().cells[2].nodes);
  }
}

// Group 3 is a curve 7; curve 3, which has the same number, is in no group.
TEST(Read, GmshElementsInNoGroup) {
  const std::string head =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n1 3 \"wall\"\n$EndPhysicalNames\n"
      "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n$Elements\n3\n"
      "1 3 2 0 1 1 2 3 4\n";
  const MeshFile one = parse_mesh(head + "2 1 2 -3 7 1 2\n3 1 2 0 3 2 3\n$EndElements\n", "m", "gmsh");
  ASSERT_EQ(one.patches.size(), 1u);
  EXPECT_EQ(one.patches[0].name, "wall");
  EXPECT_EQ(one.boundary.items, (std::vector<int>{0, 1}));
  const MeshFile none = parse_mesh(head + "2 1 2 0 7 1 2\n3 1 2 0 3 2 3\n$EndElements\n", "m", "gmsh");
  ASSERT_EQ(none.patches.size(), 2u);
  EXPECT_EQ(none.patches[0].name, "patch7");
  EXPECT_EQ(none.patches[1].name, "patch3");
}

TEST(Read, Su2LeavesOutWhatItDoesNotKnow) {
  const std::string more = "NPERIODIC= 1\nPERIODIC_INDEX= 0\n0 0 0\n", boxes = "FFD_NBOX= 1\nFFD_TAG= BOX\n1 2 3\n";
  const std::string plain = su2(strip());
  expect_sample(parse_mesh("NZONE= 1\nIZONE= 1\n" + plain + more + boxes, "m", "su2"), strip());
  EXPECT_EQ(refusal([] { parse_mesh("NELEM= 1\n5 0 1 2\n", "m", "su2"); }),
            "m: line 1: the file has no NDIME=, by which this section is read");
}

TEST(Read, OpenFoam) {
  const MeshFile mesh = op2::core::read_mesh(std::string(data) + "/two_cubes");
  EXPECT_EQ(mesh.format, "openfoam");
  EXPECT_EQ(mesh.nodes(), 12);
  EXPECT_EQ(mesh.cells, 2);
  ASSERT_EQ(mesh.patches.size(), 2u);
  EXPECT_EQ(mesh.patches[1].name, "walls");
  const auto faces = connect(mesh);
  EXPECT_EQ(faces.faces(), 1);
  EXPECT_EQ(faces.boundary_faces(), 10);
  EXPECT_EQ(faces.boundary_patch, (std::vector<int>{0, 1, 1, 1, 1, 1, 1, 1, 1, 1}));
  const auto quality = measure(mesh, faces);
  EXPECT_DOUBLE_EQ(quality.volume.sum, 2);
  EXPECT_EQ(findings(mesh, faces, quality), std::vector<std::string>{});
}

// One file of a polyMesh in binary: what stands between the brackets of each list is given.
std::string foam(const char *kind, const char *arch, const std::vector<std::pair<int, std::string>> &lists) {
  Bytes out;
  out.text("FoamFile\n{\n version 2.0;\n format binary;\n arch \"", arch, "\";\n class ", kind, ";\n}\n");
  for (const auto &[count, bytes] : lists) out.text(count, "\n(", bytes, ")\n");
  return out.all();
}

// A cube as the only cell, with labels of 32 and 64 bits.
template <class Label>
MeshFile binary_cube(const char *arch) {
  Bytes points, begins, nodes, owner;
  for (int i = 0; i < 8; ++i) points.value<double>(i & 1).value<double>(i >> 1 & 1).value<double>(i >> 2);
  for (int i = 0; i <= 6; ++i) begins.value<Label>(4 * i);
  for (const int node : {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5})
    nodes.value<Label>(node);
  for (int i = 0; i < 6; ++i) owner.value<Label>(0);
  const std::string texts[] = {foam("vectorField", arch, {{8, points.all()}}),
                               foam("faceCompactList", arch, {{7, begins.all()}, {24, nodes.all()}}),
                               foam("labelList", arch, {{6, owner.all()}}), foam("labelList", arch, {{0, ""}}),
                               "FoamFile\n{\n format ascii;\n}\n1\n(\nwalls\n{\n nFaces 6;\n startFace 0;\n}\n)\n"};
  return op2::core::read_openfoam({{texts[0], "points"},
                                   {texts[1], "faces"},
                                   {texts[2], "owner"},
                                   {texts[3], "neighbour"},
                                   {texts[4], "boundary"}});
}

TEST(Read, OpenFoamBinary) {
  for (const MeshFile &mesh :
       {binary_cube<int>("LSB;label=32;scalar=64"), binary_cube<long long>("LSB;label=64;scalar=64")}) {
    const auto faces = connect(mesh);
    EXPECT_EQ(faces.boundary_faces(), 6);
    EXPECT_EQ(mesh.patches[0].name, "walls");
    const auto quality = measure(mesh, faces);
    EXPECT_DOUBLE_EQ(quality.volume.sum, 1);
    EXPECT_EQ(findings(mesh, faces, quality), std::vector<std::string>{});
  }
}

TEST(Read, Airfoil) {
  const MeshFile mesh = op2::core::read_mesh(std::string(data) + "/two_squares.dat");
  EXPECT_EQ(mesh.format, "airfoil");
  const auto faces = connect(mesh);
  EXPECT_EQ(faces.faces(), 1);
  EXPECT_EQ(faces.face_nodes, (std::vector<int>{1, 4}));
  EXPECT_EQ(faces.face_cells, (std::vector<int>{0, 1}));
  EXPECT_EQ(faces.boundary_patch, (std::vector<int>{1, 1, 2, 2, 2, 2}));
  const auto quality = measure(mesh, faces);
  EXPECT_DOUBLE_EQ(quality.volume.sum, 2);
  EXPECT_EQ(findings(mesh, faces, quality), std::vector<std::string>{});
}

TEST(Read, TellsFormatsApart) {
  EXPECT_EQ(parse_mesh(gmsh2(strip(), Form::text), "no.ending", "").format, "gmsh");
  EXPECT_EQ(parse_mesh(medit(strip()), "wrong.msh", "").format, "medit");
  EXPECT_EQ(parse_mesh(su2(strip()), "a.su2", "").format, "su2");
  EXPECT_EQ(refusal([] { parse_mesh("1 2 3", "a.txt", ""); }).substr(0, 37), "a.txt: the format cannot be told from");
  EXPECT_NE(refusal([] { parse_mesh("", "a", "gmsch"); }).find("there is no mesh format 'gmsch'"), std::string::npos);
}

TEST(Read, SaysWhatIsWrongAndWhere) {
  const auto medit_says = [](const std::string &text) { return refusal([&] { parse_mesh(text, "m", "medit"); }); };
  const std::string head = "MeshVersionFormatted 2\nDimension 2\nVertices\n3\n0 0 0\n1 0 0\n0 1 0\n";
  EXPECT_EQ(medit_says(head + "Triangles\n1\n1 2 4 0\n"),
            "m: line 10: expected the number of a vertex from 1 to 3, found 4");
  EXPECT_EQ(medit_says(head + "Triangles\n1\n1 2 x 0\n"), "m: line 10: expected the number of a vertex, found 'x'");
  EXPECT_EQ(medit_says(head + "Triangles\n1\n1 2 3    "), "m: line 10: expected a reference, but the file ends");
  EXPECT_EQ(medit_says(head + "Triangles\n2000000000\n1 2 3 0\n"),
            "m: line 9: expected the number of rows, found 2000000000, for which the file is too short");
  EXPECT_EQ(medit_says(head + "Triangles\n-1\n"), "m: line 9: expected the number of rows, found -1");
  EXPECT_EQ(medit_says("MeshVersionFormatted 2\nDimension 2\nVertices\n1\n0 nan 0\n"),
            "m: line 5: expected a coordinate, found 'nan'");
  const auto gmsh_says = [](const std::string &text) { return refusal([&] { parse_mesh(text, "m", "gmsh"); }); };
  EXPECT_EQ(gmsh_says("$MeshFormat\n3 0 8\n$EndMeshFormat\n"),
            "m: line 2: this is version 3 of the format; 2.2 and 4.1 can be read (gmsh -save -format msh41)");
  MeshFile odd = parse_mesh(su2(strip()), "m", "su2");
  odd.x[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal([&] { check_numbers(odd, "m"); }), "m: a coordinate of node 1 is not a finite number");
  EXPECT_EQ(refusal([] { op2::core::read_mesh("/nowhere/a.msh"); }), "/nowhere/a.msh: No such file or directory");
}

// Every file cut off anywhere, or with one byte changed: read or refused, never worse.
TEST(Read, DamagedFiles) {
  int refused = 0, read = 0;
  const auto attempt = [&](const std::string &bytes, const char *format) {
    try {
      const MeshFile mesh = parse_mesh(bytes, "m", format);
      const auto faces = connect(mesh);
      findings(mesh, faces, measure(mesh, faces));
      ++read;
    } catch (const op2::core::Error &error) {
      EXPECT_EQ(error.code, OP_ERR_FILE) << error.what();
      ++refused;
    }
  };
  for (const auto &[format, bytes] : all_formats(mixed())) {
    for (std::size_t length = 0; length < bytes.size(); length += 3) attempt(bytes.substr(0, length), format.c_str());
    for (std::size_t at = 0; at < bytes.size(); at += 2)
      for (const char other : {'9', '-', '\xff'}) {
        std::string damaged = bytes;
        damaged[at] = other;
        attempt(damaged, format.c_str());
      }
  }
  EXPECT_GT(refused, 1000);
  EXPECT_GT(read, 100); // a coordinate may be another one
}

TEST(Meshes, WithoutCellsAreMeshes) {
  const std::vector<std::pair<std::string, std::string>> files = {
      {"su2", "NDIME= 2\nNELEM= 0\nNPOIN= 2\n0 0\n1 0\nNMARK= 0\n"},
      {"vtk",
       "# vtk DataFile Version 4.2\n\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 2 double\n0 0 0 1 0 0\nCELLS 0 "
       "0\nCELL_TYPES 0\n"},
      {"vtu",
       "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid><Piece><Points><DataArray type=\"Float64\" "
       "NumberOfComponents=\"3\">"
       "0 0 0 1 0 0</DataArray></Points><Cells><DataArray type=\"Int32\" Name=\"connectivity\"></DataArray>"
       "<DataArray type=\"Int32\" Name=\"offsets\"></DataArray><DataArray type=\"UInt8\" "
       "Name=\"types\"></DataArray></Cells>"
       "</Piece></UnstructuredGrid></VTKFile>"}};
  for (const auto &[format, bytes] : files) {
    SCOPED_TRACE(format);
    MeshModel model(parse_mesh(bytes, "m", format));
    EXPECT_EQ(model.size("nodes"), 2);
    for (const char *set : {"cells", "faces", "bfaces"}) EXPECT_EQ(model.size(set), 0);
    EXPECT_NE(model.info().find("note        the mesh has no cells\n"), std::string::npos);
    EXPECT_EQ(model.findings(), (std::vector<std::string>{"the mesh has no cells", "2 nodes belong to no cell"}));
  }
}

} // namespace

// SPDX-License-Identifier: MIT
