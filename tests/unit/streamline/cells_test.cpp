// Cells that are traced through: neighbours, places in a cell of every type, and finding the cell of a point.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>

#include "base/error.hpp"
#include "box.hpp"

namespace {

using namespace unit::streamline;
using op2::core::CellShape;
using op2::core::shape;

constexpr std::array cuts = {Cut::quadrangles, Cut::triangles, Cut::hexahedra, Cut::tetrahedra, Cut::mixed};

std::multiset<int> side_nodes(const Cells &cells, int cell, int side) {
  const auto &its = shape(cells.type(cell)).sides[static_cast<std::size_t>(side)];
  std::multiset<int> out;
  for (int i = 0; i < its.nodes; ++i)
    out.insert(cells.nodes_of(cell)[static_cast<std::size_t>(its.node[static_cast<std::size_t>(i)])]);
  return out;
}

// Against all pairs of cells.
TEST(StreamlineCells, NeighboursShareTheNodesOfASide) {
  for (const Cut cut : cuts) {
    const BoxMesh b = box(cut, 3);
    std::map<std::multiset<int>, std::vector<int>> owners;
    for (int cell = 0; cell < b.cells->size(); ++cell)
      for (std::size_t side = 0; side < shape(b.cells->type(cell)).sides.size(); ++side)
        owners[side_nodes(*b.cells, cell, static_cast<int>(side))].push_back(cell);
    int border = 0;
    for (int cell = 0; cell < b.cells->size(); ++cell)
      for (std::size_t side = 0; side < shape(b.cells->type(cell)).sides.size(); ++side) {
        const std::vector<int> &both = owners[side_nodes(*b.cells, cell, static_cast<int>(side))];
        ASSERT_LE(both.size(), 2u) << "the test's mesh";
        const int other = both.size() == 1 ? -1 : both[0] == cell ? both[1] : both[0];
        ASSERT_EQ(other, b.cells->neighbour(cell, static_cast<int>(side))) << cell << " " << side;
        border += other < 0 ? 1 : 0;
      }
    const int squares = b.dim() == 2 ? 12 : 54; // small ones on the surface
    EXPECT_GE(border, squares);
    EXPECT_LE(border,
              cut == Cut::quadrangles || cut == Cut::triangles || cut == Cut::hexahedra ? squares : 2 * squares);
  }
}

std::string refusal(const std::function<void()> &act) {
  try {
    act();
  } catch (const op2::core::Error &error) {
    return error.what();
  }
  return "";
}

TEST(StreamlineCells, RefusesWhatIsNoMesh) {
  const std::vector<double> x = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2};
  Cells cells(3, x);
  EXPECT_NE(refusal([&] {
              cells.add(CellType::triangle, std::vector<int>{0, 1, 2});
            }).find("no triangles"),
            std::string::npos);
  EXPECT_NE(refusal([&] { cells.add(CellType::polyhedron, {}); }).find("no polyhedra"), std::string::npos);
  EXPECT_NE(refusal([&] {
              cells.add(CellType::tetrahedron, std::vector<int>{0, 1, 2});
            }).find("3 nodes"),
            std::string::npos);
  EXPECT_NE(refusal([&] {
              cells.add(CellType::tetrahedron, std::vector<int>{0, 1, 2, 6});
            }).find("has node 6"),
            std::string::npos);
  EXPECT_NE(refusal([&] { Cells(1, x); }).find("1 coordinates"), std::string::npos);
  cells.add(CellType::tetrahedron, std::vector<int>{0, 1, 2, 3, 0, 1, 2, 4, 0, 1, 2, 5});
  EXPECT_NE(refusal([&] { cells.connect(); }).find("side of nodes 0, 1, 2"), std::string::npos);
}

