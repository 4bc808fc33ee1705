// geometric_test.cpp: divisions by coordinates, at random and in blocks, on 1 to 7 ranks, against serial ones.
#include "distributed/partition/geometric.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <set>

#include "ranks.hpp"
#include "support.hpp"

namespace {

using op2::core::Communicator;
using op2::core::PartShares;
using unit::contains;
using unit::run_ranks;
using unit::thrown_by;

constexpr int rank_counts[] = {1, 2, 3, 4, 7};

// Points with a number each, which a test may deal out in another order.
struct Cloud {
  int dim;
  std::vector<double> points;
  std::vector<int> weight; // may be empty
  int size() const { return static_cast<int>(points.size()) / dim; }
  double at(int point, int d) const { return points[static_cast<std::size_t>(point * dim + d)]; }
};

Cloud random_cloud(int count, int dim, bool weighted = false) {
  std::mt19937 dice(7);
  Cloud cloud{dim, {}, {}};
  for (int i = 0; i < count * dim; ++i)
    cloud.points.push_back(std::ldexp(static_cast<double>(dice()), -32) * (i % dim == 0 ? 3 : 1) - 0.5);
  for (int i = 0; i < count && weighted; ++i) cloud.weight.push_back(1 + static_cast<int>(dice() % 9));
  return cloud;
}

// n^dim points, a grid whose columns are not quite straight.
Cloud grid(int n, int dim) {
  std::mt19937 dice(8);
  Cloud cloud{dim, {}, {}};
  const int count = dim == 2 ? n * n : n * n * n;
  for (int i = 0; i < count; ++i)
    for (int d = 0, rest = i; d < dim; ++d, rest /= n)
      cloud.points.push_back(rest % n * 0.1 + 1e-15 * static_cast<double>(dice() % 9));
  return cloud;
}

using Divide = std::function<std::vector<int>(Communicator &, std::span<const double>, std::span<const int>,
                                              std::span<const std::int64_t>)>;

// The part of each point when the ranks hold pieces of `order` of uneven length, some of them none.
std::vector<int> divided(int ranks, const Cloud &cloud, const Divide &divide, std::vector<int> order = {}) {
  if (order.empty()) {
    order.resize(static_cast<std::size_t>(cloud.size()));
    std::iota(order.begin(), order.end(), 0);
  }
  std::vector<int> out(order.size(), -1);
  run_ranks(ranks, [&](Communicator &communicator) {
    const auto cut = [&](int r) { // rank 1 of several has nothing
      const int from = r == 2 && ranks > 2 ? 1 : r;
      return order.size() * static_cast<std::size_t>(from * from) / static_cast<std::size_t>(ranks * ranks);
    };
    const std::size_t first = cut(communicator.rank());
    const std::size_t last = communicator.rank() == 1 && ranks > 2 ? first : cut(communicator.rank() + 1);
    std::vector<double> points;
    std::vector<int> weight;
    std::vector<std::int64_t> numbers;
    for (std::size_t i = first; i < last; ++i) {
      for (int d = 0; d < cloud.dim; ++d) points.push_back(cloud.at(order[i], d));
      if (!cloud.weight.empty()) weight.push_back(cloud.weight[static_cast<std::size_t>(order[i])]);
      numbers.push_back(order[i]);
    }
    const std::vector<int> part = divide(communicator, points, weight, numbers);
    ASSERT_EQ(part.size(), last - first);
    for (std::size_t i = first; i < last; ++i) out[static_cast<std::size_t>(order[i])] = part[i - first];
  });
  return out;
}

Divide by_rcb(int dim, PartShares shares) {
  return [=](Communicator &c, auto points, auto weight, auto) { return part_rcb(c, points, dim, shares, weight); };
}
Divide by_inertia(int dim, PartShares shares) {
  return [=](Communicator &c, auto points, auto weight, auto) { return part_inertial(c, points, dim, shares, weight); };
}
Divide by_curve(int dim, PartShares shares) {
  return [=](Communicator &c, auto points, auto weight, auto) { return part_hilbert(c, points, dim, shares, weight); };
}
Divide by_chance(std::uint64_t seed, PartShares shares) {
  return
      [=](Communicator &c, auto, auto weight, auto numbers) { return part_random(c, numbers, seed, shares, weight); };
}
Divide by_blocks(PartShares shares) {
  return
      [=](Communicator &c, auto, auto weight, auto numbers) { return part_block(c, numbers.size(), shares, weight); };
}

std::vector<long> weights_of_parts(const Cloud &cloud, const std::vector<int> &part, int parts) {
  std::vector<long> out(static_cast<std::size_t>(parts), 0);
  for (std::size_t i = 0; i < part.size(); ++i)
    out[static_cast<std::size_t>(part[i])] += cloud.weight.empty() ? 1 : cloud.weight[i];
  return out;
}

// Recursive coordinate bisection as one writes it down for one process.
void serial_rcb(const Cloud &cloud, std::vector<int> points, int first, int last, const PartShares &shares,
                std::vector<int> &part) {
  if (last - first == 1) {
    for (const int p : points) part[static_cast<std::size_t>(p)] = first;
    return;
  }
  int best = 0;
  double longest = -1;
  for (int d = 0; d < cloud.dim; ++d) {
    const auto [low, high] = std::minmax_element(points.begin(), points.end(),
                                                 [&](int a, int b) { return cloud.at(a, d) < cloud.at(b, d); });
    if (points.empty() || cloud.at(*high, d) - cloud.at(*low, d) <= longest) continue;
    longest = cloud.at(*high, d) - cloud.at(*low, d);
    best = d;
  }
  std::sort(points.begin(), points.end(), [&](int a, int b) { return cloud.at(a, best) < cloud.at(b, best); });
  const auto weight = [&](int p) { return cloud.weight.empty() ? 1 : cloud.weight[static_cast<std::size_t>(p)]; };
  long total = 0, below = 0;
  for (const int p : points) total += weight(p);
  const int middle = first + (last - first) / 2;
  const double share = shares.of(first, middle) / shares.of(first, last);
  const long want = std::lround(static_cast<double>(total) * share);
  auto cut = points.begin();
  while (cut != points.end() && 2 * (want - below) >= weight(*cut)) below += weight(*cut++);
  serial_rcb(cloud, {points.begin(), cut}, first, middle, shares, part);
  serial_rcb(cloud, {cut, points.end()}, middle, last, shares, part);
}

TEST(CoordinateBisection, is_that_of_one_process) {
  for (const int dim : {1, 2, 3})
    for (const bool weighted : {false, true})
      for (const PartShares &shares :
           {PartShares(2), PartShares(7), PartShares(64), PartShares({1, 0.5, 3, 2, 0.25})}) {
        const Cloud cloud = random_cloud(997, dim, weighted);
        std::vector<int> all(static_cast<std::size_t>(cloud.size())), expected(all.size());
        std::iota(all.begin(), all.end(), 0);
        serial_rcb(cloud, all, 0, shares.parts(), shares, expected);
        for (const int ranks : rank_counts)
          EXPECT_EQ(divided(ranks, cloud, by_rcb(dim, shares)), expected) << dim << "-D on " << ranks << " ranks";
      }
}

// Whoever holds an element, it comes into the same part.
TEST(Divisions, do_not_depend_on_who_holds_what) {
  for (const int dim : {1, 2, 3}) {
    const Cloud cloud = random_cloud(500, dim, true);
    std::vector<int> shuffled(500);
    std::iota(shuffled.begin(), shuffled.end(), 0);
    std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937(3));
    const PartShares shares({3, 1, 1, 2, 2});
    for (const Divide &divide :
         {by_rcb(dim, shares), by_inertia(dim, shares), by_curve(dim, shares), by_chance(5, shares)}) {
      const std::vector<int> one = divided(1, cloud, divide);
      for (const int ranks : rank_counts) {
        EXPECT_EQ(divided(ranks, cloud, divide), one);
        EXPECT_EQ(divided(ranks, cloud, divide, shuffled), one);
      }
    }
  }
}

