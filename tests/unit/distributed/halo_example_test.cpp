// halo_example_test.cpp: the halos of a small mesh on two ranks, worked out by hand.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "distributed/redistribute/distribute.hpp"
#include "rank_mesh.hpp"

namespace op2::core {
namespace {

using unit::Host;
using unit::RankMesh;
using unit::run_ranks;

// --- sixteen nodes and nine cells on two ranks ---
//
//   12--13--14--15      Rank 0 declares, and keeps, nodes 0 to 7 and cells 0 to 4, rank 1 the others. Cells 3 and 4
//    | 6 | 7 | 8 |      have nodes of rank 1, cell 5 has nodes of rank 0: both ranks execute these three.
//    8---9--10--11
//    | 3 | 4 | 5 |
//    4---5---6---7
//    | 0 | 1 | 2 |
//    0---1---2---3

using Numbers = std::vector<op_gindex>;
using Rows = std::vector<int>;

void on_two_ranks(int depth,
                  const std::function<void(int rank, const Set &nodes, const Set &cells, const Map &)> &look) {
  run_ranks(2, [&](Communicator &ranks, Host &host) {
    const std::vector<op_gindex> corners[] = {{0, 1, 5, 4, 1, 2, 6, 5, 2, 3, 7, 6, 4, 5, 9, 8, 5, 6, 10, 9},
                                              {6, 7, 11, 10, 8, 9, 13, 12, 9, 10, 14, 13, 10, 11, 15, 14}};
    const int me = ranks.rank();
    RankMesh rank(ranks, host, Declare::local);
    Set &nodes = rank.mesh.declare().set(8, "nodes");
    Set &cells = rank.mesh.declare().set(me == 0 ? 5 : 4, "cells");
    const Map &cell_nodes = rank.mesh.declare().map(&cells, &nodes, 4, corners[me].data(), "cell_nodes");
    distribute(rank.mesh, {}, {.halo_depth = depth});
    look(me, nodes, cells, cell_nodes);
  });
}

void expect_list(const HaloList &list, const Rows &ranks, const Rows &offset, const Rows &row) {
  EXPECT_EQ(list.ranks, ranks);
  EXPECT_EQ(list.offset, offset);
  EXPECT_EQ(list.row, row);
}

void expect_range(const HaloRange &range, const Rows &ranks, const Rows &offset, int first) {
  EXPECT_EQ(range.ranks, ranks);
  EXPECT_EQ(range.offset, offset);
  EXPECT_EQ(range.first, first);
}

TEST(HaloOfTwoRanks, numbers_and_sizes) {
  on_two_ranks(1, [](int rank, const Set &nodes, const Set &cells, const Map &) {
    const auto sizes = [](const Set &set) { return Rows{set.core_size, set.size, set.exec_size, set.nonexec_size}; };
    EXPECT_EQ(sizes(cells), (rank == 0 ? Rows{3, 5, 1, 0} : Rows{3, 4, 2, 0}));
    EXPECT_EQ(sizes(nodes), (Rows{8, 8, 0, 4}));
    // core, then boundary, then executed copies; owned nodes, then copies that are read
    EXPECT_EQ(cells.global, (rank == 0 ? Numbers{0, 1, 2, 3, 4, 5} : Numbers{6, 7, 8, 5, 3, 4}));
    EXPECT_EQ(nodes.global, (rank == 0 ? Numbers{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
                                       : Numbers{8, 9, 10, 11, 12, 13, 14, 15, 4, 5, 6, 7}));
  });
}

TEST(HaloOfTwoRanks, lists) {
  on_two_ranks(1, [](int rank, const Set &nodes, const Set &cells, const Map &) {
    ASSERT_EQ(cells.layers.size(), 1u);
    ASSERT_EQ(nodes.layers.size(), 1u);
    const Rows other = {1 - rank};
    const HaloLayer &cell = cells.layers[0], &node = nodes.layers[0];
    if (rank == 0) {
      expect_list(cell.exec.exported, other, {0, 2}, {3, 4});
      expect_range(cell.exec.imported, other, {0, 1}, 5);
      expect_list(node.nonexec.exported, other, {0, 4}, {4, 5, 6, 7});
      expect_range(node.nonexec.imported, other, {0, 4}, 8);
    } else {
      expect_list(cell.exec.exported, other, {0, 1}, {3});
      expect_range(cell.exec.imported, other, {0, 2}, 4);
      expect_list(node.nonexec.exported, other, {0, 4}, {0, 1, 2, 3});
      expect_range(node.nonexec.imported, other, {0, 4}, 8);
    }
    expect_list(cell.nonexec.exported, {}, {0}, {});
    expect_range(cell.nonexec.imported, {}, {0}, rank == 0 ? 6 : 6);
    expect_list(node.exec.exported, {}, {0}, {});
    expect_range(node.exec.imported, {}, {0}, 8);
  });
}

TEST(HaloOfTwoRanks, map) {
  on_two_ranks(1, [](int rank, const Set &, const Set &, const Map &cell_nodes) {
    const Rows first = {0, 1, 5, 4, 1, 2, 6, 5, 2, 3, 7, 6, 4, 5, 9, 8, 5, 6, 10, 9, /* cell 5: */ 6, 7, 11, 10};
    const Rows second = {/* cells 6, 7, 8: */ 0, 1,  5, 4, 1, 2,  6, 5, 2, 3, 7, 6,
                         /* cell 5: */ 10,       11, 3, 2,
                         /* cells 3, 4: */ 8,    9,  1, 0, 9, 10, 2, 1};
    EXPECT_EQ(cell_nodes.table, rank == 0 ? first : second);
    EXPECT_EQ(cell_nodes.map, cell_nodes.table.data());
  });
}

// The second layer is all that is left of this mesh.
TEST(HaloOfTwoRanks, two_layers) {
  on_two_ranks(2, [](int rank, const Set &nodes, const Set &cells, const Map &cell_nodes) {
    EXPECT_EQ(cells.core_size, 3);
    EXPECT_EQ(cells.exec_size, rank == 0 ? 1 : 2);
    EXPECT_EQ(nodes.nonexec_size, 4);
    EXPECT_EQ(cells.copies, rank == 0 ? 4 : 5);
    EXPECT_EQ(nodes.copies, 8);
    EXPECT_EQ(cells.global, (rank == 0 ? Numbers{0, 1, 2, 3, 4, 5, 6, 7, 8} : Numbers{6, 7, 8, 5, 3, 4, 0, 1, 2}));
    EXPECT_EQ(nodes.global, (rank == 0 ? Numbers{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
                                       : Numbers{8, 9, 10, 11, 12, 13, 14, 15, 4, 5, 6, 7, 0, 1, 2, 3}));
    ASSERT_EQ(cells.layers.size(), 2u);
    const Rows other = {1 - rank};
    expect_list(cells.layers[1].exec.exported, other, {0, 3}, {0, 1, 2});
    expect_range(cells.layers[1].exec.imported, other, {0, 3}, 6);
    expect_list(nodes.layers[1].nonexec.exported, other, {0, 4}, rank == 0 ? Rows{0, 1, 2, 3} : Rows{4, 5, 6, 7});
    expect_range(nodes.layers[1].nonexec.imported, other, {0, 4}, 12);
    ASSERT_EQ(cell_nodes.table_rows(), 9);
    EXPECT_EQ(Rows(cell_nodes.table.begin() + 32, cell_nodes.table.end()),
              (rank == 0 ? Rows{10, 11, 15, 14} : Rows{14, 15, 11, 10})); // cell 8, cell 2
  });
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
