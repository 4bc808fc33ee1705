// halo_in_place_test.cpp: messages that come to the rows of a dat themselves: when, and what the rows and what is known
// of them are then.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <vector>

#include "distributed/halo/halo_exchange.hpp"
#include "distributed/halo/partial_halo.hpp"
#include "distributed/redistribute/distribute.hpp"
#include "rank_mesh.hpp"

namespace op2::core {
namespace {

using unit::Host;
using unit::RankMesh;
using unit::run_ranks;

// A ring of four nodes for each rank, each with a map to the next one and one to a set of one leaf per node. Of three
// ranks each executes the last node of the rank before, whose target it owns, and reads the first one of the rank
// behind: on rank 1 copies of both kinds lie in the order of ranks, on the others they do not. Of two ranks each has
// one neighbour. Of leaves each rank reads one of the rank behind; there are no other copies.
constexpr int own = 4;

struct Ring {
  Ring(Communicator &ranks, Host &host) : rank(ranks, host, Declare::local) {
    const int all = own * ranks.size(), first = own * ranks.rank();
    std::vector<op_gindex> next;
    for (int n = first; n < first + own; ++n) next.push_back((n + 1) % all);
    nodes = &rank.mesh.declare().set(own, "nodes");
    leaves = &rank.mesh.declare().set(own, "leaves");
    to_next = &rank.mesh.declare().map(nodes, nodes, 1, next.data(), "to_next");
    to_leaf = &rank.mesh.declare().map(nodes, leaves, 1, next.data(), "to_leaf");
    q = &declare(*nodes, "q", false);
    p = &declare(*nodes, "p", false);
    leaf = &declare(*leaves, "leaf", false);
    scratch = &declare(*nodes, "scratch", true);
    distribute(rank.mesh, {});
  }
  Dat &declare(Set &set, const char *name, bool temporary) {
    return rank.mesh.declare().dat(&set, 1, "double", 8, nullptr, name, temporary);
  }
  int me() const { return rank.mesh.communicator().rank(); }
  int ranks() const { return rank.mesh.communicator().size(); }
  void meet() { rank.mesh.communicator().barrier(); }
  static double *rows(const Dat &dat) { return reinterpret_cast<double *>(dat.host.data()); }

  // Own rows become the number of the element and `round`, copies old.
  void fill(Dat &dat, double round) {
    for (int row = 0; row < dat.on().rows(); ++row)
      rows(dat)[row] =
          row < dat.set->size ? static_cast<double>(dat.on().global[static_cast<std::size_t>(row)]) + round : -1;
    rank.mesh.copies().note_host(dat, OP_WRITE);
  }
  // Copies of this part that hold their owners' values of a round.
  static int arrived(const Dat &dat, const HaloPart &part, double round) {
    int count = 0;
    for (int row = part.imported.first; row < part.imported.first + part.imported.size(); ++row)
      count += rows(dat)[row] == static_cast<double>(dat.on().global[static_cast<std::size_t>(row)]) + round;
    return count;
  }
  static int arrived(const HaloItem &item, double round) {
    const HaloLayer &layer = item.dat->on().layers.front();
    return (item.exec ? arrived(*item.dat, layer.exec, round) : 0) +
           (item.nonexec ? arrived(*item.dat, layer.nonexec, round) : 0);
  }

