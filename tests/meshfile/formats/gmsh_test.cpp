// gmsh_test.cpp: what others write into Gmsh's files: groups, pieces, sections in any order, parameters, higher orders.
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

MeshFile gmsh(const std::string &bytes) { return parse_mesh(bytes, "m", "gmsh"); }
std::string says(const std::string &bytes) {
  return refusal([&] { gmsh(bytes); });
}

std::string section(const std::string &name, const std::string &rows) {
  return "$" + name + "\n" + rows + "$End" + name + "\n";
}

const std::string head22 = section("MeshFormat", "2.2 0 8\n"), head41 = section("MeshFormat", "4.1 0 8\n");
const std::string square_nodes = section("Nodes", "4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n");
const std::string names = section(
    "PhysicalNames", "5\n0 5 \"corner\"\n1 51 \"wall\"\n1 52 \"no slip\" 2 9 \"fluid\"\n2 10\n\"everything\"\n");
const Notes two_groups = {"1 faces of group 52 no slip stay in group 51 wall, which comes first",
                          "groups that are no patches: 5 corner (1 points), 9 fluid (2 cells) and 10 everything (2 "
                          "cells)"};

// A square of two triangles with cells in two groups, one side in two (once the other way round) and three in one.
void expect_square(const MeshFile &mesh, const Notes &notes = two_groups) {
  EXPECT_EQ(mesh.cells, 2);
  EXPECT_EQ(mesh.block(CellType::triangle).nodes, (Ints{0, 1, 2, 0, 2, 3}));
  EXPECT_EQ(mesh.block(CellType::triangle).cells, (Ints{0, 1}));
  EXPECT_EQ(mesh.x, (std::vector<double>{0, 0, 1, 0, 1, 1, 0, 1}));
  const auto faces = connect(mesh);
  EXPECT_EQ(faces.boundary_nodes, (Ints{0, 1, 1, 2, 2, 3, 3, 0}));
  EXPECT_EQ(faces.boundary_patch, (Ints{51, 52, 52, 52}));
  EXPECT_EQ(faces.unmatched, 0);
  const auto quality = measure(mesh, faces);
  EXPECT_DOUBLE_EQ(quality.volume.sum, 1);
  EXPECT_EQ(findings(mesh, faces, quality), Notes{});
  EXPECT_EQ(mesh.notes, notes);
}

const std::string square_rows =
    "1 15 2 5 1 1\n2 1 2 51 1 1 2\n3 1 2 -52 1 2 1\n4 1 2 52 2 2 3\n5 1 2 52 3 3 4\n"
    "6 1 2 52 4 4 1\n7 2 2 9 1 1 2 3\n8 2 2 9 1 1 3 4\n9 2 2 10 1 1 2 3\n"
    "10 2 2 10 1 3 1 4\n";
const std::string square22 = head22 + names + square_nodes + section("Elements", "10\n" + square_rows);

const std::string entities41 = section("Entities",
                                       "1 4 1 0\n1 0 0 0 1 5\n1 0 0 0 1 0 0 2 51 -52 0\n"
                                       "2 1 0 0 1 1 0 1 52 0\n3 0 1 0 1 1 0 1 52 0\n4 0 0 0 0 1 0 1 52 0\n"
                                       "1 0 0 0 1 1 0 2 9 10 4 1 2 3 4\n");
const std::string nodes41 = section("Nodes", "1 4 1 4\n2 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n");
const std::string elements41 = section("Elements",
                                       "6 7 1 7\n0 1 15 1\n1 1\n1 1 1 1\n2 1 2\n1 2 1 1\n3 2 3\n"
                                       "1 3 1 1\n4 3 4\n1 4 1 1\n5 4 1\n2 1 2 2\n6 1 2 3\n7 1 3 4\n");

TEST(Gmsh, AnElementInSeveralGroups) {
  expect_square(gmsh(square22));
  expect_square(gmsh(head41 + names + entities41 + nodes41 + elements41));
}

