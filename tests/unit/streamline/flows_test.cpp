// Flows with closed forms and invariants: what lines of the classical method keep of them, through meshes of every kind
// whose nodes are moved at random. Velocities on nodes are interpolated, of second order in the size of cells, unless
// they are linear; the method's own order 4 is seen where that is exact.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "box.hpp"

namespace {

using namespace unit::streamline;

constexpr double pi = std::numbers::pi;
constexpr std::array flat_cuts = {Cut::quadrangles, Cut::triangles};
constexpr std::array solid_cuts = {Cut::hexahedra, Cut::tetrahedra, Cut::mixed};

Line line_through(const BoxMesh &mesh, const std::function<Vector(const Vector &)> &velocity, const Options &options,
                  const Vector &seed) {
  const std::vector<double> at_nodes = mesh.at_nodes(velocity);
  return trace(Field(*mesh.cells, *mesh.locator, at_nodes, Field::On::nodes), options, seed);
}

Options until(double time, double step) {
  Options out;
  out.step = step;
  out.longest_time = time;
  return out;
}

// The observed order of errors, each for twice the resolution of the one before.
void expect_order(const std::vector<double> &errors, double least, const char *what, Cut cut) {
  for (std::size_t i = 1; i < errors.size(); ++i)
    EXPECT_GE(std::log2(errors[i - 1] / errors[i]), least)
        << what << ", cut " << static_cast<int>(cut) << ": errors " << errors[i - 1] << " and " << errors[i];
}

// u = y, 2 z, 0: the velocity is linear, its lines are polynomials in time, which the method has exactly.
TEST(StreamlineFlows, ShearIsExact) {
  const auto shear = [](const Vector &x) { return Vector{x[1], 2 * x[2], 0}; };
  for (const Cut cut : solid_cuts) {
    const BoxMesh mesh = box(cut, 6, 0.3);
    const Vector seed = {-0.5, -0.3, 0.2};
    const double t = 1.4;
    const Line line = line_through(mesh, shear, until(t, 0.1), seed);
    ASSERT_EQ(line.end, End::time);
    const Vector there = {seed[0] + seed[1] * t + seed[2] * t * t, seed[1] + 2 * seed[2] * t, seed[2]};
    EXPECT_LE(distance(there, line.points.back().x), 1e-13);
  }
  for (const Cut cut : flat_cuts) {
    const BoxMesh mesh = box(cut, 6, 0.3);
    const Line line = line_through(mesh,
                                   [](const Vector &x) {
                                     return Vector{0.5 * x[1], 0, 0};
                                   },
                                   until(2, 0.3), {-0.4, 0.7, 0});
    ASSERT_EQ(line.end, End::time);
    EXPECT_LE(distance({-0.4 + 0.35 * 2, 0.7, 0}, line.points.back().x), 1e-13);
  }
}

// 120 steps of 0.05 add up to a little less than 6.
TEST(StreamlineFlows, NoStepIsMadeOfRounding) {
  const BoxMesh mesh = box(Cut::hexahedra, 4);
  const auto rotation = [](const Vector &x) { return Vector{-x[1], x[0], 0}; };
  for (const bool backward : {false, true}) {
    Options options = until(6, 0.05);
    options.backward = backward;
    const Line line = line_through(mesh, rotation, options, {0.5, 0, 0});
    EXPECT_EQ(line.end, End::time);
    EXPECT_EQ(line.steps, 120);
    EXPECT_EQ(std::fabs(line.time), 6);
  }
}

// A saddle turned by some angle: exponentials, order 4 over three lengths of the step.
TEST(StreamlineFlows, SaddleHasOrderFour) {
  const double c = std::cos(0.4), s = std::sin(0.4);
  const auto turned = [=](const Vector &x, double stretch, double press) { // along the axes of the saddle
    const double a = (c * x[0] + s * x[1]) * stretch, b = (c * x[1] - s * x[0]) * press;
    return Vector{c * a - s * b, s * a + c * b, 0};
  };
  for (const Cut cut : {Cut::quadrangles, Cut::triangles, Cut::hexahedra, Cut::tetrahedra, Cut::mixed}) {
    const BoxMesh mesh = box(cut, 6, 0.3);
    const Vector seed = {0.11, 0.45, 0};
    std::vector<double> errors;
    for (const double step : {0.25, 0.125, 0.0625}) {
      const Line line = line_through(
          mesh, [&](const Vector &x) { return turned(x, 1, -1); }, until(1.25, step), seed);
      ASSERT_EQ(line.end, End::time);
      errors.push_back(distance(turned(seed, std::exp(1.25), std::exp(-1.25)), line.points.back().x));
    }
    expect_order(errors, 3.8, "saddle", cut);
    EXPECT_GE(errors.back(), 1e-9); // of the method, not of rounding
  }
}

// The double gyre at rest: its lines are those of equal stream function, which interpolation keeps to second order.
TEST(StreamlineFlows, DoubleGyreKeepsItsStreamFunction) {
  // On [-1, 1] in both directions: gyres on the left and on the right, none goes through the border.
  const auto stream = [](const Vector &x) { return std::sin(pi * x[0]) * std::cos(0.5 * pi * x[1]) / pi; };
  const auto velocity = [](const Vector &x) { // d/dy, -d/dx
    return Vector{-0.5 * std::sin(pi * x[0]) * std::sin(0.5 * pi * x[1]),
                  -std::cos(pi * x[0]) * std::cos(0.5 * pi * x[1]), 0};
  };
  for (const Cut cut : flat_cuts) {
    std::vector<double> drifts;
    for (const int n : {16, 32, 64}) {
      const BoxMesh mesh = box(cut, n, 0.2);
      double drift = 0;
      for (const Vector &seed : {Vector{0.3, 0.1, 0}, {-0.4, -0.5, 0}, {0.8, 0.3, 0}}) {
        const Line line = line_through(mesh, velocity, until(10, 0.02), seed); // more than a turn
        ASSERT_EQ(line.end, End::time);
        for (const LinePoint &point : line.points) drift = std::max(drift, std::fabs(stream(point.x) - stream(seed)));
      }
      drifts.push_back(drift);
    }
    EXPECT_LE(drifts.back(), 3e-3);
    expect_order(drifts, 1.5, "double gyre", cut);
  }
}

// The flow of Arnold, Beltrami and Childress with C = 0: A cos z + B sin x does not change along a line and is the
// speed along y, so y is known at all times. Errors are those of interpolation.
TEST(StreamlineFlows, AbcFlow) {
  const double A = 0.6, B = 0.4;
  const auto velocity = [=](const Vector &x) {
    return Vector{A * std::sin(x[2]), B * std::sin(x[0]) + A * std::cos(x[2]), B * std::cos(x[0])};
  };
  const auto kept = [=](const Vector &x) { return A * std::cos(x[2]) + B * std::sin(x[0]); };
  for (const Cut cut : solid_cuts) {
    std::vector<double> of_y, of_kept;
    for (const int n : {6, 12, 24}) {
      const BoxMesh mesh = box(cut, n, 0.2);
      const Vector seed = {-0.2, -0.9, -0.2};
      const Line line = line_through(mesh, velocity, until(2.5, 0.05), seed);
      ASSERT_EQ(line.end, End::time);
      double y = 0, change = 0;
      for (const LinePoint &point : line.points) {
        y = std::max(y, std::fabs(point.x[1] - seed[1] - kept(seed) * point.time));
        change = std::max(change, std::fabs(kept(point.x) - kept(seed)));
      }
      of_y.push_back(y);
      of_kept.push_back(change);
    }
    EXPECT_LE(of_y.back(), 1e-3);
    EXPECT_LE(of_kept.back(), 1e-3);
    expect_order(of_y, 1.5, "y of the ABC flow", cut);
    expect_order(of_kept, 1.3, "invariant of the ABC flow", cut);
  }
}

} // namespace

// SPDX-License-Identifier: MIT
