// euler_test.cpp: the Euler example gives the same answer on every back end and number of processes; and its generated
// meshes are what they are said to be.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <ostream>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "poly_mesh.hpp"
#include "run_program.hpp"

namespace poly {
static void PrintTo(Kind kind, std::ostream *out) {
  *out << std::array{"hexahedra", "tetrahedra", "polyhedra"}[static_cast<std::size_t>(kind)];
}
} // namespace poly

namespace {

std::vector<double> run_euler(const std::string &command, const std::string &arguments) {
  const std::string file = testing::TempDir() + "op2_euler_result_" + std::to_string(getpid()) + ".txt";
  const Output out = run_program(command, OP2_EULER " " + arguments + " --result '" + file + "'");
  EXPECT_EQ(out.exit_code, 0) << out.text;
  std::ifstream in(file);
  std::vector<double> values;
  for (double value; in >> value;) values.push_back(value);
  std::remove(file.c_str());
  return values;
}

// Sums in another order differ by rounding, which twenty time steps magnify a little; the values are about 1.
TEST(Euler, AgreesOnEveryBackEnd) {
  std::vector<std::string> commands = back_ends();
#ifdef OP2_TESTS_LAUNCH
  for (const char *processes : {"2", "3"}) // "settings command": the launcher takes the program
    commands.push_back(std::string("OP2_BACKEND=shm+seq " OP2_TESTS_LAUNCH " -n ") + processes);
#endif
  std::vector<double> expected;
  for (const std::string &command : commands) {
    SCOPED_TRACE(command);
    const std::vector<double> values = run_euler(command, "5 --mesh polyhedra --part open --order 2");
    if (expected.empty()) expected = values;
    ASSERT_FALSE(values.empty());
    ASSERT_EQ(values.size(), expected.size());
    for (std::size_t n = 0; n < values.size(); ++n) ASSERT_NEAR(values[n], expected[n], 1e-12) << n;
  }
}

TEST(Euler, RefusesWrongArguments) {
  for (const char *arguments : {"4", "x", "101", "8 8", "--part", "--part half", "--mesh prisms", "--order 3",
                                "--output times.txt", "--unknown 1"})
    EXPECT_EQ(run_program("", OP2_EULER " " + std::string(arguments) + " 2>&1").exit_code, 2) << arguments;
  EXPECT_EQ(run_program("", OP2_EULER " --help").exit_code, 0);
}

using Vector = std::array<double, 3>;

// The polygon of a row of nodes, repetitions at its end left out.
std::vector<int> polygon(const std::vector<int> &rows, int corners, int face) {
  const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(face) * corners;
  std::vector<int> out(begin, begin + corners);
  while (out.size() > 1 && out.back() == out[out.size() - 2]) out.pop_back();
  return out;
}

class PolyMesh : public testing::TestWithParam<poly::Kind> {
 protected:
  const int n = 4;
  const poly::Mesh mesh = poly::make_mesh(GetParam(), n);

  [[nodiscard]] double at(int node, std::size_t d) const { return mesh.x[3 * static_cast<std::size_t>(node) + d]; }

  // Half the sum of cross products of neighbours on the way around.
  [[nodiscard]] Vector area(const std::vector<int> &nodes) const {
    Vector out = {};
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      const int a = nodes[k], b = nodes[(k + 1) % nodes.size()];
      for (std::size_t d = 0; d < 3; ++d) {
        const std::size_t e = (d + 1) % 3, f = (d + 2) % 3;
        out[d] += 0.5 * (at(a, e) * at(b, f) - at(a, f) * at(b, e));
      }
    }
    return out;
  }

  // Each face with its cells; the right one of a boundary face is -1.
  template <class Take>
  void each_face(const Take &take) const {
    for (int f = 0; f < mesh.nface; ++f)
      take(mesh.face_cells[2 * static_cast<std::size_t>(f)], mesh.face_cells[2 * static_cast<std::size_t>(f) + 1],
           polygon(mesh.face_nodes, mesh.face_corners, f));
    for (int f = 0; f < mesh.nbface; ++f)
      take(mesh.bface_cells[static_cast<std::size_t>(f)], -1, polygon(mesh.bface_nodes, mesh.bface_corners, f));
  }
};

