// Lines of one particle: orders of the methods, closed forms, and every reason to end.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "base/error.hpp"
#include "box.hpp"

namespace {

using namespace unit::streamline;

constexpr double pi = std::numbers::pi;
constexpr std::array solid_cuts = {Cut::hexahedra, Cut::tetrahedra, Cut::mixed};

// Solid rotation and a drift along the axis: linear, so interpolation is exact in every mesh.
Vector rotation(const Vector &x) { return {-x[1], x[0], 0.1}; }
Vector rotated(const Vector &x, double t) {
  return {x[0] * std::cos(t) - x[1] * std::sin(t), x[0] * std::sin(t) + x[1] * std::cos(t), x[2] + 0.1 * t};
}

struct Traced {
  BoxMesh mesh;
  std::vector<double> velocity;
  Field field;
  Traced(BoxMesh &&box, const std::function<Vector(const Vector &)> &at)
      : mesh(std::move(box)),
        velocity(mesh.at_nodes(at)),
        field(*mesh.cells, *mesh.locator, velocity, Field::On::nodes) {}
};

TEST(Streamline, MethodsHaveTheirOrders) {
  const std::map<Method, int> order = {
      {Method::rk2, 2}, {Method::rk3, 3}, {Method::rk4, 4}, {Method::dormand_prince, 5}};
  for (const Cut cut : solid_cuts) {
    const Traced traced(box(cut, 6, 0.3), rotation);
    const Vector seed = {0.55, 0.1, -0.3};
    for (const auto &[method, expected] : order) {
      std::vector<double> errors;
      for (const int steps : {8, 16, 32}) {
        Options options;
        options.method = method;
        options.step = 2.0 / steps;
        options.longest_time = 2;
        options.tolerance = 1e9; // Dormand-Prince: steps of equal length
        options.longest_step = options.step;
        const Line line = trace(traced.field, options, seed);
        ASSERT_EQ(End::time, line.end);
        ASSERT_EQ(steps, line.steps);
        EXPECT_DOUBLE_EQ(2, line.time);
        errors.push_back(distance(line.points.back().x, rotated(seed, 2)));
      }
      for (std::size_t i = 1; i < errors.size(); ++i) {
        const double seen = std::log2(errors[i - 1] / errors[i]);
        EXPECT_NEAR(expected, seen, 0.35) << "cut " << static_cast<int>(cut) << ", method " << static_cast<int>(method);
      }
    }
  }
}

TEST(Streamline, ErrorsAreControlled) {
  const Traced traced(box(Cut::mixed, 6, 0.3), rotation);
  const Vector seed = {0.55, 0.1, -0.3};
  long steps = 0;
  for (const double tolerance : {1e-4, 1e-7, 1e-10}) {
    Options options;
    options.method = Method::dormand_prince;
    options.step = 0.5;
    options.tolerance = tolerance;
    options.longest_time = 2 * pi;
    const Line line = trace(traced.field, options, seed);
    ASSERT_EQ(End::time, line.end);
    EXPECT_LE(distance(line.points.back().x, rotated(seed, 2 * pi)), 20 * tolerance);
    EXPECT_GT(line.steps, steps) << "more steps for less error";
    steps = line.steps;
  }
}

TEST(Streamline, BackwardsLeadsBack) {
  for (const Cut cut : solid_cuts) {
    const Traced traced(box(cut, 5, 0.3), rotation);
    Options options;
    options.step = 0.01;
    options.longest_time = 3;
    const Vector seed = {0.2, -0.5, -0.2};
    const Line there = trace(traced.field, options, seed);
    options.backward = true;
    const Line back = trace(traced.field, options, there.points.back().x);
    EXPECT_EQ(End::time, back.end);
    EXPECT_DOUBLE_EQ(-3, back.time);
    EXPECT_LE(distance(seed, back.points.back().x), 1e-9);
  }
}

// A point of the line has the velocity there; lengths add up; every k-th point and the ends are kept.
TEST(Streamline, KeepsThePointsThatAreWanted) {
  const Traced traced(box(Cut::tetrahedra, 5, 0.3), rotation);
  Options options;
  options.step = 0.05;
  options.most_steps = 23;
  const Vector seed = {0.5, 0, 0};
  const Line all = trace(traced.field, options, seed);
  EXPECT_EQ(End::steps, all.end);
  ASSERT_EQ(24u, all.points.size());
  double length = 0;
  for (std::size_t i = 0; i < all.points.size(); ++i) {
    EXPECT_LE(distance(rotation(all.points[i].x), all.points[i].velocity), 1e-12);
    EXPECT_NEAR(0.05 * static_cast<double>(i), all.points[i].time, 1e-12);
    if (i > 0) length += distance(all.points[i - 1].x, all.points[i].x);
  }
  EXPECT_NEAR(length, all.length, 1e-12);
  for (const auto &[every, points] : {std::pair{0, 2u}, {5, 6u}, {23, 2u}}) {
    options.every = every;
    const Line some = trace(traced.field, options, seed);
    ASSERT_EQ(points, some.points.size()) << every;
    EXPECT_EQ(all.points.back().x, some.points.back().x);
    EXPECT_EQ(seed, some.points.front().x);
  }
  // Each step turns by 0.05: a point after every third one, and the last one.
  options.every = 0;
  options.turn = 0.125;
  const Line turning = trace(traced.field, options, seed);
  ASSERT_EQ(9u, turning.points.size());
  for (std::size_t i = 0; i + 1 < turning.points.size(); ++i) EXPECT_EQ(all.points[3 * i].x, turning.points[i].x);
}

// Steps by length take the time of the speeds at both ends: where the speed grows from 1 to 1.9, a time of log(1.9).
TEST(Streamline, TimeOfStepsByLengthFollowsTheSpeed) {
  const auto faster = [](const Vector &x) { return Vector{1 + x[0], 0, 0}; };
  const Traced traced(box(Cut::hexahedra, 8), faster);
  Options options;
  options.unit = Unit::length;
  options.step = 0.01;
  options.longest = 0.9;
  const Line line = trace(traced.field, options, {0, 0.1, 0.1});
  EXPECT_EQ(End::length, line.end);
  EXPECT_NEAR(std::log(1.9), line.time, 1e-5);
}

TEST(Streamline, StepsInLengthAndInCells) {
  const Traced traced(box(Cut::hexahedra, 8), rotation);
  Options options;
  options.unit = Unit::length;
  options.step = 0.03;
  options.longest = 1;
  const Vector seed = {0.5, 0, 0};
  const Line line = trace(traced.field, options, seed);
  EXPECT_EQ(End::length, line.end);
  EXPECT_DOUBLE_EQ(1, line.length);
  EXPECT_EQ(34, line.steps); // the last one is shorter
  const double speed = std::hypot(0.5, 0.1);
  EXPECT_NEAR(1 / speed, line.time, 1e-4);
  EXPECT_LE(distance(rotated(seed, 1 / speed), line.points.back().x), 1e-6);
  options.unit = Unit::cells;
  options.step = 0.5; // of 0.25
  options.most_steps = 4;
  EXPECT_NEAR(4 * 0.125 / speed, trace(traced.field, options, seed).time, 1e-5);
}

// One velocity per cell: lines are straight in each, and bend where cells meet.
TEST(Streamline, VelocitiesOfCells) {
  for (const Cut cut : {Cut::quadrangles, Cut::triangles, Cut::hexahedra, Cut::tetrahedra, Cut::mixed}) {
    const BoxMesh mesh = box(cut, 4);
    std::vector<double> velocity;
    for (int cell = 0; cell < mesh.cells->size(); ++cell) {
      double mean = 0;
      for (const int node : mesh.cells->nodes_of(cell)) mean += mesh.cells->x(node)[0];
      velocity.push_back(1);
      velocity.push_back(mean < 0 ? 0.25 : -0.5);
      if (mesh.dim() == 3) velocity.push_back(0);
    }
    const Field field(*mesh.cells, *mesh.locator, velocity, Field::On::cells);
    Options options;
    options.step = 0.01;
    options.longest_time = 1;
    const Line line = trace(field, options, {-0.5, 0.1, 0.15});
    EXPECT_EQ(End::time, line.end);
    EXPECT_NEAR(0.5, line.points.back().x[0], 1e-12);
    EXPECT_NEAR(0.1 + 0.5 * 0.25 - 0.5 * 0.5, line.points.back().x[1], 0.01);
    velocity.pop_back();
    EXPECT_THROW(Field(*mesh.cells, *mesh.locator, velocity, Field::On::cells), op2::core::Error);
  }
}

// Vortex of Lamb and Oseen in a plane: lines are circles, the angle has a closed form. Error by interpolation alone.
TEST(Streamline, VortexOfLambAndOseen) {
  const auto turn = [](double r2) { return (1 - std::exp(-r2 / 0.09)) / r2; }; // angle by time
  const auto velocity = [&](const Vector &x) {
    const double w = turn(x[0] * x[0] + x[1] * x[1] + 1e-30);
    return Vector{-w * x[1], w * x[0], 0};
  };
  for (const Cut cut : {Cut::quadrangles, Cut::triangles}) {
    std::vector<double> errors;
    for (const int n : {40, 80}) {
      const Traced traced(box(cut, n, 0.1), velocity);
      Options options;
      options.step = 0.01;
      options.longest_time = 1;
      const Vector seed = {0.4, 0.1, 0};
      const Line line = trace(traced.field, options, seed);
      const Vector right = rotated({seed[0], seed[1], 0}, turn(0.17));
      errors.push_back(distance({right[0], right[1], 0}, line.points.back().x));
    }
    EXPECT_LE(errors[0], 0.01);
    EXPECT_LE(errors[1], 0.45 * errors[0]) << "interpolation is of order 2";
  }
}

TEST(Streamline, EndsAtTheBorder) {
  for (const Cut cut : solid_cuts) {
    const Traced traced(box(cut, 5, 0.3), [](const Vector &) { return Vector{1, 0.25, -0.125}; });
    Options options;
    options.step = 0.3;
    const Line line = trace(traced.field, options, {-0.5, 0, 0});
    EXPECT_EQ(End::left, line.end);
    EXPECT_NEAR(1, line.points.back().x[0], 1e-9);
    EXPECT_NEAR(0.375, line.points.back().x[1], 1e-9);
    EXPECT_NEAR(1.5, line.time, 1e-9);
    // From the border outwards there is no step.
    const Line none = trace(traced.field, options, {1, 0.1, 0.1});
    EXPECT_EQ(End::left, none.end);
    EXPECT_LE(none.length, 1e-9);
  }
}

// Stages of a long step lie outside, its path does not.
TEST(Streamline, GoesOnNearTheBorder) {
  for (const Cut cut : {Cut::quadrangles, Cut::hexahedra, Cut::tetrahedra}) {
    const Traced traced(box(cut, 5), [](const Vector &x) { return Vector{-x[1], x[0], 0}; });
    for (const Method method : {Method::rk4, Method::dormand_prince}) {
      Options options;
      options.method = method;
      options.step = method == Method::rk4 ? 0.5 : 5;
      options.longest_time = 2 * pi;
      const Vector seed = {0.99, 0, 0};
      const Line line = trace(traced.field, options, seed);
      EXPECT_EQ(End::time, line.end) << name_of(line.end);
      EXPECT_LE(distance(seed, line.points.back().x), method == Method::rk4 ? 5e-3 : 1e-4);
    }
  }
}

TEST(Streamline, DoesNotJumpOverAHole) {
  for (const Cut cut : {Cut::quadrangles, Cut::triangles, Cut::hexahedra, Cut::tetrahedra}) {
    const Traced traced(box(cut, 10, 0, [](int x, int, int) { return x == 5; }), [](const Vector &) {
      return Vector{1, 0, 0};
    });
    Options options;
    options.step = 0.5; // all points of the second step are beside the hole, which goes from 0 to 0.2
    const Line line = trace(traced.field, options, {-0.76, 0.05, 0.03});
    EXPECT_EQ(End::left, line.end);
    EXPECT_NEAR(0, line.points.back().x[0], 1e-9);
  }
}

TEST(Streamline, EveryReasonToEnd) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Options options;
  options.step = 0.1;
  const Traced still(box(Cut::mixed, 4), [](const Vector &) { return Vector{}; });
  EXPECT_EQ(End::slow, trace(still.field, options, {0.1, 0.1, 0.1}).end);
  EXPECT_EQ(End::outside, trace(still.field, options, {1.5, 0, 0}).end);
  EXPECT_TRUE(trace(still.field, options, {1.5, 0, 0}).points.empty());
  EXPECT_EQ(End::no_number, trace(still.field, options, {nan, 0, 0}).end);
  const Traced holed(box(Cut::tetrahedra, 4), [](const Vector &x) { return Vector{x[0] > 0.6 ? nan : 1, 0, 0}; });
  const Line broken = trace(holed.field, options, {-0.5, 0.1, 0.1});
  EXPECT_EQ(End::no_number, broken.end);
  EXPECT_LE(broken.points.back().x[0], 0.6);
  // A saddle's lines end where they slow down.
  const Traced sink(box(Cut::hexahedra, 6, 0.2), [](const Vector &x) { return Vector{-x[0], -x[1], -x[2]}; });
  options.least_speed = 1e-3;
  const Line caught = trace(sink.field, options, {0.5, 0.5, 0.5});
  EXPECT_EQ(End::slow, caught.end);
  EXPECT_LE(distance({}, caught.points.back().x), 1e-3);
}

