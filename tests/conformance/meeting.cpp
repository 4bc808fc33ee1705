// Elements that write to one row must never run at the same time. Here they meet for one reason each: every map by
// itself leads each element to a row of its own, except where the test says otherwise. The kernels dwell between
// reading a row and writing it, so two that meet lose an increment.
#include <atomic>

#include "suite.hpp"

namespace conformance {

using Meeting = Topic;

void add_slowly(int *row) {
  const int old = *row;
  for (int i = 0; i < 1000; ++i) std::atomic_signal_fence(std::memory_order_seq_cst); // not to be optimised away
  *row = old + 1;
}
void add_to_both(int *a, int *b) { add_slowly(a), add_slowly(b); }
void add_to_rows(int **rows) { add_slowly(rows[0]), add_slowly(rows[1]); }

constexpr int size = 1024, rounds = 30;

// Cells, as many of them as nodes, and half as many pairs.
struct MeetingPlace {
  op_set cells = declare_set(size, "cells"), nodes = declare_set(size, "nodes"), pairs = declare_set(size / 2, "pairs");
  op_dat own = declare_dat(cells, 1, std::vector<int>(size), "own"),
         x = declare_dat(nodes, 1, std::vector<int>(size), "x"),
         y = declare_dat(pairs, 1, std::vector<int>(size / 2), "y");
  Topology one = injective(size, size, 1, 250), other = injective(size, size, 1, 251);

  op_map to_own() const { return declare_map(cells, cells, one, "to_own"); }
  op_map to_nodes() const { return declare_map(cells, nodes, one, "to_nodes"); }
  op_map to_nodes_too() const { return declare_map(cells, nodes, other, "to_nodes_too"); }
  op_map to_two_nodes() const {
    Topology two = one;
    two.dim = 2;
    two.table.clear();
    for (std::size_t n = 0; n < one.elements(); ++n) two.table.insert(two.table.end(), {one.table[n], other.table[n]});
    return declare_map(cells, nodes, two, "to_two_nodes");
  }
  op_map to_pairs() const { // two cells to each
    Topology half = other;
    half.to = size / 2;
    for (int &entry : half.table) entry /= 2;
    return declare_map(cells, pairs, half, "to_pairs");
  }
};

// Every row of the three dats must have been reached so many times in each round.
void expect_visits(Outcome &out, const MeetingPlace &world, int own, int x, int y) {
  out.same("own", fetch<int>(world.own), std::vector<int>(size, own * rounds));
  out.same("x", fetch<int>(world.x), std::vector<int>(size, x * rounds));
  out.same("y", fetch<int>(world.y), std::vector<int>(size / 2, y * rounds));
}

template <class Kernel, class... Args>
void run_rounds(Kernel kernel, const MeetingPlace &world, const Args &...args) {
  for (int round = 0; round < rounds; ++round) run(kernel, "meet", world.cells, args...);
}

TEST_F(Meeting, TwoColumnsOfAMap) {
  compare([](Outcome &out) {
    const MeetingPlace world;
    const op_map map = world.to_two_nodes();
    run_rounds(add_to_both, world, through(map, 0, world.x, OP_INC), through(map, 1, world.x, OP_INC));
    expect_visits(out, world, 0, 2, 0);
  });
}

TEST_F(Meeting, TheColumnsOfAVector) {
  compare([](Outcome &out) {
    const MeetingPlace world;
    run_rounds(add_to_rows, world, rows(world.to_two_nodes(), 2, world.x, OP_INC));
    expect_visits(out, world, 0, 2, 0);
  });
}

TEST_F(Meeting, TwoMaps) {
  compare([](Outcome &out) {
    const MeetingPlace world;
    run_rounds(add_to_both, world, through(world.to_nodes(), 0, world.x, OP_INC),
               through(world.to_nodes_too(), 0, world.x, OP_INC));
    expect_visits(out, world, 0, 2, 0);
  });
}

TEST_F(Meeting, OwnRowsAndThoseOfOthers) {
  compare([](Outcome &out) {
    const MeetingPlace world;
    run_rounds(add_to_both, world, direct(world.own, OP_INC), through(world.to_own(), 0, world.own, OP_INC));
    expect_visits(out, world, 2, 0, 0);
  });
}

// The first dat keeps nobody apart, the second does.
TEST_F(Meeting, OneOfTwoDats) {
  compare([](Outcome &out) {
    const MeetingPlace world;
    run_rounds(add_to_both, world, through(world.to_nodes(), 0, world.x, OP_INC),
               through(world.to_pairs(), 0, world.y, OP_INC));
    expect_visits(out, world, 0, 1, 2);
  });
}

TEST_F(Meeting, ReadAndWrite) {
  compare([](Outcome &out) {
    const MeetingPlace world;
    run_rounds(add_to_both, world, through(world.to_nodes(), 0, world.x, OP_RW),
               through(world.to_pairs(), 0, world.y, OP_RW));
    expect_visits(out, world, 0, 1, 2);
  });
}

// An increment of one dat meets nobody, the RW row beside it does.
TEST_F(Meeting, ReadAndWriteBesideIncrements) {
  compare([](Outcome &out) {
    const MeetingPlace world;
    run_rounds(add_to_both, world, through(world.to_nodes(), 0, world.x, OP_INC),
               through(world.to_pairs(), 0, world.y, OP_RW));
    expect_visits(out, world, 0, 1, 2);
  });
}

} // namespace conformance

// SPDX-License-Identifier: MIT