// Around every cell each edge is there once in each direction, so the surface is closed; its area vectors sum up to 0.
TEST_P(PolyMesh, CellsAreClosed) {
  const auto cells = static_cast<std::size_t>(mesh.ncell);
  std::vector<Vector> sum(cells);
  std::vector<std::multiset<std::array<int, 2>>> edges(cells);
  each_face([&](int left, int right, const std::vector<int> &nodes) {
    ASSERT_NE(left, right);
    ASSERT_GE(nodes.size(), 3U);
    const Vector normal = area(nodes);
    for (const int cell : {left, right}) {
      if (cell < 0) continue;
      const double sign = cell == left ? 1 : -1;
      for (std::size_t d = 0; d < 3; ++d) sum[static_cast<std::size_t>(cell)][d] += sign * normal[d];
      for (std::size_t k = 0; k < nodes.size(); ++k) {
        std::array<int, 2> edge = {nodes[k], nodes[(k + 1) % nodes.size()]};
        if (cell == right) std::swap(edge[0], edge[1]);
        edges[static_cast<std::size_t>(cell)].insert(edge);
      }
    }
  });
  for (std::size_t c = 0; c < cells; ++c) {
    ASSERT_GE(edges[c].size(), 12U) << c;
    for (const auto &edge : edges[c]) ASSERT_EQ(edges[c].count({edge[1], edge[0]}), edges[c].count(edge)) << c;
    for (const double component : sum[c]) EXPECT_NEAR(component, 0, 1e-15) << c;
  }
}

TEST_P(PolyMesh, BoundaryCoversTheBoxAndLooksOutwards) {
  std::array<double, 6> covered = {};
  for (int f = 0; f < mesh.nbface; ++f) {
    const auto patch = static_cast<std::size_t>(mesh.bface_patch[static_cast<std::size_t>(f)]);
    const double outwards = area(polygon(mesh.bface_nodes, mesh.bface_corners, f))[patch / 2];
    EXPECT_EQ(outwards > 0, patch % 2 == 1) << f;
    covered[patch] += std::fabs(outwards);
  }
  for (const double side : covered) EXPECT_NEAR(side, 1, 1e-12);
}

TEST_P(PolyMesh, HasTheShapesOfItsKind) {
  std::set<std::size_t> corners;
  std::vector<int> faces(static_cast<std::size_t>(mesh.ncell));
  each_face([&](int left, int right, const std::vector<int> &nodes) {
    corners.insert(nodes.size());
    for (const int cell : {left, right})
      if (cell >= 0) ++faces[static_cast<std::size_t>(cell)];
  });
  const auto [fewest, most] = std::minmax_element(faces.begin(), faces.end());
  switch (GetParam()) {
    case poly::Kind::hexahedra:
      EXPECT_EQ(mesh.ncell, n * n * n);
      EXPECT_EQ(corners, std::set<std::size_t>{4});
      EXPECT_TRUE(*fewest == 6 && *most == 6);
      break;
    case poly::Kind::tetrahedra:
      EXPECT_EQ(mesh.ncell, 6 * n * n * n);
      EXPECT_EQ(corners, std::set<std::size_t>{3});
      EXPECT_TRUE(*fewest == 4 && *most == 4);
      break;
    case poly::Kind::polyhedra:
      EXPECT_LT(mesh.ncell, n * n * n);
      for (const std::size_t count : {3U, 4U, 5U, 6U}) EXPECT_EQ(corners.count(count), 1U) << count;
      EXPECT_GT(*most, 10);
      break;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, PolyMesh,
                         testing::Values(poly::Kind::hexahedra, poly::Kind::tetrahedra, poly::Kind::polyhedra));

TEST(PolyMeshArguments, AreChecked) {
  EXPECT_THROW(poly::make_mesh(poly::Kind::hexahedra, 0), std::invalid_argument);
  EXPECT_THROW(poly::make_mesh(poly::Kind::hexahedra, poly::largest_n + 1), std::invalid_argument);
}

} // namespace

// SPDX-License-Identifier: MIT