  RankMesh rank;
  Set *nodes, *leaves;
  Map *to_next, *to_leaf;
  Dat *q, *p, *leaf, *scratch;
};

// What a test does on each of some ranks.
void on_rings(const std::vector<int> &sizes, const std::function<void(Ring &)> &test) {
  for (const int ranks : sizes)
    run_ranks(ranks, [&](Communicator &communicator, Host &host) {
      Ring ring(communicator, host);
      test(ring);
    });
}

int copies_in(const std::vector<HaloItem> &items) {
  int count = 0;
  for (const HaloItem &item : items) {
    const HaloLayer &layer = item.dat->on().layers.front();
    count += (item.exec ? layer.exec.imported.size() : 0) + (item.nonexec ? layer.nonexec.imported.size() : 0);
  }
  return count;
}

// Twice, since buffers stay. Rows have come before finish() where they come to their place, and only there.
void expect_exchange(Ring &ring, const std::vector<HaloItem> &items, bool in_place) {
  HaloExchange exchange(ring.rank.mesh, items);
  EXPECT_EQ(exchange.received_in_place(), in_place) << "rank " << ring.me() << " of " << ring.ranks();
  const auto arrived = [&](double round) {
    int count = 0;
    for (const HaloItem &item : items) count += Ring::arrived(item, round);
    return count;
  };
  for (const double round : {0.25, 0.5}) {
    for (const HaloItem &item : items) ring.fill(*item.dat, round);
    exchange.start();
    ring.meet(); // in this communicator messages are there when both sides have started
    EXPECT_TRUE(exchange.progress());
    EXPECT_EQ(arrived(round), in_place ? copies_in(items) : 0);
    for (const HaloItem &item : items) EXPECT_TRUE(item.dat->state.exec_stale() && item.dat->state.nonexec_stale());
    ring.meet();
    exchange.finish();
    for (const HaloItem &item : items) {
      if (item.through) continue;
      EXPECT_EQ(item.dat->state.exec_stale(), !item.exec);
      EXPECT_EQ(item.dat->state.nonexec_stale(), !item.nonexec);
      EXPECT_EQ(Ring::arrived(item, round), copies_in({item}));
    }
  }
}

TEST(HaloInPlace, copies_of_one_kind) {
  on_rings({2, 3, 4}, [](Ring &ring) {
    EXPECT_EQ(copies_in({{ring.q, true, false}}), 1);
    EXPECT_EQ(copies_in({{ring.q, false, true}}), 1);
    EXPECT_EQ(copies_in({{ring.leaf, true, true}}), 1);
    expect_exchange(ring, {{ring.q, true, false}}, true);
    expect_exchange(ring, {{ring.q, false, true}}, true);
    expect_exchange(ring, {{ring.leaf, true, true}}, true);
    expect_exchange(ring, {{ring.leaf, true, false}}, false); // there are none
  });
}

// Kinds lie one after the other, messages come by rank.
TEST(HaloInPlace, copies_of_both_kinds_where_they_lie_in_the_order_of_ranks) {
  on_rings({2, 3}, [](Ring &ring) {
    expect_exchange(ring, {{ring.q, true, true}}, ring.ranks() == 2 || ring.me() == 1);
  });
}

TEST(HaloInPlace, not_several_dats_nor_such_as_change_or_move) {
  on_rings({2, 3}, [](Ring &ring) {
    expect_exchange(ring, {{ring.q, true, false}, {ring.p, true, false}}, false);
    expect_exchange(ring, {{ring.q, true, false, nullptr, true}}, false);
    expect_exchange(ring, {{ring.scratch, true, false}}, false);
    expect_exchange(ring, {{ring.q, true, true, ring.to_next}}, false);
  });
}

// A dat of which this process gets nothing beside one of which it does.
TEST(HaloInPlace, not_one_of_several_dats) {
  on_rings({2, 3}, [](Ring &ring) { expect_exchange(ring, {{ring.q, true, false}, {ring.leaf, true, false}}, false); });
}

TEST(HaloInPlace, temporary_dats_may_come_again_at_another_address) {
  on_rings({2, 3}, [](Ring &ring) {
    HaloExchange exchange(ring.rank.mesh, {{ring.scratch, false, true}});
    const std::size_t bytes = ring.scratch->bytes();
    std::vector<Storage> taken;
    for (int round = 1; round < 4; ++round) {
      ring.fill(*ring.scratch, 0.25 * round);
      exchange.start();
      exchange.finish();
      EXPECT_EQ(Ring::arrived({ring.scratch, false, true}, 0.25 * round), 1);
      ring.rank.mesh.declare().free_temporary(ring.scratch);
      taken.emplace_back(ring.rank.executor, OP_SPACE_HOST, bytes); // in its place, perhaps
      std::memset(taken.back().data(), 0, bytes);
      EXPECT_EQ(&ring.declare(*ring.nodes, "scratch", true), ring.scratch);
    }
    for (const Storage &storage : taken)
      EXPECT_TRUE(std::all_of(storage.data(), storage.data() + bytes, [](char byte) { return byte == 0; }));
  });
}

// Messages may hold anything then, so what was right before is not.
TEST(HaloInPlace, rows_are_stale_when_an_exchange_is_given_up) {
  on_rings({2, 3}, [](Ring &ring) {
    for (const bool begun : {true, false}) {
      HaloExchange exchange(ring.rank.mesh, {{ring.q, false, true}});
      ASSERT_TRUE(exchange.received_in_place());
      ring.fill(*ring.q, 0.25);
      exchange.start();
      exchange.finish();
      EXPECT_FALSE(ring.q->state.nonexec_stale());
      if (begun) exchange.start();
      exchange.give_up(begun);
      EXPECT_TRUE(ring.q->state.nonexec_stale());
      EXPECT_EQ(ring.q->dirtybit, 1);
    }
  });
}

TEST(HaloInPlace, is_told) {
  on_rings({2}, [](Ring &ring) {
    const auto says = [&](const std::vector<HaloItem> &items) {
      return HaloExchange(ring.rank.mesh, items).summary().ends_with("packed by the host, received into the rows");
    };
    EXPECT_TRUE(says({{ring.q, true, false}}));
    EXPECT_FALSE(says({{ring.q, true, false}, {ring.p, true, false}}));
  });
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