// What is twice in one group is a fault of the mesh; what is in no group and in one is in the group.
TEST(Gmsh, AnElementTwiceInOneGroup) {
  const std::string sides = "1 1 2 0 1 1 2\n2 1 2 51 1 1 2\n3 1 2 51 1 2 3\n";
  const MeshFile mesh =
      gmsh(head22 + square_nodes +
           section("Elements", "7\n" + sides + "4 2 2 9 1 1 2 3\n5 2 2 9 1 1 2 3\n6 2 2 8 1 1 3 4\n7 2 2 7 1 3 4 1\n"));
  EXPECT_EQ(mesh.block(CellType::triangle).nodes, (Ints{0, 1, 2, 0, 1, 2, 0, 2, 3}));
  EXPECT_EQ(mesh.boundary.items, (Ints{0, 1, 1, 2}));
  EXPECT_EQ(mesh.boundary_patch, (Ints{0, 0}));
  EXPECT_EQ(mesh.notes, Notes{"groups that are no patches: 7 (1 cells), 8 (1 cells) and 9 (2 cells)"});
}

// Cells of several types keep the order that they have without the repeated ones.
TEST(Gmsh, RepeatedElementsOfSeveralTypes) {
  for (const Form form : {Form::text, Form::binary, Form::swapped})
    for (Sample sample : {strip(), mixed()}) {
      const std::size_t cells = sample.cells.size();
      for (std::size_t i = 0; i < cells; ++i) {
        sample.cells.push_back(sample.cells[i]);
        sample.cells.back().patch = 1; // another group
      }
      const std::string bytes = gmsh2(sample, form);
      sample.cells.resize(cells);
      const MeshFile mesh = gmsh(bytes);
      expect_sample(mesh, sample);
      const std::string all = std::to_string(cells) + " cells)";
      EXPECT_EQ(mesh.notes, Notes{"groups that are no patches: 9 (" + all + " and 10 (" + all});
    }
}

// Two pieces that meet in curve 15; the second ghost entity has cells of the file of another piece.
TEST(Gmsh, PiecesOfVersion4) {
  const std::string pieces =
      section("PartitionedEntities",
              "2\n2\n20 1\n21 2\n1 5 2 0\n11 0 1 1 1 0 0 0 1 5\n"
              "11 1 1 1 1 0 0 0 1 0 0 2 51 -52 0\n12 1 2 1 1 1 0 0 1 1 0 1 52 0\n13 1 3 1 2 0 1 0 1 1 0 1 52 0\n"
              "14 1 4 1 2 0 0 0 0 1 0 1 52 0\n15 2 1 2 1 2 0 0 0 1 1 0 2 9 10 0\n"
              "11 2 1 1 1 0 0 0 1 1 0 2 9 10 3 11 12 15\n12 2 1 1 2 0 0 0 1 1 0 2 9 10 3 13 14 -15\n");
  const std::string blocks =
      "0 11 15 1\n1 1\n1 11 1 1\n2 1 2\n1 12 1 1\n3 2 3\n1 13 1 1\n4 3 4\n1 14 1 1\n5 4 1\n"
      "1 15 1 1\n6 1 3\n2 11 2 1\n7 1 2 3\n2 12 2 1\n8 1 3 4\n";
  const std::string ghosts = section("GhostElements", "2\n7 1 1 2\n8 2 1 1\n");
  const std::string head = head41 + names + entities41 + pieces;
  Notes notes = two_groups;
  notes.push_back("sections that are left out: $GhostElements");
  expect_square(gmsh(head + nodes41 + section("Elements", "8 8 1 8\n" + blocks) + ghosts), notes);
  const std::string more = section("Nodes",
                                   "2 5 1 5\n2 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n2 21 0 1\n5\n"
                                   "2 2 0\n");
  notes.insert(notes.begin() + 2, "2 ghost cells, which another piece has, are left out");
  expect_square(
      gmsh(head + more + section("Elements", "9 10 1 10\n" + blocks + "2 21 2 2\n9 2 5 3\n8 1 3 4\n") + ghosts), notes);
}

