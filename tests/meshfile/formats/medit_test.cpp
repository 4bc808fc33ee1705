// medit_test.cpp: what others write into Medit's files: tables in any order, unknown tables, elements of higher order.
#include <gtest/gtest.h>

#include "../bytes.hpp"
#include "../judge.hpp"

namespace {

using namespace meshes;
using op2::core::CellType;
using op2::core::MeshFile;
using op2::core::parse_mesh;
using Notes = std::vector<std::string>;
using Ints = std::vector<int>;

MeshFile medit_mesh(const std::string &bytes) { return parse_mesh(bytes, "m", "medit"); }
std::string says(const std::string &bytes) {
  return refusal([&] { medit_mesh(bytes); });
}

// One tetrahedron whose side z = 0 has the reference 5 and the side y = 0 the reference 6.
void expect_tetrahedron(const MeshFile &mesh, const Notes &notes = {}) {
  EXPECT_EQ(mesh.block(CellType::tetrahedron).nodes, (Ints{0, 1, 2, 3}));
  EXPECT_EQ(mesh.x, (std::vector<double>{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}));
  const auto faces = connect(mesh);
  EXPECT_EQ(faces.boundary_nodes, (Ints{0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2}));
  EXPECT_EQ(faces.boundary_patch, (Ints{5, 6, -1, -1}));
  EXPECT_DOUBLE_EQ(measure(mesh, faces).volume.sum, 1.0 / 6);
  EXPECT_EQ(mesh.notes, notes);
}

const std::string head = "MeshVersionFormatted 2\nDimension 3\n";
const std::string vertices = "Vertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n";
const std::string cells = "Tetrahedra\n1\n1 2 3 4 7\n", sides = "Triangles\n2\n1 3 2 5\n1 2 4 6\n";

TEST(Medit, TablesInAnyOrder) {
  expect_tetrahedron(medit_mesh(head + vertices + cells + sides + "End\n"));
  expect_tetrahedron(medit_mesh(head + cells + sides + vertices));
  expect_tetrahedron(medit_mesh("MeshVersionFormatted 2\n" + sides + vertices + cells + "Dimension\n\n3\nEnd"));
  const MeshFile flat = medit_mesh("Triangles 1 1 2 3 0 Vertices 3 0 0 0 1 0 0 0 1 0 Dimension 2");
  EXPECT_EQ(flat.dim, 2);
  EXPECT_DOUBLE_EQ(measure(flat, connect(flat)).volume.sum, 0.5);
}

TEST(Medit, CommentsAndLines) {
  std::string text = "# Vertices 7\n\n" + head + "#\nTetrahedra # of 4\n# more\n1 # one\n1 2\n3 4 7\n\n" + sides +
                     vertices.substr(0, 8) + " \t\n4" + vertices.substr(10);
  expect_tetrahedron(medit_mesh(text));
  for (std::size_t at = 0; (at = text.find('\n', at)) != text.npos; at += 2) text.insert(at, "\r");
  expect_tetrahedron(medit_mesh("\xef\xbb\xbf" + text));
  EXPECT_EQ(parse_mesh("\xef\xbb\xbf" + head + vertices + cells, "a file", "").format, "medit");
}

TEST(Medit, OtherTables) {
  const std::string other = "Comments\n2\nmade by hand, as \"it\" is: $%&\n-- 7 Of *\nTangents 1\n0 nan 1D+07\n";
  expect_tetrahedron(
      medit_mesh(head + other + vertices + "Corners 2\n1\n2\n" + cells + "Ridges\n0\nCorners\n0\n" + sides + other),
      {"tables that are left out: Comments, Tangents, Corners and Ridges"});
  EXPECT_EQ(says(head + vertices + "Polyhedra\n1\n4 1 2 3 4\n"), "m: line 8: the table Polyhedra cannot be read");
  EXPECT_EQ(says(head + vertices + "TetrahedraP2Ordering 10\n"),
            "m: line 8: the table TetrahedraP2Ordering cannot be read");
  EXPECT_EQ(says(head + vertices + "Tetrahedra\n1\n1 2 3 4 7\n4 3 2 1 7\n"),
            "m: line 11: expected a keyword, found '4'");
  EXPECT_EQ(says(head + vertices + vertices), "m: line 8: the vertices stand there a second time");
}

TEST(Medit, AnElementWithTwoReferences) {
  expect_tetrahedron(medit_mesh(head + vertices + "Tetrahedra 2\n1 2 3 4 7\n1 2 3 4 8\n" +
                                "Edges 2\n1 2 3\n2 3 4\nTriangles 3\n1 3 2 5\n1 2 4 6\n1 2 3 6\n"),
                     {"1 faces of reference 6 stay in reference 5, which comes first",
                      "references that are no patches: 3 (1 edges), 4 (1 edges), 7 (1 cells) and 8 (1 cells)"});
}

const Notes corners_only = {"elements of higher order: only their corners are taken"};

TEST(Medit, HigherOrders) {
  const std::string middles = ".5 0 0 0\n.5 .5 0 0\n0 .5 0 0\n0 0 .5 0\n.5 0 .5 0\n0 .5 .5 0\n";
  const std::string p2 = "TetrahedraP2\n1\n1 2 3 4 5 6 7 8 9 10 1\nTrianglesP2\n2\n1 3 2 7 6 5 5\n1 2 4 5 9 8 6\n";
  std::string text = head + vertices + middles + p2;
  text.replace(text.find(" 4\n"), 2, " 10");
  expect_tetrahedron(medit_mesh(text), corners_only);
  const MeshFile edges = medit_mesh(
      "Dimension 2 Vertices 5 0 0 0 1 0 0 1 1 0 0 1 0 .5 0 0 EdgesP2 1 1 2 5 8 "
      "Quadrilaterals 1 1 2 3 4 0 TrianglesP3 0");
  EXPECT_EQ(edges.nodes(), 4);
  EXPECT_EQ(connect(edges).boundary_patch, (Ints{8, -1, -1, -1}));
}

// The tables of .meshb, one behind the other, each with its rows.
std::string binary(bool swap, const std::vector<std::pair<int, Ints>> &tables) {
  Bytes out(swap);
  out.value<int>(1).value<int>(1);
  for (const auto &[code, values] : tables) {
    const std::size_t next = out.all().size() + 8 + 4 * values.size();
    out.value<int>(code).value<int>(next);
    for (std::size_t i = 0; i < values.size(); ++i)
      code == 4 && i % 4 != 0 ? out.value<float>(values[i]) : out.value<int>(values[i]); // coordinates, others
  }
  return out.value<int>(54).value<int>(0).all();
}

TEST(Medit, BinaryTables) {
  const std::pair<int, Ints> dim{3, {3}}, points{4, {4, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}},
      cell{8, {1, 1, 2, 3, 4, 7}}, faces{6, {2, 1, 3, 2, 5, 1, 2, 4, 6}};
  for (const bool swap : {false, true}) {
    expect_tetrahedron(medit_mesh(binary(swap, {dim, points, cell, faces})));
    expect_tetrahedron(medit_mesh(binary(swap, {faces, cell, points, dim})));
    expect_tetrahedron(medit_mesh(binary(swap, {{13, {1, 1}}, faces, {300, {}}, cell, points, dim})),
                       {"tables that are left out: Corners and number 300"});
    expect_tetrahedron(medit_mesh(binary(swap, {dim,
                                                {30, {1, 1, 2, 3, 4, 1, 1, 1, 1, 1, 1, 7}},
                                                points,
                                                {24, {2, 1, 3, 2, 1, 1, 1, 5, 1, 2, 4, 1, 1, 1, 6}}})),
                       corners_only);
    EXPECT_EQ(says(binary(swap, {dim, {46, {0}}})), "m: the table at byte 20: it is Polyhedra, which cannot be read");
    EXPECT_EQ(says(binary(swap, {{129, {0}}})),
              "m: the table at byte 8: it is number 129, an order of nodes, which cannot be read");
    expect_no_cells(medit_mesh(binary(swap, {dim, {4, {0}}})), 0);
    EXPECT_EQ(says(binary(swap, {dim})), "m: the table at byte 20: the file ends without vertices");
    EXPECT_EQ(says(binary(swap, {cell, points, {6, {1, 1, 2, 5, 0}}})),
              "m: the table at byte 116: row 1 of Triangles has vertex 5 of 4");
  }
}

TEST(Medit, MeshesOfNothing) {
  expect_no_cells(medit_mesh(head + "Vertices\n0\nTriangles\n0\nEnd\n"), 0);
  expect_no_cells(medit_mesh(head + "Vertices\n1\n0 0 0 0\n"), 1);
  EXPECT_EQ(says(head + cells), "m: line 6: expected 'Vertices', but the file ends");
}

} // namespace

// SPDX-License-Identifier: MIT