TEST(Divisions, give_each_part_its_share) {
  const Cloud plain = random_cloud(1000, 2), weighted = random_cloud(1000, 2, true);
  const std::vector<double> requests[] = {{1, 1, 1, 1, 1, 1, 1, 1}, {1, 2, 3, 4}, {5, 0, 5}, {0, 0, 1}, {1}};
  for (const Cloud *cloud : {&plain, &weighted})
    for (const std::vector<double> &request : requests) {
      const PartShares shares(request);
      double total = 0;
      for (const long w : weights_of_parts(*cloud, std::vector<int>(1000, 0), 1)) total += static_cast<double>(w);
      for (const Divide &divide :
           {by_rcb(2, shares), by_inertia(2, shares), by_curve(2, shares), by_chance(1, shares), by_blocks(shares)}) {
        const std::vector<long> got = weights_of_parts(*cloud, divided(3, *cloud, divide), shares.parts());
        for (int p = 0; p < shares.parts(); ++p)
          EXPECT_NEAR(static_cast<double>(got[static_cast<std::size_t>(p)]), shares.of(p) * total,
                      cloud->weight.empty() ? 2 : 14);
        for (int p = 0; p < shares.parts(); ++p)
          if (shares.of(p) == 0) {
            EXPECT_LE(got[static_cast<std::size_t>(p)], cloud->weight.empty() ? 0 : 9);
          }
      }
    }
}

