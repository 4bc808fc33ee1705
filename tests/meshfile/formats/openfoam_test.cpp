// openfoam_test.cpp: OpenFOAM's files as its versions and other programs write them.
#include <gtest/gtest.h>

#include <sstream>

#include "../bytes.hpp"
#include "../judge.hpp"
#include "base/error.hpp"

namespace {

using namespace meshes;
using op2::core::MeshFile;

std::string header(const std::string &format, const std::string &kind, const std::string &arch = "") {
  return "FoamFile { version 2.0; format " + format + "; " + (arch.empty() ? "" : "arch \"" + arch + "\"; ") +
         "class " + kind + "; }\n";
}

// Two cubes beside each other; the first face is between them.
struct Files {
  std::string points = "12((0 0 0)(1 0 0)(2 0 0)(0 1 0)(1 1 0)(2 1 0)(0 0 1)(1 0 1)(2 0 1)(0 1 1)(1 1 1)(2 1 1))";
  std::string faces =
      "11(4(1 4 10 7)4(0 6 9 3)4(2 5 11 8)4(0 1 7 6)4(1 2 8 7)4(3 9 10 4)4(4 10 11 5)4(0 3 4 1)4(1 4 5 2)"
      "4(6 7 10 9)4(7 8 11 10))";
  std::string owner = "11(0 0 1 0 1 0 1 0 1 0 1)", neighbour = "1(1)";
  std::string boundary = "2(inlet{type patch;nFaces 1;startFace 1;}walls{type wall;nFaces 9;startFace 2;})";

