// Several particles at once: the bits of one after another.
#include <gtest/gtest.h>

#include <cstring>

#include "box.hpp"
#include "streamline/flock.hpp"

namespace {

using namespace unit::streamline;

std::string bits(End end, long steps, double time, double length, const std::vector<LinePoint> &points) {
  std::string out(reinterpret_cast<const char *>(points.data()), points.size() * sizeof(LinePoint));
  for (const double value : {time, length}) out.append(reinterpret_cast<const char *>(&value), sizeof value);
  return out + name_of(end) + std::to_string(steps);
}

// The lines of all seeds, by a flock, each from another lane than the one before.
std::vector<std::string> together(const Field &field, const Options &options, const std::vector<Vector> &seeds) {
  std::vector<std::string> out(seeds.size());
  Flock flock(field, options);
  Nearby nearby;
  std::size_t begun = 0;
  std::array<std::size_t, lanes> line{};
  std::array<std::vector<LinePoint>, lanes> points;
  const auto at = [](int lane) { return static_cast<std::size_t>(lane); };
  draw_all(
      flock, options,
      [&](int lane, Particle &p) {
        if (begun == seeds.size()) return false;
        p = seeded(field, options, seeds[begun], nearby);
        line[at(lane)] = begun++;
        return true;
      },
      [](const Particle &) { return true; },
      [&](int lane, const Particle &p) {
        points[at(lane)].push_back({p.x, p.velocity, p.time});
      },
      [&](int lane, const Particle &p) {
        out[line[at(lane)]] = bits(p.end, p.steps, p.time, p.length, points[at(lane)]);
        points[at(lane)].clear();
      });
  return out;
}

Vector turning(const Vector &x) {
  return {std::sin(3 * x[2]) + std::cos(2 * x[1]), std::sin(3 * x[0]) + std::cos(2 * x[2]),
          std::sin(3 * x[1]) + std::cos(2 * x[0])};
}

// Boxes of every kind, straight and bent, with holes that lines come to and steps look over.
TEST(StreamlineFlock, DrawsTheLinesOfOneAfterAnother) {
  const auto without = [](int x, int y, int z) { return (x + 2 * y + 3 * z) % 7 == 6; };
  int left = 0;
  for (const Cut cut : {Cut::triangles, Cut::quadrangles, Cut::tetrahedra, Cut::hexahedra, Cut::mixed})
    for (const double jiggle : {0.0, 0.3})
      for (const Method method : {Method::rk2, Method::rk3, Method::rk4, Method::dormand_prince})
        for (const Unit unit : {Unit::time, Unit::length}) {
          const BoxMesh mesh = box(cut, 6, jiggle, without);
          const std::vector<double> velocity = mesh.at_nodes(turning);
          Field field(*mesh.cells, *mesh.locator, velocity, Field::On::nodes);
          if (method == Method::rk3) field.set_fastest(0.2); // so steps look too far
          Options options;
          options.method = method;
          options.unit = unit;
          options.step = 0.15;
          options.most_steps = 60;
          options.turn = 0.1;
          options.every = 0;
          options.backward = unit == Unit::length;
          std::mt19937 random(4);
          std::vector<Vector> seeds;
          for (int i = 0; i < 40; ++i) seeds.push_back(random_point(random, mesh.dim(), 1.05));
          const std::vector<std::string> found = together(field, options, seeds);
          for (std::size_t i = 0; i < seeds.size(); ++i) {
            const Line line = trace(field, options, seeds[i]);
            EXPECT_TRUE(found[i] == bits(line.end, line.steps, line.time, line.length, line.points))
                << "cut " << static_cast<int>(cut) << ", method " << static_cast<int>(method) << ", line " << i;
            left += line.end == End::left ? 1 : 0;
          }
        }
  EXPECT_GT(left, 500);
}

TEST(StreamlineFlock, VelocitiesWithoutNumbersAndOfCells) {
  const BoxMesh mesh = box(Cut::mixed, 5, 0.2);
  std::vector<double> velocity = mesh.at_nodes(turning), of_cells;
  velocity[3 * 130 + 1] = std::numeric_limits<double>::quiet_NaN();
  for (int cell = 0; cell < mesh.cells->size(); ++cell)
    of_cells.insert(of_cells.end(), {0.5, cell == 9 ? std::numeric_limits<double>::infinity() : -0.0, 0.25});
  Options options;
  options.step = 0.05;
  options.most_steps = 100;
  std::mt19937 random(4);
  std::vector<Vector> seeds;
  for (int i = 0; i < 100; ++i) seeds.push_back(random_point(random, 3));
  for (const Field::On on : {Field::On::nodes, Field::On::cells}) {
    const Field field(*mesh.cells, *mesh.locator, on == Field::On::nodes ? velocity : of_cells, on);
    const std::vector<std::string> found = together(field, options, seeds);
    int no_number = 0;
    for (std::size_t i = 0; i < seeds.size(); ++i) {
      const Line line = trace(field, options, seeds[i]);
      EXPECT_TRUE(found[i] == bits(line.end, line.steps, line.time, line.length, line.points)) << i;
      no_number += line.end == End::no_number ? 1 : 0;
    }
    EXPECT_GT(no_number, 0);
  }
}

// Charts lead back from positions to coordinates, and know what is straight.
TEST(StreamlineChart, IsTheInverseOfInterpolation) {
  std::mt19937 random(6);
  std::uniform_real_distribution<double> any(0, 1);
  for (const Cut cut : {Cut::triangles, Cut::quadrangles, Cut::tetrahedra, Cut::hexahedra, Cut::mixed})
    for (const double jiggle : {0.0, 0.3}) {
      const BoxMesh mesh = box(cut, 4, jiggle);
      int straight = 0;
      for (int cell = 0; cell < mesh.cells->size(); ++cell) {
        const CellType type = mesh.cells->type(cell);
        const Interpolation positions(type, values_of(*mesh.cells, cell, mesh.cells->x(0)));
        Chart chart;
        ASSERT_TRUE(chart.set(type, positions));
        straight += chart.straight() ? 1 : 0;
        for (int i = 0; i < 10; ++i) {
          Vector at{any(random), any(random), mesh.dim() == 3 ? any(random) : 0};
          if (type == CellType::pyramid) at[0] *= 1 - at[2], at[1] *= 1 - at[2];
          Vector found{};
          ASSERT_TRUE(chart.find(positions.value(at), found)) << shape(type).name;
          EXPECT_LE(distance(at, found), 1e-11) << shape(type).name;
        }
      }
      const bool simplices = cut == Cut::triangles || cut == Cut::tetrahedra;
      EXPECT_EQ(straight == mesh.cells->size(), jiggle == 0 || simplices);
    }
  Chart chart;
  EXPECT_FALSE(chart.set(CellType::tetrahedron,
                         Interpolation(CellType::tetrahedron, {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}})));
}

} // namespace

// SPDX-License-Identifier: MIT
