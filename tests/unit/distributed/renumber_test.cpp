// renumber_test.cpp: which set the library orders first, what it says about it, and orders that come from a plugin.
#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <random>

#include "op2/order.h"
#include "support.hpp"

namespace {

using unit::contains;
using unit::Environment;
using unit::lacks;

std::vector<int> shuffled_numbers(int n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<int> numbers(static_cast<std::size_t>(n));
  std::iota(numbers.begin(), numbers.end(), 0);
  for (std::size_t i = numbers.size(); i > 1; --i) std::swap(numbers[i - 1], numbers[random() % i]);
  return numbers;
}

// A square of cells, and the edges between them, which lead to two nodes and two cells each.
struct Square {
  int side;
  op_set nodes, cells, edges;
  op_map cell_nodes, edge_nodes, edge_cells;
  op_dat node_data, cell_data;

  Square(int n, bool shuffle, int node_values, int cell_values) : side(n) {
    const std::vector<int> node = names((n + 1) * (n + 1), shuffle, 1), cell = names(n * n, shuffle, 2);
    const auto node_at = [&](int x, int y) { return node[static_cast<std::size_t>(y * (n + 1) + x)]; };
    const auto cell_at = [&](int x, int y) { return cell[static_cast<std::size_t>(y * n + x)]; };
    std::vector<int> corners(static_cast<std::size_t>(4 * n * n)), ends, sides;
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) {
        const int around[] = {node_at(x, y), node_at(x + 1, y), node_at(x + 1, y + 1), node_at(x, y + 1)};
        std::copy_n(around, 4, corners.begin() + 4 * cell_at(x, y));
        if (x > 0) {
          ends.insert(ends.end(), {node_at(x, y), node_at(x, y + 1)});
          sides.insert(sides.end(), {cell_at(x - 1, y), cell_at(x, y)});
        }
        if (y > 0) {
          ends.insert(ends.end(), {node_at(x, y), node_at(x + 1, y)});
          sides.insert(sides.end(), {cell_at(x, y - 1), cell_at(x, y)});
        }
      }
    nodes = op_decl_set((n + 1) * (n + 1), "nodes");
    cells = op_decl_set(n * n, "cells");
    edges = op_decl_set(static_cast<int>(ends.size() / 2), "edges");
    cell_nodes = op_decl_map(cells, nodes, 4, corners.data(), "cell_nodes");
    edge_nodes = op_decl_map(edges, nodes, 2, ends.data(), "edge_nodes");
    edge_cells = op_decl_map(edges, cells, 2, sides.data(), "edge_cells");
    node_data = op_decl_dat(nodes, node_values, "double", nullptr, "node_data");
    cell_data = op_decl_dat(cells, cell_values, "double", nullptr, "cell_data");
  }
  static std::vector<int> names(int n, bool shuffle, unsigned seed) {
    if (shuffle) return shuffled_numbers(n, seed);
    std::vector<int> out(static_cast<std::size_t>(n));
    std::iota(out.begin(), out.end(), 0);
    return out;
  }
  void loop() const {
    EXPECT_OK(unit::run([](double *a) { *a = 1; }, "set", cells,
                        {op_arg_dat(cell_data, -1, OP_ID, op_dat_dim(cell_data), "double", OP_RW)}));
  }
};

class RenumberTest : public unit::LibraryTest {
 protected:
  // What is said on stderr while body(square) runs.
  template <class Body>
  static std::string said(const char *setting, int side, bool shuffle, int node_values, int cell_values, Body &&body) {
    const Environment environment{{"OP2_LOG", "info"}, {"OP2_RENUMBER", setting}, {"OP2_JIT_CACHE", "off"}};
    testing::internal::CaptureStderr();
    EXPECT_OK(init("seq"));
    body(Square(side, shuffle, node_values, cell_values));
    EXPECT_OK(op_exit());
    return testing::internal::GetCapturedStderr();
  }
  static std::string said_by_loops(const char *setting, int side, bool shuffle, int node_values, int cell_values) {
    return said(setting, side, shuffle, node_values, cell_values, [](const Square &square) {
      square.loop();
      square.loop();
    });
  }
  static std::size_t count(const std::string &whole, const std::string &part) {
    std::size_t n = 0;
    for (std::size_t at = whole.find(part); at != std::string::npos; at = whole.find(part, at + 1)) ++n;
    return n;
  }
};