// Of a flat cell nobody knows a place; lines that come to it end, others do not care.
TEST(Streamline, DegenerateCells) {
  BoxMesh b = box(Cut::tetrahedra, 3);
  const std::span<const int> nodes = b.cells->nodes_of(b.locator->find({0.1, 0.2, 0.15}).cell);
  for (int k = 0; k < 3; ++k)
    b.x[static_cast<std::size_t>(3 * nodes[1] + k)] = b.x[static_cast<std::size_t>(3 * nodes[2] + k)];
  b.locator = std::make_unique<Locator>(*b.cells);
  const Traced traced(std::move(b), [](const Vector &) { return Vector{1, 0, 0}; });
  Options options;
  options.step = 0.02;
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    const Line line = trace(traced.field, options, random_point(random, 3));
    EXPECT_NE(End::running, line.end);
    EXPECT_NE(End::steps, line.end);
  }
}

TEST(Streamline, InvertedCellsAreCells) {
  BoxMesh b = box(Cut::tetrahedra, 3);
  for (double &x : b.x) x = -x; // mirrored
  b.locator = std::make_unique<Locator>(*b.cells);
  const Traced traced(std::move(b), [](const Vector &) { return Vector{0, 1, 0}; });
  Options options;
  options.step = 0.05;
  const Line line = trace(traced.field, options, {0.1, -0.9, 0.3});
  EXPECT_EQ(End::left, line.end);
  EXPECT_NEAR(1, line.points.back().x[1], 1e-9);
}

