// tets_test.cpp: the tets example gives the same answer on every back end and in every numbering of the mesh; and the
// mesh of the box is one.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "box_mesh.hpp"
#include "run_program.hpp"

namespace {

using Line = std::array<double, 4>; // x y z c

std::vector<Line> read_result(const std::string &file) {
  std::ifstream in(file);
  std::vector<Line> out;
  for (Line line; in >> line[0] >> line[1] >> line[2] >> line[3];) out.push_back(line);
  return out;
}

// The runs of the example with given arguments: what it printed, and the result file.
struct Answer {
  std::string text;
  std::vector<Line> lines;
};

void run_tets(const std::string &settings, const std::string &arguments, Answer &answer) {
  // Tests run beside each other.
  const std::string file = testing::TempDir() + "op2_tets_result_" + std::to_string(getpid()) + ".txt";
  const Output out = run_program(settings, OP2_TETS " " + arguments + " --result '" + file + "'");
  ASSERT_EQ(out.exit_code, 0) << out.text;
  answer = {out.text, read_result(file)};
  std::remove(file.c_str());
  ASSERT_FALSE(answer.lines.empty());
}

// Sums in another order differ by the rounding of single precision, which some dozens of steps magnify a little.
constexpr double bound = 1e-5;

void expect_same(const std::vector<Line> &lines, const std::vector<Line> &expected) {
  ASSERT_EQ(lines.size(), expected.size());
  for (std::size_t n = 0; n < lines.size(); ++n)
    for (std::size_t d = 0; d < 4; ++d) ASSERT_NEAR(lines[n][d], expected[n][d], d < 3 ? 0 : bound) << n;
}

TEST(Tets, AgreesOnEveryBackEnd) {
  for (const char *part : {"wave", "block"}) {
    Answer expected;
    for (const std::string &settings : back_ends()) {
      SCOPED_TRACE(std::string(part) + " with " + settings);
      Answer answer;
      ASSERT_NO_FATAL_FAILURE(run_tets(settings, std::string("6 --part ") + part, answer));
      if (expected.lines.empty()) expected = answer;
      expect_same(answer.lines, expected.lines);
      const auto errors = numbers_after(answer.text, "  error "), others = numbers_after(expected.text, "  error ");
      ASSERT_EQ(errors.size(), others.size());
      for (std::size_t n = 0; n < errors.size(); ++n) EXPECT_NEAR(errors[n], others[n], bound * others[n]);
    }
  }
}

TEST(Tets, NumberingDoesNotMatter) {
  Answer expected;
  ASSERT_NO_FATAL_FAILURE(run_tets("OP2_BACKEND=seq", "7 --part block --jiggle 15", expected));
  std::sort(expected.lines.begin(), expected.lines.end());
  for (const std::string &settings : back_ends()) {
    SCOPED_TRACE(settings);
    Answer shuffled;
    ASSERT_NO_FATAL_FAILURE(run_tets(settings, "7 --part block --jiggle 15 --shuffle 3", shuffled));
    EXPECT_NE(shuffled.lines[1], expected.lines[1]);
    std::sort(shuffled.lines.begin(), shuffled.lines.end());
    expect_same(shuffled.lines, expected.lines);
  }
}

TEST(Tets, RefusesWrongArguments) {
  for (const char *arguments : {"5", "x", "101", "51", "8 8", "--part", "--part all-of-it", "--jiggle 21",
                                "--shuffle 0", "--output times.txt", "--unknown 1"})
    EXPECT_EQ(run_program("", OP2_TETS " " + std::string(arguments) + " 2>&1").exit_code, 2) << arguments;
  EXPECT_EQ(run_program("", OP2_TETS " --help").exit_code, 0);
}

class BoxMesh : public testing::TestWithParam<int> {
 protected:
  const int n = 4;
  const box::Mesh mesh = box::make_mesh({n, 20, GetParam()});

  [[nodiscard]] std::array<double, 3> at(int node) const {
    const auto i = 3 * static_cast<std::size_t>(node);
    return {mesh.x[i], mesh.x[i + 1], mesh.x[i + 2]};
  }
  // Spanned by the edges from a to b, c and d; 6 times the volume of a cell.
  [[nodiscard]] double spanned(int a, int b, int c, int d) const {
    double e[3][3];
    const std::array end = {at(b), at(c), at(d)};
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t i = 0; i < 3; ++i) e[k][i] = end[k][i] - at(a)[i];
    return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) - e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
           e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
  }
};