// Without groups, the boundary is that of the whole geometry, and not of each piece.
TEST(Gmsh, PiecesWithoutGroups) {
  const MeshFile mesh =
      gmsh(head41 +
           section("PartitionedEntities",
                   "2\n0\n0 2 1 0\n5 1 3 1 1 0 0 0 1 0 0 0 0\n6 1 3 1 2 1 0 0 1 1 0 0 0\n"
                   "5 2 1 1 1 0 0 0 1 1 0 0 0\n") +
           nodes41 + section("Elements", "3 4 1 4\n1 5 1 1\n1 1 2\n1 6 1 1\n2 2 3\n2 5 2 2\n3 1 2 3\n4 1 3 4\n"));
  ASSERT_EQ(mesh.patches.size(), 1u);
  EXPECT_EQ(mesh.patches[0].name, "patch3");
  EXPECT_EQ(connect(mesh).boundary_patch, (Ints{3, 3, -1, -1}));
}

// Version 2.2 tells pieces, and those that have a cell as a ghost (< 0), behind the first two tags.
TEST(Gmsh, PiecesOfVersion2) {
  const std::string rows =
      "1 1 4 51 1 1 1 1 2\n2 1 4 52 2 1 2 2 3\n3 1 4 52 3 1 2 3 4\n4 1 4 52 4 1 1 4 1\n"
      "5 2 5 9 1 2 1 -2 1 2 3\n6 2 5 9 1 2 2 -1 1 3 4\n";
  expect_square(gmsh(head22 + names + square_nodes + section("Elements", "6\n" + rows)), {});
}

TEST(Gmsh, SectionsInAnyOrder) {
  const std::string elements = section("Elements", "10\n" + square_rows);
  expect_square(gmsh(head22 + elements + square_nodes + names));
  expect_square(gmsh(head41 + elements41 + nodes41 + entities41 + names));
  for (const Form form : {Form::binary, Form::swapped})
    for (std::string bytes : {gmsh2(mixed(), form), gmsh4(mixed(), form)}) { // $Elements, which are last, come first
      const std::size_t at = bytes.find("$Elements"), behind = bytes.find("$EndMeshFormat\n") + 15;
      const std::string last = bytes.substr(at);
      expect_sample(gmsh(bytes.erase(at).insert(behind, last)), mixed());
    }
}

TEST(Gmsh, OtherSectionsAndLines) {
  const std::string comments = section("Comments", "made by hand\n\n$ 5, and a line $EndComments in it\n#\x80\n");
  const std::string data = section("NodeData", "1\n\"A $Nodes\"\n1\n0.0\n3\n0\n1\n1\n1 0.1\n");
  Notes notes = two_groups;
  notes.push_back("sections that are left out: $NodeData and $Of");
  std::string text = comments + "\n" + head22 + data + names + comments + section("Of", "") + square_nodes + data +
                     section("Elements", "10\n\n" + square_rows);
  expect_square(gmsh(text), notes);
  EXPECT_EQ(parse_mesh("\xef\xbb\xbf" + text, "a file", "").format, "gmsh");
  for (std::size_t at = 0; (at = text.find('\n', at)) != text.npos; at += 2) text.insert(at, "\r");
  expect_square(gmsh("\xef\xbb\xbf" + text), notes);
  notes = two_groups;
  notes.insert(notes.begin(), "line 4 stands outside of all sections");
  expect_square(gmsh(head22 + "// of no use\n\n" + square22.substr(head22.size())), notes);
  EXPECT_EQ(says(head22 + "$Of\n1\n" + square_nodes), "m: line 4: the section $Of has no line '$EndOf'");
}

// The words of a section, one a line or all on one.
TEST(Gmsh, WordsAcrossLines) {
  std::string text = square22;
  for (std::size_t at = text.find("$Nodes"); at < text.size(); ++at)
    if (text[at] == ' ') text.replace(at, 1, "\n\t");
  expect_square(gmsh(text.substr(0, text.find("$EndElements")) + "$EndElements"));
  for (std::size_t at = text.find("$Nodes"); at < text.size(); ++at)
    if (text[at] == '\n') text[at] = ' ';
  expect_square(gmsh(text));
}