// Whoever takes over the state of a particle gets the bits of the whole line.
TEST(Streamline, AParticleGoesOnAnywhere) {
  for (const Cut cut : solid_cuts) {
    const Traced traced(box(cut, 5, 0.3), [](const Vector &x) {
      return Vector{std::sin(3 * x[2]) + std::cos(2 * x[1]), std::sin(3 * x[0]) + std::cos(2 * x[2]),
                    std::sin(3 * x[1]) + std::cos(2 * x[0])};
    });
    const Field other(*traced.mesh.cells, *traced.mesh.locator, traced.velocity, Field::On::nodes);
    Options options;
    options.step = 0.02;
    options.most_steps = 200;
    std::mt19937 random(2);
    for (int i = 0; i < 20; ++i) {
      const Vector seed = random_point(random, 3);
      const Line whole = trace(traced.field, options, seed);
      Nearby own;
      Particle p = seeded(traced.field, options, seed, own);
      for (long step = 0; p.end == End::running; ++step) {
        Particle moved; // nothing but what a message would carry
        moved.x = p.x, moved.velocity = p.velocity, moved.place = p.place;
        moved.time = p.time, moved.length = p.length, moved.next = p.next, moved.steps = p.steps;
        Nearby nearby; // knows nothing
        advance(step % 2 ? traced.field : other, options, moved, nearby);
        p = moved;
      }
      EXPECT_EQ(whole.end, p.end);
      EXPECT_EQ(whole.points.back().x, p.x);
      EXPECT_EQ(whole.time, p.time);
    }
  }
}