TEST_P(BoxMesh, CellsFillTheBox) {
  ASSERT_EQ(mesh.ncell, 6 * n * n * n);
  ASSERT_EQ(mesh.cell_nodes.size(), 4 * static_cast<std::size_t>(mesh.ncell));
  double sum = 0;
  std::set<std::set<int>> cells;
  for (std::size_t c = 0; c < mesh.cell_nodes.size(); c += 4) {
    const int *const node = &mesh.cell_nodes[c];
    ASSERT_TRUE(node[0] < node[1] && node[1] < node[2] && node[2] < node[3]);
    const double volume = std::fabs(spanned(node[0], node[1], node[2], node[3])) / 6;
    ASSERT_GT(volume, 0.2 / mesh.ncell);
    sum += volume;
    EXPECT_TRUE(cells.insert({node[0], node[1], node[2], node[3]}).second);
  }
  EXPECT_NEAR(sum, 1, 1e-6);
}

TEST_P(BoxMesh, EdgesAreThoseOfTheCells) {
  const auto end = [&](int edge, std::size_t k) { return mesh.edge_nodes[2 * static_cast<std::size_t>(edge) + k]; };
  std::set<std::array<int, 2>> seen;
  for (int e = 0; e < mesh.nedge; ++e) {
    EXPECT_LT(end(e, 0), end(e, 1));
    EXPECT_TRUE(seen.insert({end(e, 0), end(e, 1)}).second);
  }
  std::set<int> used;
  for (std::size_t c = 0; c < static_cast<std::size_t>(mesh.ncell); ++c)
    for (std::size_t a = 0, k = 0; a < 4; ++a)
      for (std::size_t b = a + 1; b < 4; ++b, ++k) {
        const int edge = mesh.cell_edges[6 * c + k];
        used.insert(edge);
        EXPECT_EQ(end(edge, 0), mesh.cell_nodes[4 * c + a]);
        EXPECT_EQ(end(edge, 1), mesh.cell_nodes[4 * c + b]);
      }
  EXPECT_EQ(used.size(), static_cast<std::size_t>(mesh.nedge));
  const int triangles = (4 * mesh.ncell + mesh.nface) / 2;
  EXPECT_EQ(mesh.nnode - mesh.nedge + triangles - mesh.ncell, 1) << "Euler's formula for a ball";
}

TEST_P(BoxMesh, FacesCoverTheSurfaceAndLookOutwards) {
  ASSERT_EQ(mesh.nface, 12 * n * n);
  std::array<double, 6> area = {};
  for (std::size_t f = 0; f < static_cast<std::size_t>(mesh.nface); ++f) {
    const std::array corner = {at(mesh.face_nodes[3 * f]), at(mesh.face_nodes[3 * f + 1]),
                               at(mesh.face_nodes[3 * f + 2])};
    const auto side = static_cast<std::size_t>(mesh.side[f]);
    const std::size_t d = side / 2, e = (d + 1) % 3, g = (d + 2) % 3;
    for (const auto &x : corner) EXPECT_EQ(x[d], side % 2 == 0 ? 0 : 1);
    const double normal = (corner[1][e] - corner[0][e]) * (corner[2][g] - corner[0][g]) -
                          (corner[1][g] - corner[0][g]) * (corner[2][e] - corner[0][e]);
    EXPECT_EQ(normal > 0, side % 2 == 1) << f;
    area[side] += std::fabs(normal) / 2;
  }
  for (double a : area) EXPECT_NEAR(a, 1, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Numberings, BoxMesh, testing::Values(0, 7));

TEST(BoxMeshArguments, AreChecked) {
  EXPECT_THROW(box::make_mesh({0, 0, 0}), std::invalid_argument);
  EXPECT_THROW(box::make_mesh({box::largest_n + 1, 0, 0}), std::invalid_argument);
  EXPECT_THROW(box::make_mesh({4, 21, 0}), std::invalid_argument);
  EXPECT_THROW(box::make_mesh({4, 0, -1}), std::invalid_argument);
}

} // namespace

// SPDX-License-Identifier: MIT