TEST(Gmsh, NamesOfVersion20) {
  std::string text = square22;
  text.replace(text.find("2.2"), 3, "2");
  const std::size_t at = text.find("$Physical"), end = text.find("$Nodes");
  text.replace(at, end - at,
               section("PhysicalNames",
                       "5\n5 \"corner\"\n51 \"wall\"\n52 \"no slip\"\n9 \"fluid\"\n"
                       "10 \"everything\"\n"));
  expect_square(gmsh(text));
}

// A node on a curve has one parameter, on a surface two, in a volume three in version 4.1 and none in 2.2.
TEST(Gmsh, NodesWithParameters) {
  const std::string rows[] = {"1 0 0 0 0 1\n", "2 1 0 0 1 1 0.5\n", "3 1 1 0 2 1 0.5 7\n", "4 0 1 0 3 1\n"};
  const std::string nodes = section("ParametricNodes", "4\n" + rows[0] + rows[1] + rows[2] + rows[3]);
  expect_square(gmsh(head22 + names + nodes + section("Elements", "10\n" + square_rows)));
  const std::string nodes4 = section("Nodes",
                                     "4 4 1 4\n0 1 1 1\n1\n0 0 0\n1 1 1 1\n2\n1 0 0 9\n2 1 1 1\n3\n"
                                     "1 1 0 9 9\n3 1 1 1\n4\n0 1 0 9 9 9\n");
  expect_square(gmsh(head41 + names + entities41 + nodes4 + elements41));
  for (const bool swap : {false, true}) {
    Bytes out(swap);
    out.text("$MeshFormat\n2.2 1 8\n").value<int>(1).text("\n$EndMeshFormat\n", names, "$ParametricNodes\n4\n");
    const int x[] = {0, 1, 1, 0}, y[] = {0, 0, 1, 1};
    for (int i = 0; i < 4; ++i) {
      out.value<int>(i + 1).value<double>(x[i]).value<double>(y[i]).value<double>(0).value<int>(i).value<int>(1);
      for (int k = 0; k < i && i < 3; ++k) out.value<double>(9);
    }
    out.text("\n$EndParametricNodes\n$Elements\n6\n").value<int>(1).value<int>(4).value<int>(2);
    for (int i = 0; i < 4; ++i)
      out.value<int>(i).value<int>(i ? 52 : 51).value<int>(i).value<int>(i + 1).value<int>((i + 1) % 4 + 1);
    out.value<int>(15).value<int>(0).value<int>(0); // a block of nothing
    out.value<int>(2).value<int>(2).value<int>(1);
    for (int i = 0; i < 2; ++i) out.value<int>(i).value<int>(9).value<int>(1).value<int>(i + 2).value<int>(i + 3);
    expect_square(gmsh(out.text("\n$EndElements\n").all()), {});
  }
}

// Elements of all orders, of which the corners are taken.
TEST(Gmsh, HigherOrders) {
  struct Row {
    int type, nodes;
    CellType kind;
    double volume;
  };
  for (const Row &row :
       {Row{9, 6, CellType::triangle, 0.5}, Row{21, 10, CellType::triangle, 0.5}, Row{46, 66, CellType::triangle, 0.5},
        Row{16, 8, CellType::quadrangle, 1}, Row{36, 16, CellType::quadrangle, 1}, Row{61, 40, CellType::quadrangle, 1},
        Row{11, 10, CellType::tetrahedron, 1.0 / 6}, Row{29, 20, CellType::tetrahedron, 1.0 / 6},
        Row{83, 58, CellType::tetrahedron, 1.0 / 6}, Row{17, 20, CellType::hexahedron, 1},
        Row{92, 64, CellType::hexahedron, 1}, Row{18, 15, CellType::prism, 0.5}, Row{90, 40, CellType::prism, 0.5},
        Row{19, 13, CellType::pyramid, 1.0 / 3}, Row{118, 30, CellType::pyramid, 1.0 / 3}}) {
    SCOPED_TRACE(row.type);
    const std::string square = "0 0 0,1 0 0,1 1 0,0 1 0,", above = "0 0 1,1 0 1,1 1 1,0 1 1,";
    const std::string corners[] = {"0 0 0,1 0 0,0 1 0,",
                                   square,
                                   "0 0 0,1 0 0,0 1 0,0 0 1,",
                                   square + "0 0 1,",
                                   "0 0 0,1 0 0,0 1 0,0 0 1,1 0 1,0 1 1,",
                                   square + above};
    std::string nodes, element = "1 " + std::to_string(row.type) + " 1 0";
    std::size_t from = 0;
    const std::string &all = corners[static_cast<int>(row.kind)];
    const auto count = static_cast<int>(std::count(all.begin(), all.end(), ','));
    for (int i = 1; i <= row.nodes; ++i) {
      const std::size_t comma = i <= count ? all.find(',', from) : all.npos;
      nodes += std::to_string(i) + " " + (i <= count ? all.substr(from, comma - from) : "7 7 7") + "\n";
      from = comma + 1;
      element += " " + std::to_string(i);
    }
    const MeshFile mesh = gmsh(head22 + section("Nodes", std::to_string(row.nodes) + "\n" + nodes) +
                               section("Elements", "1\n" + element + "\n"));
    EXPECT_EQ(mesh.nodes(), count);
    EXPECT_EQ(mesh.block(row.kind).cells, Ints{0});
    EXPECT_NEAR(measure(mesh, connect(mesh)).volume.sum, row.volume, 1e-15);
    EXPECT_EQ(mesh.notes, Notes{"elements of higher order: only their corners are taken"});
  }
}