// A rotation that becomes three times as fast: linear in space and in time.
TEST(Streamline, PathlinesHaveTheOrdersOfTheirMethods) {
  const std::map<Method, int> order = {
      {Method::rk2, 2}, {Method::rk3, 3}, {Method::rk4, 4}, {Method::dormand_prince, 5}};
  const BoxMesh mesh = box(Cut::mixed, 6, 0.3);
  const double duration = 2, angle = duration * (1 + 3) / 2;
  const std::vector<double> first = mesh.at_nodes([](const Vector &x) {
    return Vector{-x[1], x[0], 0};
  }),
                            last = mesh.at_nodes([](const Vector &x) {
                              return Vector{-3 * x[1], 3 * x[0], 0};
                            });
  const Field field(*mesh.cells, *mesh.locator, first, Field::On::nodes, {last, duration});
  const Vector seed = {0.55, 0.1, -0.3};
  for (const auto &[method, expected] : order)
    for (const bool backward : {false, true}) {
      std::vector<double> errors;
      for (const int steps : {20, 40, 80}) {
        Options options;
        options.method = method;
        options.step = duration / steps;
        options.longest_step = options.step;
        options.shortest_step = options.step;
        options.longest_time = duration;
        options.backward = backward;
        const Line line = trace(field, options, seed);
        EXPECT_EQ(line.end, End::time);
        const double turned = backward ? -angle : angle;
        const Vector there = {seed[0] * std::cos(turned) - seed[1] * std::sin(turned),
                              seed[0] * std::sin(turned) + seed[1] * std::cos(turned), seed[2]};
        errors.push_back(distance(line.points.back().x, there));
      }
      for (std::size_t i = 1; i < errors.size(); ++i)
        EXPECT_NEAR(std::log2(errors[i - 1] / errors[i]), expected, 0.6)
            << "method " << static_cast<int>(method) << ", errors " << errors[i - 1] << " and " << errors[i];
    }
}