// The set whose data loops fetch most comes first, by the map with the fewest entries that tells all its neighbours.
TEST_F(RenumberTest, TheSetWithTheMostTrafficIsFirst) {
  EXPECT_TRUE(contains(said_by_loops("auto", 160, true, 1, 8),
                       ": set 'cells' by reverse Cuthill-McKee through map 'edge_cells', the others follow"));
  EXPECT_TRUE(contains(said_by_loops("auto", 160, true, 8, 1),
                       ": set 'nodes' by reverse Cuthill-McKee through map 'edge_nodes', the others follow"));
}

// A map of the border, which leads to few nodes, orders the others by nothing, however many entries it has.
TEST_F(RenumberTest, AMapThatLeadsToFewRowsIsNoGraphOfTheSet) {
  const std::string text = said("always", 150, true, 4, 1, [](const Square &square) {
    const int count = (square.side + 1) * (square.side + 1) / 2 + 1;
    std::vector<int> ends;
    for (int n = 0; n < count; ++n) ends.insert(ends.end(), {n % 100, n * 7 % 100});
    op_decl_map(op_decl_set(count, "border"), square.nodes, 2, ends.data(), "border_nodes");
    square.loop();
  });
  EXPECT_TRUE(contains(text, "set 'nodes' by reverse Cuthill-McKee through map 'edge_nodes'")) << text;
}

TEST_F(RenumberTest, SaysOnceWhatItDidOrWhyNot) {
  const std::string bad = said_by_loops("auto", 160, true, 1, 1);
  EXPECT_EQ(1u, count(bad, "OP2_RENUMBER=auto: renumbered in "));
  const std::string good = said_by_loops("auto", 160, false, 1, 1);
  EXPECT_EQ(1u, count(good, "OP2_RENUMBER=auto: the mesh stays in its order: loops fetch rows 1."));
  EXPECT_TRUE(contains(said_by_loops("always", 10, false, 1, 1), "OP2_RENUMBER=always: renumbered in "));
  EXPECT_TRUE(lacks(said_by_loops("auto", 100, true, 1, 1), "OP2_RENUMBER"));
  EXPECT_TRUE(lacks(said_by_loops("off", 160, true, 1, 1), "OP2_RENUMBER"));
}

// A square of 256 x 256 cells along a curve of Morton: a loop needs each row about once, but in an order that
// processors cannot foresee. Large rows wait for memory more often than small ones, of which a line holds many.
TEST_F(RenumberTest, WaitsForMemoryAreWeighedAgainstThePrice) {
  constexpr int side = 256;
  const auto at = [](int x, int y) {
    int out = 0;
    for (int bit = 0; bit < 8; ++bit) out |= ((x >> bit & 1) | (y >> bit & 1) << 1) << (2 * bit);
    return out;
  };
  std::vector<std::array<int, 2>> edges;
  for (int y = 0; y < side; ++y)
    for (int x = 0; x + 1 < side; ++x) {
      edges.push_back({at(x, y), at(x + 1, y)});
      edges.push_back({at(y, x), at(y, x + 1)});
    }
  std::ranges::sort(edges);
  const auto said_of_rows = [&](int values) {
    const Environment environment{{"OP2_LOG", "info"}, {"OP2_JIT_CACHE", "off"}};
    testing::internal::CaptureStderr();
    EXPECT_OK(init("seq"));
    const op_set cells = op_decl_set(side * side, "cells"),
                 faces = op_decl_set(static_cast<int>(edges.size()), "faces");
    op_decl_map(faces, cells, 2, edges.front().data(), "face_cells");
    const op_dat data = op_decl_dat(cells, values, "double", nullptr, "data");
    EXPECT_OK(
        unit::run([](double *a) { *a = 1; }, "set", cells, {op_arg_dat(data, -1, OP_ID, values, "double", OP_RW)}));
    EXPECT_OK(op_exit());
    return testing::internal::GetCapturedStderr();
  };
  const std::string large = said_of_rows(25), small = said_of_rows(1);
  EXPECT_EQ(1u, count(large, "OP2_RENUMBER=auto: renumbered in ")) << large;
  EXPECT_EQ(1u, count(small, "OP2_RENUMBER=auto: the mesh stays in its order: loops fetch rows 1.")) << small;
  EXPECT_EQ(1u, count(small, " MB a pass and pays after ")) << small;
}