TEST(Gmsh, SaysWhatCannotBeRead) {
  const auto type = [](const char *row) { return says(head22 + square_nodes + section("Elements", row)); };
  EXPECT_EQ(type("1\n1 34 2 0 1 4 1 2 3 4\n"), "m: line 13: elements of type 34 (polygons) cannot be read");
  EXPECT_EQ(type("2\n1 2 0 1 2 3\n2 99 0 1\n"),
            "m: line 14: elements of type 99 (hexahedra of third order or above "
            "without nodes inside) cannot be read");
  EXPECT_EQ(type("1\n1 0 0\n"), "m: line 13: elements of type 0 (which Gmsh does not have) cannot be read");
  EXPECT_EQ(says("$NOD\n1\n1 0 0 0\n$ENDNOD\n"),
            "m: line 1: this is version 1 of the format; 2.2 and 4.1 can be read (gmsh -save -format msh41)");
  EXPECT_EQ(says("\n" + square_nodes), "m: line 2: expected '$MeshFormat' before $Nodes");
  EXPECT_EQ(says("$MeshFormat\n4.1 1 4\n"), "m: line 2: binary numbers of 4 bytes cannot be read; 8 can");
  EXPECT_EQ(gmsh(section("MeshFormat", "4.1 0 4\n") + entities41 + nodes41 + elements41).cells, 2);
  EXPECT_EQ(says("\xff\xfe$"), "m: this is text in UTF-16, which cannot be read; UTF-8 can");
}

TEST(Gmsh, MeshesOfNothing) {
  const auto empty = [](const std::string &text, int nodes) { expect_no_cells(gmsh(text), nodes); };
  const std::string point = section("Nodes", "1 1 1 1\n0 1 0 1\n1\n0 0 0\n");
  empty(head41 + point + section("Elements", "1 1 1 1\n0 1 15 1\n1 1\n"), 1);
  empty(head41 + point + section("Elements", "1 0 0 0\n2 1 99 0\n"), 1);
  empty(head22 + section("Nodes", "1\n1 0 0 0\n") + section("Elements", "1\n1 15 0 1\n"), 1);
  empty(head22 + section("Nodes", "0\n") + section("Elements", "0\n"), 0);
  empty(head41 + section("Entities", "0 0 0 0\n"), 0); // as Gmsh writes it
  EXPECT_EQ(says(head41 + point), "m: line 10: expected '$Elements', but the file ends");
  EXPECT_EQ(says(head41 + elements41), "m: line 20: expected '$Nodes', but the file ends");
  EXPECT_EQ(says(head22 + square_nodes + "$Elements\n2\n1 2 0 1 2"), "m: line 13: expected a node, but the file ends");
}

} // namespace

// SPDX-License-Identifier: MIT
