// order_test.cpp: orders of meshes against their definitions on small and random maps, and the measure of an order.
#include "plan/order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace op2::core {
namespace {

using Table = std::vector<int>;

int below(std::mt19937 &random, int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); }

std::vector<int> shuffled_numbers(int n, std::mt19937 &random) {
  std::vector<int> numbers(static_cast<std::size_t>(n));
  std::iota(numbers.begin(), numbers.end(), 0);
  for (int i = n - 1; i > 0; --i)
    std::swap(numbers[static_cast<std::size_t>(i)], numbers[static_cast<std::size_t>(below(random, i + 1))]);
  return numbers;
}

// A map together with its entries.
struct OwnMap {
  Table table;
  int dim, from, to;
  OrderMap view() const { return {table.data(), dim, from, to}; }
};

OwnMap random_map(int from, int to, int dim, std::mt19937 &random) {
  OwnMap map{Table(static_cast<std::size_t>(from) * static_cast<std::size_t>(dim)), dim, from, to};
  for (int &entry : map.table) entry = below(random, to);
  return map;
}

// Sets of all sizes, maps of all widths.
std::vector<OwnMap> random_maps() {
  std::mt19937 random(7);
  std::vector<OwnMap> maps = {{{}, 2, 0, 0}, {{}, 2, 0, 9}, {{0, 0}, 2, 1, 1}, {{3, 3, 3, 1, 1, 3}, 2, 3, 5}};
  for (const int dim : {1, 2, 3, 4, 9})
    for (const int from : {1, 10, 300})
      for (const int to : {1, 7, 60, 700}) maps.push_back(random_map(from, to, dim, random));
  return maps;
}

void expect_permutation(std::vector<int> order, int n) {
  std::ranges::sort(order);
  std::vector<int> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(all, order);
}

std::vector<std::set<int>> plain_neighbours(const OwnMap &map) {
  std::vector<std::set<int>> out(static_cast<std::size_t>(map.to));
  for (int n = 0; n < map.from; ++n)
    for (int j = 0; j < map.dim; ++j)
      for (int k = 0; k < map.dim; ++k) {
        const int a = map.view().row(n)[j], b = map.view().row(n)[k];
        if (a != b) out[static_cast<std::size_t>(a)].insert(b);
      }
  return out;
}

// Edges between neighbours in a grid of nx columns and ny rows, all numbered at random.
OwnMap shuffled_grid(int nx, int ny, unsigned seed) {
  std::mt19937 random(seed);
  const std::vector<int> name = shuffled_numbers(nx * ny, random);
  std::vector<std::pair<int, int>> edges;
  const auto at = [&](int x, int y) { return name[static_cast<std::size_t>(y * nx + x)]; };
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) {
      if (x + 1 < nx) edges.emplace_back(at(x, y), at(x + 1, y));
      if (y + 1 < ny) edges.emplace_back(at(x, y), at(x, y + 1));
    }
  OwnMap map{{}, 2, static_cast<int>(edges.size()), nx * ny};
  for (const int e : shuffled_numbers(map.from, random)) {
    map.table.push_back(edges[static_cast<std::size_t>(e)].first);
    map.table.push_back(edges[static_cast<std::size_t>(e)].second);
  }
  return map;
}

int width_after(const OwnMap &map) {
  return bandwidth(adjacency(map.view()), inverse(reverse_cuthill_mckee(map.view())));
}

TEST(Order, NeighboursAreMergedCliques) {
  for (const OwnMap &map : random_maps()) {
    const Graph graph = adjacency(map.view());
    ASSERT_EQ(map.to, graph.vertices());
    const std::vector<std::set<int>> plain = plain_neighbours(map);
    for (std::size_t v = 0; v < plain.size(); ++v)
      EXPECT_EQ(
          std::vector<int>(plain[v].begin(), plain[v].end()),
          std::vector<int>(graph.neighbour.begin() + graph.offset[v], graph.neighbour.begin() + graph.offset[v + 1]));
  }
}

TEST(Order, ReverseCuthillMcKeeIsAPermutation) {
  for (const OwnMap &map : random_maps()) expect_permutation(reverse_cuthill_mckee(map.view()), map.to);
}