  MeshFile read() const {
    const auto with = [](const char *kind, const std::string &list) {
      return list.find("FoamFile") != list.npos ? list : header("ascii", kind) + list;
    };
    const std::string all[] = {with("vectorField", points), with("faceList", faces), with("labelList", owner),
                               with("labelList", neighbour), with("polyBoundaryMesh", boundary)};
    return op2::core::read_openfoam(
        {{all[0], "points"}, {all[1], "faces"}, {all[2], "owner"}, {all[3], "neighbour"}, {all[4], "boundary"}});
  }
};

void expect_cubes(const MeshFile &mesh) {
  ASSERT_EQ(mesh.nodes(), 12);
  EXPECT_EQ(mesh.cells, 2);
  const auto faces = connect(mesh);
  EXPECT_EQ(faces.face_cells, (std::vector<int>{0, 1}));
  EXPECT_EQ(faces.face_nodes, (std::vector<int>{1, 4, 10, 7}));
  EXPECT_EQ(faces.boundary_patch, (std::vector<int>{0, 1, 1, 1, 1, 1, 1, 1, 1, 1}));
  const auto quality = measure(mesh, faces);
  EXPECT_DOUBLE_EQ(quality.volume.sum, 2);
  EXPECT_EQ(findings(mesh, faces, quality), std::vector<std::string>{});
  ASSERT_EQ(mesh.patches.size(), 2u);
  EXPECT_EQ(mesh.patches[0].name, "inlet");
  EXPECT_EQ(mesh.patches[1].name, "walls");
}

// All numbers of a text, as binary values behind each other.
template <class Value>
std::string binary(const std::string &text, bool swap) {
  Bytes out(swap);
  std::string numbers = text;
  for (char &c : numbers)
    if (c == '(' || c == ')') c = ' ';
  std::istringstream in(numbers);
  for (double value = 0; in >> value;) out.value<Value>(value);
  return out.all();
}

TEST(OpenFoam, ListsInAllTheirForms) {
  expect_cubes(Files().read());
  Files files;
  files.points = files.points.substr(2); // without its length
  files.faces = "List<face>\n" + files.faces;
  files.owner = "List<label> 11 (0 0 1 0 1\n0 1 0 1 0 1)";
  files.neighbour = "1{1}";
  files.boundary = "(inlet{startFace 1;nFaces 1;}walls{startFace 2;nFaces 9;})";
  expect_cubes(files.read());
  files.neighbour = "List<label> 11(1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1)";
  files.faces = header("ascii", "faceCompactList") + "12(0 4 8 12 16 20 24 28 32 36 40 44)\n" +
                "44(1 4 10 7 0 6 9 3 2 5 11 8 "
                "0 1 7 6 1 2 8 7 3 9 10 4 4 10 11 5 0 3 4 1 1 4 5 2 6 7 10 9 7 8 11 10)";
  expect_cubes(files.read());
}

TEST(OpenFoam, BlanksCommentsAndQuotes) {
  Files files;
  files.owner =
      "FoamFile/*c*/{format/*c*/ascii;note \"a { note; }\";class labelList// c\r\n;meta{a 1;b{c 2;}}}\r\n"
      "11/*c*/(0//c\r\n0 1 0 1/**/0 1 0 1 0 1/*c*/)//c";
  files.boundary =
      "2/*c*/\r\n(\r\ninlet{type \"patch\" ;nFaces 1/*c*/;startFace//c\r\n1;}\r\n\"wa\\\"(l) s\"/*c*/\r\n{ type "
      "wall;\r\n"
      "coeffs { nFaces 7; startFace 99; list (1 {2} 3); text \"};\"; }\r\nfunction div(phi,U);\r\n"
      "inGroups\r\nList<word> 2 ( wall outer ) ;\r\nnFaces 9; startFace 2; }\r\n)\r\n// ** //";
  MeshFile mesh = files.read();
  EXPECT_EQ(mesh.patches[1].name, "wa\"(l) s");
  EXPECT_EQ(mesh.notes,
            std::vector<std::string>{"group outer of patches with 9 faces is left out: the patches are kept"});
  mesh.patches[1].name = "walls";
  expect_cubes(mesh);
}

template <class Label, class Real>
void expect_binary(const std::string &arch, bool swap, bool compact) {
  SCOPED_TRACE(arch);
  const auto list = [](std::size_t count, const std::string &bytes) {
    return "\n" + std::to_string(count) + "\n(" + bytes + ")\n";
  };
  Files files;
  files.points = header("binary", "vectorField", arch) + list(12, binary<Real>(files.points.substr(2), swap));
  std::string all, each;
  for (std::size_t at = files.faces.find("4("); at != files.faces.npos; at = files.faces.find("4(", at + 1)) {
    const std::size_t end = files.faces.find(')', at);
    const std::string face = binary<Label>(files.faces.substr(at + 2, end - at - 2), swap);
    all += face;
    each += list(4, face);
  }
  const std::string begins = "0 4 8 12 16 20 24 28 32 36 40 44";
  files.faces = compact
                    ? header("binary", "faceCompactList", arch) + list(12, binary<Label>(begins, swap)) + list(44, all)
                    : header("binary", "faceList", arch) + list(11, each);
  files.owner = header("binary", "labelList", arch) + list(11, binary<Label>("0 0 1 0 1 0 1 0 1 0 1", swap));
  files.neighbour = header("binary", "labelList", arch) + list(1, binary<Label>("1", swap));
  files.boundary = header("binary", "polyBoundaryMesh", arch) + files.boundary;
  expect_cubes(files.read());
}

TEST(OpenFoam, BinaryOfAllVersions) {
  const bool little = op2::core::little_endian;
  for (const bool compact : {true, false}) {
    expect_binary<int, double>(little ? "LSB;label=32;scalar=64" : "MSB;label=32;scalar=64", false, compact);
    expect_binary<long long, float>(little ? "MSB;label=64;scalar=32" : "LSB;label=64;scalar=32", true, compact);
    expect_binary<int, double>("", !little, compact); // before sizes were written
  }
}

// Lists without elements, as text and as binary files have them.
TEST(OpenFoam, OneCellHasNoNeighbours) {
  Files files;
  files.points = "8((0 0 0)(1 0 0)(1 1 0)(0 1 0)(0 0 1)(1 0 1)(1 1 1)(0 1 1))";
  files.faces = "6(4(0 3 2 1)4(4 5 6 7)4(0 1 5 4)4(1 2 6 5)4(2 3 7 6)4(3 0 4 7))";
  files.owner = "6{0}";
  for (const std::string none : {"0()", "0", "0{}", "()", "List<label> 0 ( )", "binary"}) {
    SCOPED_TRACE(none);
    files.neighbour =
        none == "binary" ? header("binary", "labelList", "LSB;label=64;scalar=64") + "\n0\n\n// *** //\n" : none;
    files.boundary = none == "0" ? "0" : "0()";
    const MeshFile mesh = files.read();
    EXPECT_EQ(mesh.cells, 1);
    const auto faces = connect(mesh);
    EXPECT_EQ(faces.boundary_faces(), 6);
    EXPECT_DOUBLE_EQ(measure(mesh, faces).volume.sum, 1);
  }
}

TEST(OpenFoam, FacesInTwoPatches) {
  Files files;
  files.boundary = "2(inlet{nFaces 3;startFace 1;}walls{nFaces 9;startFace 2;})";
  const MeshFile mesh = files.read();
  EXPECT_EQ(connect(mesh).boundary_patch, (std::vector<int>{0, 0, 0, 1, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(mesh.notes, std::vector<std::string>{"2 faces of patch walls stay in patch inlet, which comes first"});
}

TEST(OpenFoam, ZonesGiveNotes) {
  const std::string label = binary<int>("0 1", !op2::core::little_endian);
  const auto notes = [](const std::string &file) {
    MeshFile mesh;
    op2::core::note_openfoam_zones(mesh, {file, "cellZones"});
    return mesh.notes;
  };
  EXPECT_EQ(
      notes(
          header("ascii", "regIOobject") +
          "2(rotor{type cellZone;cellLabels List<label> 2(0 1);}\"a b\"{type cellZone;cellLabels List<label> 5{1};})"),
      (std::vector<std::string>{"zone rotor with 2 cells is left out", "zone a b with 5 cells is left out"}));
  EXPECT_EQ(notes(header("ascii", "regIOobject") + "1(f{faceLabels 2(3 4);flipMap List<bool> 2(0 1);})"),
            std::vector<std::string>{"zone f with 2 faces is left out"});
  EXPECT_EQ(notes(header("binary", "regIOobject", op2::core::little_endian ? "LSB;label=32" : "MSB;label=32") +
                  "1(f{type faceZone;faceLabels List<label>\n2\n(" + label + ");flipMap List<bool>\n2\n(" +
                  std::string("\0;", 2) + ");})"),
            std::vector<std::string>{"zone f with 2 faces is left out"});
}

TEST(OpenFoam, SaysWhatIsInTheFile) {
  const auto says = [](std::string Files::*file, const std::string &bytes) {
    Files files;
    files.*file = bytes;
    return refusal([&] { files.read(); });
  };
  EXPECT_EQ(says(&Files::boundary, "1(\nwall{\n#include \"faces\"\n})"),
            "boundary: line 4: the file has #include, which OpenFOAM replaces by other text; only plain entries "
            "can be read");
  EXPECT_EQ(says(&Files::boundary, "1(\nwall{\n$all;\n})"),
            "boundary: line 4: the file has $all, which OpenFOAM replaces by other text; only plain entries can "
            "be read");
  EXPECT_EQ(says(&Files::boundary, "1(\n#include \"walls\"\n)"),
            "boundary: line 3: the file has #include, which OpenFOAM replaces by other text; only plain entries "
            "can be read");
  EXPECT_EQ(says(&Files::boundary, "1(wall{nFaces $n;startFace 1;})"),
            "boundary: line 2: expected a number of faces, found '$n;startFace'");
  EXPECT_EQ(says(&Files::boundary, "1(wall{nFaces 1;})"), "boundary: line 2: patch wall lacks nFaces or startFace");
  EXPECT_EQ(says(&Files::owner, "11(0 0 1\n0 1 0 1 0 1) // and so on"),
            "owner: line 3: expected the owner of a face, found ')'");
  EXPECT_EQ(says(&Files::owner, "4000000{0}"), "owner: line 2: expected at most 11 equal numbers, found 4000000");
  EXPECT_EQ(says(&Files::faces, "1(1(0))"), "faces: line 2: face 0 has 1 points; 2 to 128 are possible");
  EXPECT_EQ(says(&Files::faces, header("zip", "faceList")), "faces: line 1: expected format ascii or binary");
}

// Every file cut off anywhere, or with one byte changed: read or refused, never worse.
TEST(OpenFoam, DamagedFiles) {
  int refused = 0, read = 0;
  const auto attempt = [&](const Files &files) {
    try {
      const MeshFile mesh = files.read();
      op2::core::check_numbers(mesh, "m");
      const auto faces = connect(mesh);
      findings(mesh, faces, measure(mesh, faces));
      ++read;
    } catch (const op2::core::Error &error) {
      EXPECT_EQ(error.code, OP_ERR_FILE) << error.what();
      ++refused;
    }
  };
  for (std::string Files::*file : {&Files::points, &Files::faces, &Files::owner, &Files::neighbour, &Files::boundary}) {
    const std::string whole = header("ascii", "any") + Files().*file;
    for (std::size_t at = 0; at < whole.size(); ++at) {
      Files files;
      files.*file = "FoamFile" + whole.substr(8, at); // cut off
      attempt(files);
      for (const char other : {'9', '{', '(', ';', '"', '/', '\xff'}) {
        files.*file = whole;
        (files.*file)[at] = other;
        attempt(files);
      }
    }
  }
  EXPECT_GT(refused, 1000);
  EXPECT_GT(read, 100);
}

} // namespace

// SPDX-License-Identifier: MIT