TEST(Streamline, OptionsAreChecked) {
  const auto refused = [](const std::function<void(Options &)> &change) {
    Options options;
    options.step = 1;
    change(options);
    try {
      check(options);
    } catch (const op2::core::Error &) {
      return true;
    }
    return false;
  };
  EXPECT_FALSE(refused([](Options &) {}));
  EXPECT_TRUE(refused([](Options &o) { o.step = 0; }));
  EXPECT_TRUE(refused([](Options &o) { o.step = std::numeric_limits<double>::quiet_NaN(); }));
  EXPECT_TRUE(refused([](Options &o) { o.step = std::numeric_limits<double>::infinity(); }));
  EXPECT_TRUE(refused([](Options &o) { o.longest_time = -1; }));
  EXPECT_TRUE(refused([](Options &o) { o.least_speed = -1; }));
  EXPECT_TRUE(refused([](Options &o) { o.every = -1; }));
  EXPECT_TRUE(refused([](Options &o) { o.most_steps = -1; }));
  EXPECT_TRUE(refused([](Options &o) { o.shortest_step = 2, o.longest_step = 1; }));
  EXPECT_TRUE(refused([](Options &o) { o.method = Method::dormand_prince, o.tolerance = 0; }));
}

} // namespace

// SPDX-License-Identifier: MIT
