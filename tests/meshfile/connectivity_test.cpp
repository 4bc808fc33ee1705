// connectivity_test.cpp: faces against a search through all pairs, and what a check must find.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "judge.hpp"

namespace {

using namespace meshes;
using namespace op2::core;

// A block of cubes, each cut into six tetrahedra around a diagonal, in random order.
MeshFile tetrahedra(int side, std::mt19937 &random) {
  MeshFile mesh;
  const auto node = [side](int i, int j, int k) { return i + (side + 1) * (j + (side + 1) * k); };
  for (int k = 0; k <= side; ++k)
    for (int j = 0; j <= side; ++j)
      for (int i = 0; i <= side; ++i) mesh.x.insert(mesh.x.end(), {1.0 * i, 1.0 * j, 1.0 * k});
  std::vector<std::array<int, 4>> cells;
  constexpr int ways[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (int k = 0; k < side; ++k)
    for (int j = 0; j < side; ++j)
      for (int i = 0; i < side; ++i)
        for (int way = 0; way < 6; ++way) { // from one corner to the other along the axes
          int at[3] = {i, j, k};
          std::array<int, 4> cell{node(i, j, k)};
          for (std::size_t step = 0; step < 3; ++step) {
            ++at[ways[way][step]];
            cell[step + 1] = node(at[0], at[1], at[2]);
          }
          if (way == 1 || way == 2 || way == 5) std::swap(cell[0], cell[1]);
          cells.push_back(cell);
        }
  std::shuffle(cells.begin(), cells.end(), random);
  for (const auto &cell : cells) mesh.add_cell(CellType::tetrahedron, cell);
  return mesh;
}

std::set<int> nodes_of(std::span<const int> row) { return {row.begin(), row.end()}; }

TEST(Connectivity, AgainstAllSides) {
  std::mt19937 random(7);
  const MeshFile mesh = tetrahedra(4, random);
  const Connectivity faces = connect(mesh);
  std::map<std::set<int>, std::set<int>> wanted; // nodes -> cells
  for (int cell = 0; cell < mesh.cells; ++cell)
    for (std::size_t skipped = 0; skipped < 4; ++skipped) {
      std::set<int> side;
      for (std::size_t k = 0; k < 4; ++k)
        if (k != skipped) side.insert(mesh.block(CellType::tetrahedron).nodes[4 * static_cast<std::size_t>(cell) + k]);
      wanted[side].insert(cell);
    }
  ASSERT_EQ(static_cast<std::size_t>(faces.faces() + faces.boundary_faces()), wanted.size());
  for (int i = 0; i < faces.faces(); ++i) {
    const std::size_t at = 2 * static_cast<std::size_t>(i);
    const std::set<int> cells = {faces.face_cells[at], faces.face_cells[at + 1]};
    EXPECT_EQ(wanted[nodes_of(face_row(faces.face_nodes, faces.arity, i))], cells);
    EXPECT_LT(faces.face_cells[at], faces.face_cells[at + 1]);
    EXPECT_LE(faces.face_cells[i > 0 ? at - 2 : at], faces.face_cells[at]);
  }
  for (int i = 0; i < faces.boundary_faces(); ++i)
    EXPECT_EQ(wanted[nodes_of(face_row(faces.boundary_nodes, faces.arity, i))],
              std::set<int>{faces.boundary_cell[static_cast<std::size_t>(i)]});
  const Quality quality = measure(mesh, faces);
  EXPECT_NEAR(quality.volume.sum, 64, 1e-12);
  EXPECT_EQ(findings(mesh, faces, quality), std::vector<std::string>{});
  EXPECT_EQ(faces.unnamed, faces.boundary_faces());
}

TEST(Connectivity, ShorterFacesRepeatTheirLastNode) {
  const MeshFile mesh = parse_mesh(gmsh2(mixed(), Form::text), "m", "gmsh");
  const Connectivity faces = connect(mesh);
  ASSERT_EQ(faces.arity, 4);
  int triangles = 0;
  for (int i = 0; i < faces.boundary_faces(); ++i) {
    const std::size_t at = 4 * static_cast<std::size_t>(i);
    if (face_row(faces.boundary_nodes, 4, i).size() == 4) continue;
    EXPECT_EQ(faces.boundary_nodes[at + 2], faces.boundary_nodes[at + 3]);
    ++triangles;
  }
  EXPECT_EQ(triangles, 3 + 2 + 3); // of the pyramid, the prism and the tetrahedron
}

std::string checked(const MeshFile &mesh) {
  const Connectivity faces = connect(mesh);
  std::string out;
  for (const std::string &one : findings(mesh, faces, measure(mesh, faces))) out += one + "\n";
  return out;
}

MeshFile strip_mesh() { return parse_mesh(gmsh2(strip(), Form::text), "m", "gmsh"); }

TEST(Check, FindsWhatIsWrong) {
  EXPECT_EQ(checked(strip_mesh()), "");
  MeshFile turned = strip_mesh();
  std::swap(turned.block(CellType::triangle).nodes[0], turned.block(CellType::triangle).nodes[1]);
  EXPECT_EQ(checked(turned), "1 cells are numbered the wrong way round (their volume is negative)\n");
  MeshFile flat = strip_mesh();
  flat.x[2 * 2] = 1; // a triangle without area
  EXPECT_NE(checked(flat).find("1 cells have no volume"), std::string::npos) << checked(flat);
  MeshFile twice = strip_mesh();
  twice.add_cell(CellType::triangle, std::array{1, 2, 5});
  EXPECT_NE(checked(twice).find("1 cells have the same nodes as another one"), std::string::npos) << checked(twice);
  EXPECT_NE(checked(twice).find("faces belong to more than two cells"), std::string::npos) << checked(twice);
  MeshFile spare = strip_mesh();
  spare.x.insert(spare.x.end(), {0, 0});
  EXPECT_EQ(checked(spare), "1 nodes belong to no cell\n1 nodes lie in the same place as another one\n");
  MeshFile open = strip_mesh();
  open.boundary.begin.pop_back();
  open.boundary_patch.pop_back();
  EXPECT_EQ(checked(open), "1 boundary faces belong to no patch: the boundary is open\n");
  MeshFile inside = strip_mesh();
  inside.boundary.items.insert(inside.boundary.items.end(), {1, 4});
  inside.boundary.close();
  inside.boundary_patch.push_back(0);
  EXPECT_EQ(checked(inside), "1 boundary faces of the file are no boundary of the mesh\n");
}

// Cells with nodes that coincide, as generators make of hexahedra at an axis: a prism, but for its name.
TEST(Connectivity, SidesThatAreALineAreNone) {
  MeshFile mesh;
  mesh.x = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1};
  mesh.add_cell(CellType::hexahedron, std::array{0, 1, 2, 2, 3, 4, 5, 5});
  const Connectivity faces = connect(mesh);
  EXPECT_EQ(faces.boundary_faces(), 5);
  EXPECT_EQ(faces.non_manifold, 0);
  const Quality quality = measure(mesh, faces);
  EXPECT_DOUBLE_EQ(quality.volume.sum, 0.5);
  EXPECT_EQ(findings(mesh, faces, quality), std::vector<std::string>{});
}

} // namespace

// SPDX-License-Identifier: MIT