// The definition: backwards, every vertex but the first of a component is a neighbour of an earlier one, these come in
// the order of the vertices they were found from, and those found from one vertex by ascending degree.
TEST(Order, CuthillMcKeeByItsDefinition) {
  for (const OwnMap &map : random_maps()) {
    std::vector<int> order = reverse_cuthill_mckee(map.view());
    std::ranges::reverse(order);
    const std::vector<int> place = inverse(order);
    std::vector<int> degree(static_cast<std::size_t>(map.to));
    for (const int entry : map.table) ++degree[static_cast<std::size_t>(entry)];
    for (int &d : degree) d = std::min(d, 255); // higher ones count as equal
    const std::vector<std::set<int>> neighbours = plain_neighbours(map);
    int parent_before = -1, degree_before = 0;
    for (int i = 0; i < map.to; ++i) {
      const std::size_t v = static_cast<std::size_t>(order[static_cast<std::size_t>(i)]);
      int parent = i;
      for (const int w : neighbours[v]) parent = std::min(parent, place[static_cast<std::size_t>(w)]);
      if (parent == i) { // the first of a component: nobody before it has a neighbour behind it
        for (int k = 0; k < i; ++k)
          for (const int w : neighbours[static_cast<std::size_t>(order[static_cast<std::size_t>(k)])])
            EXPECT_LT(place[static_cast<std::size_t>(w)], i);
      } else {
        EXPECT_GE(parent, parent_before);
        if (parent == parent_before) {
          EXPECT_GE(degree[v], degree_before);
        }
      }
      parent_before = parent;
      degree_before = parent == i ? 0 : degree[v];
    }
  }
}

TEST(Order, BandwidthOfSmallGraphs) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    EXPECT_EQ(1, width_after(shuffled_grid(200, 1, seed))); // a path
    for (const int side : {3, 7, 25}) {                     // the least is `side`; among equal degrees chance decides
      EXPECT_GE(width_after(shuffled_grid(side, 60, seed)), side);
      EXPECT_LE(width_after(shuffled_grid(side, 60, seed)), side + 1);
    }
  }
  OwnMap ring = shuffled_grid(100, 1, 4);
  std::vector<int> ends; // of the path
  for (int v = 0; v < 100; ++v)
    if (std::ranges::count(ring.table, v) == 1) ends.push_back(v);
  ring.table.insert(ring.table.end(), ends.begin(), ends.end());
  ++ring.from;
  EXPECT_EQ(2, width_after(ring));
  const OwnMap clique{{4, 2, 0, 1, 3}, 5, 1, 5};
  EXPECT_EQ(4, width_after(clique));
  // Two triangles in a row, as triangles: 0 1 2, 1 2 3, ... have bandwidth 2 in order.
  OwnMap strip{{}, 3, 50, 52};
  std::mt19937 random(5);
  const std::vector<int> name = shuffled_numbers(52, random);
  for (int n = 0; n < 50; ++n)
    for (int j = 0; j < 3; ++j) strip.table.push_back(name[static_cast<std::size_t>(n + j)]);
  EXPECT_EQ(2, width_after(strip));
}

TEST(Order, ComponentsStayTogether) {
  OwnMap two = shuffled_grid(30, 2, 6);
  const OwnMap other = shuffled_grid(20, 2, 7);
  for (const int entry : other.table) two.table.push_back(entry + 100); // 60 to 99 lead nowhere
  two.from += other.from;
  two.to = 140;
  const std::vector<int> order = reverse_cuthill_mckee(two.view());
  expect_permutation(order, 140);
  EXPECT_EQ(2, bandwidth(adjacency(two.view()), inverse(order)));
}

TEST(Order, ByTargets) {
  std::mt19937 random(8);
  for (const OwnMap &map : random_maps()) {
    const std::vector<int> place = shuffled_numbers(map.to, random);
    const auto key = [&](int n) {
      std::vector<int> at;
      for (int j = 0; j < map.dim; ++j) at.push_back(place[static_cast<std::size_t>(map.view().row(n)[j])]);
      std::ranges::sort(at);
      at.resize(2, 0);
      return at;
    };
    std::vector<int> wanted(static_cast<std::size_t>(map.from));
    std::iota(wanted.begin(), wanted.end(), 0);
    std::ranges::stable_sort(wanted, [&](int a, int b) { return key(a) < key(b); });
    EXPECT_EQ(wanted, order_by_targets(map.view(), place));
  }
}

TEST(Order, ByFirstTouch) {
  std::mt19937 random(9);
  for (const OwnMap &map : random_maps()) {
    std::vector<int> order = shuffled_numbers(map.from, random);
    for (int pass = 0; pass < 2; ++pass) {
      std::vector<int> wanted;
      const auto meet = [&](int v) {
        if (std::ranges::find(wanted, v) == wanted.end()) wanted.push_back(v);
      };
      for (int i = 0; i < map.from; ++i)
        for (int j = 0; j < map.dim; ++j)
          meet(map.view().row(order.empty() ? i : order[static_cast<std::size_t>(i)])[j]);
      for (int v = 0; v < map.to; ++v) meet(v);
      EXPECT_EQ(wanted, order_by_first_touch(map.view(), order));
      order.clear(); // as numbered
    }
  }
}