// A column whose points differ in the last bits is divided across: the parts are squares.
TEST(CoordinateBisection, cuts_a_grid_straight) {
  const Cloud cloud = grid(32, 2);
  const std::vector<int> part = divided(4, cloud, by_rcb(2, PartShares(4)));
  for (int i = 0; i < cloud.size(); ++i)
    EXPECT_EQ(part[static_cast<std::size_t>(i)],
              part[static_cast<std::size_t>((i / 32 < 16 ? 0 : 31) * 32 + (i % 32 < 16 ? 0 : 31))]);
  EXPECT_EQ(std::set<int>(part.begin(), part.end()).size(), 4u);
}

// Half a column is its lower or its upper half.
TEST(CoordinateBisection, divides_a_column_in_one_place) {
  const Cloud cloud = grid(31, 2);
  const std::vector<int> part = divided(3, cloud, by_rcb(2, PartShares(2)));
  int changes = 0;
  for (std::size_t line = 0; line < 31; ++line)
    for (std::size_t i = 1; i < 31; ++i) // points of a column are 31 numbers apart in one direction, 1 in the other
      changes += (part[31 * line + i] != part[31 * line + i - 1] ? 1 : 0) +
                 (part[31 * i + line] != part[31 * (i - 1) + line] ? 1 : 0);
  EXPECT_EQ(changes, 32);
}

TEST(CurvePieces, of_a_grid_are_squares_and_cubes) {
  for (const int dim : {2, 3}) {
    const Cloud cloud = grid(16, dim);
    const int parts = dim == 2 ? 16 : 8, side = dim == 2 ? 4 : 8;
    const std::vector<int> part = divided(3, cloud, by_curve(dim, PartShares(parts)));
    std::vector<std::set<int>> blocks(static_cast<std::size_t>(parts));
    for (int i = 0; i < cloud.size(); ++i) {
      int block = 0;
      for (int d = 0, rest = i; d < dim; ++d, rest /= 16) block = block * 16 + rest % 16 / side;
      blocks[static_cast<std::size_t>(part[static_cast<std::size_t>(i)])].insert(block);
    }
    for (const std::set<int> &in_part : blocks) EXPECT_EQ(in_part.size(), 1u);
  }
}

TEST(CurvePieces, on_a_line_are_intervals) {
  const Cloud cloud = random_cloud(100, 1);
  const std::vector<int> part = divided(2, cloud, by_curve(1, PartShares(5)));
  for (int i = 0; i < 100; ++i)
    for (int j = 0; j < 100; ++j)
      if (cloud.at(i, 0) < cloud.at(j, 0)) {
        EXPECT_LE(part[static_cast<std::size_t>(i)], part[static_cast<std::size_t>(j)]);
      }
}

// A slanted bar is cut across.
TEST(InertialBisection, cuts_across_the_principal_axis) {
  for (const int dim : {2, 3}) {
    Cloud cloud = random_cloud(2000, dim);
    const double axis[] = {0.6, 0.8 * (dim == 2 ? 1 : 0.6), dim == 2 ? 0 : 0.64};
    std::vector<double> along;
    for (int i = 0; i < cloud.size(); ++i) {
      along.push_back(20 * cloud.at(i, 0));
      for (int d = 0; d < dim; ++d) cloud.points[static_cast<std::size_t>(i * dim + d)] *= 0.01;
      for (int d = 0; d < dim; ++d) cloud.points[static_cast<std::size_t>(i * dim + d)] += along.back() * axis[d];
    }
    const std::vector<int> part = divided(4, cloud, by_inertia(dim, PartShares(4)));
    std::vector<double> low(4, 1e9), high(4, -1e9);
    for (std::size_t i = 0; i < part.size(); ++i) {
      low[static_cast<std::size_t>(part[i])] = std::min(low[static_cast<std::size_t>(part[i])], along[i]);
      high[static_cast<std::size_t>(part[i])] = std::max(high[static_cast<std::size_t>(part[i])], along[i]);
    }
    for (std::size_t p = 1; p < 4; ++p) EXPECT_LT(high[p - 1], low[p] + 0.2) << dim << "-D, part " << p;
  }
}

TEST(Divisions, tell_equal_points_apart_by_number) {
  const Cloud cloud{2, std::vector<double>(200, 4.0), {}};
  for (const Divide &divide : {by_rcb(2, PartShares(3)), by_inertia(2, PartShares(3)), by_curve(2, PartShares(3))})
    for (const int ranks : rank_counts) {
      const std::vector<int> part = divided(ranks, cloud, divide);
      EXPECT_TRUE(std::is_sorted(part.begin(), part.end()));
      for (const long w : weights_of_parts(cloud, part, 3)) EXPECT_NEAR(static_cast<double>(w), 100 / 3.0, 1);
    }
}