// Nodes get their values back, linear functions stay what they are, and slopes are derivatives.
TEST(StreamlinePlace, InterpolationInAllTypes) {
  const std::map<CellType, std::vector<Vector>> corners = {
      {CellType::triangle, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}},
      {CellType::quadrangle, {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}},
      {CellType::tetrahedron, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
      {CellType::pyramid, {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}}},
      {CellType::prism, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}}},
      {CellType::hexahedron, {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}}};
  std::mt19937 random(3);
  for (const auto &[type, corner] : corners) {
    ASSERT_EQ(static_cast<std::size_t>(shape(type).nodes), corner.size());
    const int dim = shape(type).dim;
    std::array<Vector, most_nodes> any{}, linear{};
    const auto plane = [](const Vector &x) { return Vector{x[0] - 2 * x[1] + 3 * x[2] + 1, x[1], x[2] - x[0]}; };
    for (std::size_t n = 0; n < corner.size(); ++n) any[n] = random_point(random, dim), linear[n] = plane(corner[n]);
    const Interpolation bent(type, any), flat(type, linear);
    for (std::size_t n = 0; n < corner.size(); ++n)
      EXPECT_LE(distance(any[n], bent.value(corner[n])), 1e-14) << shape(type).name << " " << n;
    for (int i = 0; i < 50; ++i) {
      const Vector at = random_point(random, dim, 0.4);
      EXPECT_LE(distance(plane(at), flat.value(at)), 1e-14);
      const std::array<Vector, 3> slope = bent.slopes(at);
      for (std::size_t k = 0; k < static_cast<std::size_t>(dim); ++k) {
        constexpr double h = 1e-6;
        Vector before = at, behind = at;
        before[k] -= h, behind[k] += h;
        const Vector low = bent.value(before), high = bent.value(behind);
        for (std::size_t c = 0; c < 3; ++c)
          EXPECT_NEAR(slope[k][c], (high[c] - low[c]) / (2 * h), 1e-7) << shape(type).name << " " << k;
      }
    }
  }
}

// The middle of a side has no depth there, and some behind the others.
TEST(StreamlinePlace, SidesHaveTheOrderOfTheShape) {
  for (const Cut cut : cuts) {
    const BoxMesh b = box(cut, 4, 0.2);
    for (int cell = 0; cell < b.cells->size(); ++cell) {
      const CellShape &its = shape(b.cells->type(cell));
      for (std::size_t side = 0; side < its.sides.size(); ++side) {
        Vector centre{};
        for (int i = 0; i < its.sides[side].nodes; ++i) {
          const int node = its.sides[side].node[static_cast<std::size_t>(i)];
          for (std::size_t k = 0; k < static_cast<std::size_t>(b.dim()); ++k)
            centre[k] += b.cells->x(b.cells->nodes_of(cell)[static_cast<std::size_t>(node)])[k] / its.sides[side].nodes;
        }
        Place place;
        ASSERT_TRUE(contains(*b.cells, cell, centre, place)) << its.name << " " << side;
        std::array<double, most_sides> depth{};
        depths(b.cells->type(cell), place.at, depth);
        for (std::size_t other = 0; other < its.sides.size(); ++other)
          if (other == side)
            EXPECT_NEAR(0, depth[other], 1e-9) << its.name << " " << side;
          else
            EXPECT_GT(depth[other], 0.05) << its.name << " " << side << " " << other;
      }
    }
  }
}

TEST(StreamlineLocator, FindsTheLowestOfAllCellsAtAPoint) {
  std::mt19937 random(5);
  for (const Cut cut : cuts) {
    const BoxMesh b = box(cut, 4, 0.25);
    std::vector<Vector> points;
    for (int i = 0; i < 300; ++i) points.push_back(random_point(random, b.dim(), 1.1));
    for (int node = 0; node < b.cells->nodes(); ++node) {
      Vector point{};
      std::copy_n(b.cells->x(node), b.dim(), point.begin());
      points.push_back(point);
    }
    int shared = 0, outside = 0;
    for (const Vector &point : points) {
      std::vector<int> all;
      for (int cell = 0; cell < b.cells->size(); ++cell)
        if (Place place; contains(*b.cells, cell, point, place)) all.push_back(cell);
      const Place found = b.locator->find(point);
      ASSERT_EQ(all.empty() ? -1 : all.front(), found.cell);
      shared += all.size() > 1 ? 1 : 0;
      outside += all.empty() ? 1 : 0;
      const bool in_box = std::all_of(point.begin(), point.end(), [](double x) { return std::abs(x) <= 1; });
      EXPECT_EQ(in_box, !all.empty());
    }
    EXPECT_GT(shared, 10);
    EXPECT_GT(outside, 20);
  }
  const BoxMesh b = box(Cut::hexahedra, 2);
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {nan, infinity, -infinity}) EXPECT_EQ(-1, b.locator->find({0, bad, 0}).cell);
}

} // namespace

// SPDX-License-Identifier: MIT