// Along the curve every cell of a grid of 2^k cells is followed by one that it shares a side with.
TEST(Order, HilbertCurveTakesSingleSteps) {
  for (const int dim : {1, 2, 3})
    for (const int side : {2, 4, 8, 16}) {
      const int points = static_cast<int>(std::pow(side, dim));
      std::mt19937 random(10);
      std::vector<double> x;
      for (int n : shuffled_numbers(points, random))
        for (int d = 0; d < dim; ++d, n /= side) x.push_back(-3.0 + 0.25 * (n % side));
      const std::vector<int> order = hilbert_order(x, dim);
      expect_permutation(order, points);
      for (std::size_t i = 0; i + 1 < order.size(); ++i) {
        double distance = 0;
        for (std::size_t d = 0; d < static_cast<std::size_t>(dim); ++d)
          distance += std::fabs(x[static_cast<std::size_t>(order[i]) * static_cast<std::size_t>(dim) + d] -
                                x[static_cast<std::size_t>(order[i + 1]) * static_cast<std::size_t>(dim) + d]);
        ASSERT_EQ(0.25, distance) << dim << " dimensions, " << side << " cells in each, step " << i;
      }
    }
}

TEST(Order, HilbertCurveOfStrangePoints) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(std::vector<int>(), hilbert_order({}, 2));
  const std::vector<double> equal(20, 4.5);
  expect_permutation(hilbert_order(equal, 2), 10);
  const std::vector<double> wild = {nan, 0, 1, 2, 3, infinite, 0, 0};
  const std::vector<int> order = hilbert_order(wild, 2);
  expect_permutation(order, 4);
  EXPECT_EQ(std::vector<int>({0, 2}), std::vector<int>(order.begin() + 2, order.end()));
}

TEST(Order, MeasureSeparatesGoodFromBad) {
  const int nx = 1000, ny = 700; // ten times the lines that a core is taken to keep
  OwnMap cells{{}, 4, nx * ny, (nx + 1) * (ny + 1)}; // row by row
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x)
      for (const int corner : {0, 1, nx + 2, nx + 1}) cells.table.push_back(y * (nx + 1) + x + corner);
  const double natural = locality(cells.view()).ratio();
  EXPECT_LT(natural, 2.5);
  EXPECT_GE(natural, 1);
  std::mt19937 random(11);
  const std::vector<int> rows = shuffled_numbers(cells.from, random), places = shuffled_numbers(cells.to, random);
  EXPECT_GT(locality(cells.view(), rows).ratio(), 10); // one of the two is enough
  EXPECT_GT(locality(cells.view(), {}, places).ratio(), 7);
  EXPECT_GT(locality(cells.view(), rows, places).ratio(), 10);
  const std::vector<int> order = reverse_cuthill_mckee(cells.view()), place = inverse(order);
  EXPECT_LT(locality(cells.view(), order_by_targets(cells.view(), place), place).ratio(), 3);
  EXPECT_EQ(1, locality({nullptr, 2, 0, 0}).ratio());
}

// Edges along a grid of faces in three directions, each direction by itself: not the best order, and no bad one.
TEST(Order, FacesListedByDirectionAreNotBad) {
  const int n = 50;
  OwnMap faces{{}, 2, 0, n * n * n};
  for (const int step : {1, n, n * n})
    for (int c = 0; c + step < n * n * n; ++c)
      if (c / step % n + 1 < n) {
        faces.table.push_back(c);
        faces.table.push_back(c + step);
        ++faces.from;
      }
  const Locality found = locality(faces.view());
  EXPECT_LT(found.ratio(), 6);
  EXPECT_LT(found.jumps, 0.01 * faces.from);
  EXPECT_GT(found.side_by_side, 0.95 * faces.from);
}

// Rows of 64 bytes and more. A curve needs few rows twice, but processors cannot tell where it goes next.
TEST(Order, JumpsAreWhatProcessorsCannotForesee) {
  const int n = 300;
  OwnMap faces{{}, 2, 0, n * n};
  for (int c = 0; c < n * n; ++c)
    for (const int step : {1, n})
      if (c / step % n + 1 < n) faces.table.insert(faces.table.end(), {c, c + step}), ++faces.from;
  std::vector<double> centres;
  for (int c = 0; c < n * n; ++c) centres.insert(centres.end(), {double(c % n), double(c / n)});
  const auto jumps = [&](const std::vector<int> &order) {
    const std::vector<int> place = inverse(order);
    const Locality found = locality(faces.view(), order_by_targets(faces.view(), place), place, 1);
    EXPECT_LT(found.ratio(), 2.2);
    return found.jumps / faces.from;
  };
  std::mt19937 random(5);
  EXPECT_LT(jumps(reverse_cuthill_mckee(faces.view())), 0.005);
  EXPECT_GT(jumps(hilbert_order(centres, 2)), 0.05);
  EXPECT_GT(locality(faces.view(), {}, shuffled_numbers(n * n, random), 1).jumps, 0.5 * faces.from);
  EXPECT_LT(locality(faces.view(), {}, {}, 1).jumps, 0.005 * faces.from);
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