// A program may run loops before it declares its mesh.
TEST_F(RenumberTest, WaitsForTheMesh) {
  const std::string all = said("auto", 10, true, 1, 1, [](const Square &small) {
    small.loop();
    const Square large(160, true, 1, 1);
    small.loop();
    large.loop();
  });
  EXPECT_EQ(1u, count(all, "OP2_RENUMBER=auto: renumbered in "));
}

TEST_F(RenumberTest, TheProgramsOwnRequestIsTheLastWord) {
  const std::string all = said("auto", 160, true, 1, 8, [](const Square &square) {
    EXPECT_OK(op_renumber(square.cell_nodes));
    square.loop();
  });
  EXPECT_TRUE(contains(all, "op_renumber(): renumbered in "));
  EXPECT_TRUE(contains(all, ": set 'nodes' by reverse Cuthill-McKee through map 'cell_nodes', the others follow"));
  EXPECT_TRUE(lacks(all, "OP2_RENUMBER=auto"));
}

// What names nothing that has moved stays prepared, with its plan.
TEST_F(RenumberTest, OnlyLoopsOverWhatHasMovedArePreparedAgain) {
  const auto add = [](const char *name, const Square &square) {
    EXPECT_OK(unit::run([](double *a, double *b) { *a += 1, *b += 1; }, name, square.edges,
                        {op_arg_dat(square.cell_data, 0, square.edge_cells, 1, "double", OP_INC),
                         op_arg_dat(square.cell_data, 1, square.edge_cells, 1, "double", OP_INC)}));
  };
  const std::string all = said("off", 10, true, 1, 1, [&](const Square &moved) {
    const Square other(12, true, 1, 1);
    for (int run = 0; run < 2; ++run) {
      add("moved", moved);
      add("other", other);
      EXPECT_OK(run == 0 ? op_renumber(moved.edge_cells) : OP_OK);
    }
    for (const Square *square : {&moved, &other}) { // each edge has added to two cells, twice
      double sum = 0;
      EXPECT_OK(unit::run(
          [](const double *a, double *total) { *total += *a; }, "sum", square->cells,
          {op_arg_dat(square->cell_data, -1, OP_ID, 1, "double", OP_READ), op_arg_gbl(&sum, 1, "double", OP_INC)}));
      EXPECT_EQ(4 * op_get_size(square->edges), static_cast<op_gindex>(sum));
    }
  });
  EXPECT_EQ(2u, count(all, "loop 'moved' on set 'edges'")) << all;
  EXPECT_EQ(1u, count(all, "loop 'other' on set 'edges'")) << all;
}

// A loop without maps is prepared for an order, too: it knows the numbers of the elements.
TEST_F(RenumberTest, NumbersOfElementsFollowTheOrder) {
  said("off", 10, true, 1, 1, [](const Square &square) {
    for (int run = 0; run < 2; ++run) {
      EXPECT_OK(unit::run([](double *a, const int *n) { *a = *n; }, "number", square.cells,
                          {op_arg_dat(square.cell_data, -1, OP_ID, 1, "double", OP_WRITE), op_arg_idx(-1, OP_ID)}));
      std::vector<double> got(100), wanted(100);
      std::iota(wanted.begin(), wanted.end(), 0.0);
      EXPECT_OK(op_fetch_data(square.cell_data, got.data()));
      EXPECT_EQ(wanted, got) << "run " << run;
      EXPECT_OK(run == 0 ? op_renumber(square.edge_cells) : OP_OK);
    }
  });
}