TEST(Divisions, into_more_parts_than_elements) {
  for (const int count : {0, 1, 5})
    for (const int ranks : rank_counts)
      for (const Divide &divide :
           {by_rcb(3, PartShares(16)), by_inertia(3, PartShares(16)), by_curve(3, PartShares(16)),
            by_chance(9, PartShares(16)), by_blocks(PartShares(16))}) {
        const std::vector<int> part = divided(ranks, random_cloud(count, 3), divide);
        EXPECT_EQ(std::set<int>(part.begin(), part.end()).size(), static_cast<std::size_t>(count));
      }
}

// Coordinates at the ends of what a double can hold: four columns, of which one part gets three.
TEST(Divisions, of_a_very_large_cloud) {
  Cloud cloud{2, {}, {}};
  const double columns[] = {-1.7e308, 0.2e308, 1.2e308, 1.7e308};
  for (int i = 0; i < 64; ++i) {
    cloud.points.push_back(columns[i % 4]);
    cloud.points.push_back(i);
  }
  for (const Divide &divide :
       {by_rcb(2, PartShares({3, 1})), by_inertia(2, PartShares({3, 1})), by_curve(2, PartShares({3, 1}))}) {
    const std::vector<int> part = divided(3, cloud, divide);
    for (std::size_t i = 4; i < part.size(); ++i) EXPECT_EQ(part[i], part[i - 4]);
    EXPECT_EQ(std::count(part.begin(), part.end(), 1), 16);
  }
}

TEST(RandomParts, differ_with_the_seed_and_are_mixed) {
  const Cloud cloud = random_cloud(1000, 1);
  const std::vector<int> one = divided(2, cloud, by_chance(1, PartShares(2)));
  const std::vector<int> two = divided(2, cloud, by_chance(2, PartShares(2)));
  int same = 0, changes = 0;
  for (std::size_t i = 0; i < 1000; ++i) same += one[i] == two[i] ? 1 : 0;
  for (std::size_t i = 1; i < 1000; ++i) changes += one[i] != one[i - 1] ? 1 : 0;
  EXPECT_NEAR(same, 500, 100);
  EXPECT_NEAR(changes, 500, 100);
}

TEST(Blocks, are_consecutive) {
  for (const int ranks : rank_counts) {
    const std::vector<int> part = divided(ranks, random_cloud(8, 1), by_blocks(PartShares({1, 2, 1})));
    EXPECT_EQ(part, std::vector<int>({0, 0, 1, 1, 1, 1, 2, 2}));
  }
}

// All ranks say so, not only the one that has the point.
TEST(Divisions, refuse_what_has_no_place) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Cloud cloud = random_cloud(100, 2);
    cloud.points[2 * 70 + 1] = bad;
    const PartShares shares(2);
    for (const Divide &divide : {by_rcb(2, shares), by_inertia(2, shares), by_curve(2, shares)})
      divided(4, cloud, [&](Communicator &c, auto points, auto weight, auto numbers) {
        const op2::core::Error error = thrown_by([&] { divide(c, points, weight, numbers); });
        EXPECT_EQ(error.code, OP_ERR_ARGUMENT);
        EXPECT_TRUE(contains(error.what(), "point 70"));
        return std::vector<int>(numbers.size(), 0);
      });
  }
}

TEST(Divisions, refuse_negative_weights_and_shares) {
  Cloud cloud = random_cloud(100, 2, true);
  cloud.weight[99] = -3;
  divided(3, cloud, [&](Communicator &c, auto points, auto weight, auto numbers) {
    const op2::core::Error error = thrown_by([&] { part_rcb(c, points, 2, PartShares(2), weight); });
    EXPECT_TRUE(contains(error.what(), "the weight -3"));
    return std::vector<int>(numbers.size(), 0);
  });
  EXPECT_TRUE(contains(thrown_by([] { PartShares({1, -2}); }).what(), "part 1 cannot have the share -2"));
  EXPECT_TRUE(contains(thrown_by([] { PartShares({0, 0}); }).what(), "no part has a share"));
  EXPECT_TRUE(contains(thrown_by([] { PartShares(0); }).what(), "0 parts"));
}

TEST(Divisions, take_weights_of_zero_for_none) {
  Cloud cloud = random_cloud(100, 2, true);
  std::fill(cloud.weight.begin(), cloud.weight.end(), 0);
  const std::vector<int> part = divided(3, cloud, by_rcb(2, PartShares(2)));
  EXPECT_EQ(std::count(part.begin(), part.end(), 0), 50);
}

} // namespace

// SPDX-License-Identifier: MIT