TEST_F(RenumberTest, SeparateOrdersEveryTargetByItself) {
  const std::string all = said("off", 10, true, 1, 8, [](const Square &square) {
    op_renumber_params params = OP_RENUMBER_PARAMS;
    params.base = square.edge_nodes;
    params.strategy = "separate";
    EXPECT_OK(op_renumber_with(&params));
  });
  EXPECT_TRUE(contains(all,
                       ": set 'nodes' by reverse Cuthill-McKee through map 'edge_nodes', set 'cells' by reverse "
                       "Cuthill-McKee through map 'edge_cells', the others follow"));
}

// Neighbours of elements of one set: the element itself is one of them.
TEST_F(RenumberTest, MapToItsOwnSet) {
  EXPECT_OK(init("seq"));
  const int n = 500;
  const std::vector<int> name = shuffled_numbers(n, 3);
  std::vector<int> next(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i + 1 < name.size(); ++i) next[static_cast<std::size_t>(name[i])] = name[i + 1];
  next[static_cast<std::size_t>(name.back())] = name.back();
  const op_set cells = op_decl_set(n, "cells");
  const op_map chain = op_decl_map(cells, cells, 1, next.data(), "chain");
  EXPECT_OK(op_renumber(chain)) << op_last_error();
  std::vector<int> order(static_cast<std::size_t>(n));
  EXPECT_OK(op_get_order(cells, order.data()));
  if (order.front() != name.front()) std::ranges::reverse(order);
  EXPECT_EQ(name, order);
}

// ---- an order from a plugin
// ------------------------------------------------------------------------------------------

op_status by_scotch(const Square &square) {
  op_renumber_params params = OP_RENUMBER_PARAMS;
  params.base = square.edge_cells;
  params.method = "scotch";
  return op_renumber_with(&params);
}

TEST_F(RenumberTest, OrderOfAPlugin) {
  const Environment environment{{"OP2_PLUGIN_PATH", unit::plugins("order_backwards")}};
  const std::string all = said("off", 5, false, 1, 1, [](const Square &square) {
    EXPECT_OK(by_scotch(square));
    std::vector<int> order(25), wanted(25);
    EXPECT_OK(op_get_order(square.cells, order.data()));
    std::iota(wanted.rbegin(), wanted.rend(), 0);
    EXPECT_EQ(wanted, order);
  });
  EXPECT_TRUE(contains(all, "set 'cells' by Scotch's method g through map 'edge_cells'"));
}

TEST_F(RenumberTest, PluginsThatCannot) {
  const struct {
    const char *folder;
    op_status status;
    const char *words;
  } cases[] = {{"order_wrong", OP_ERR_PLUGIN, "its answer does not hold each of the 25 vertices once"},
               {"order_fails", OP_ERR_UNSUPPORTED, "partitioner scotch, order: not today"},
               {"order_missing", OP_ERR_UNSUPPORTED, "divides graphs but does not order them"},
               {"no_score", OP_ERR_BACKEND, "'scotch' is a partitioner that is not installed"}};
  for (const auto &each : cases) {
    const Environment environment{{"OP2_PLUGIN_PATH", unit::plugins(each.folder)}};
    EXPECT_OK(init("seq"));
    const Square square(5, true, 1, 1);
    EXPECT_STATUS(each.status, by_scotch(square));
    EXPECT_TRUE(contains(op_last_error(), each.words));
    std::vector<int> order(25);
    EXPECT_OK(op_get_order(square.cells, order.data()));
    EXPECT_TRUE(std::ranges::is_sorted(order)); // nothing has changed
    EXPECT_OK(op_exit());
  }
}

} // namespace

// SPDX-License-Identifier: MIT
