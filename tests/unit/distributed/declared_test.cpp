// declared_test.cpp: data between the order of the declaration and wherever rows lie: elements that move to random
// owners again and again, what is declared late, and everything that a program fetches and puts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "distributed/declared/exchange.hpp"
#include "distributed/declared/pieces.hpp"
#include "distributed/declared/transfer.hpp"
#include "distributed/redistribute/distribute.hpp"
#include "distributed/redistribute/migrate.hpp"
#include "rank_mesh.hpp"
#include "support.hpp"

namespace op2::core {
namespace {

using unit::Host;
using unit::RankMesh;
using unit::run_ranks;
using unit::thrown_by;

using Random = std::mt19937_64;
int below(Random &random, int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }
std::size_t as_size(long long n) { return static_cast<std::size_t>(n); }

constexpr int width = 3; // values of each element
double value_of(op_gindex element, int column, int version) {
  return 1000.0 * version + static_cast<double>(width * element + column);
}
std::vector<double> values(op_gindex first, op_gindex last, int version) {
  std::vector<double> out;
  for (op_gindex element = first; element < last; ++element)
    for (int column = 0; column < width; ++column) out.push_back(value_of(element, column, version));
  return out;
}

// Where maps lead.
op_gindex target_of(op_gindex element, int column, op_gindex targets) {
  return (5 * element + 3 * column + 1) % targets;
}

// A program on one rank. `shared` makes the same choices on all ranks.
class Program {
 public:
  Program(Communicator &ranks, Host &host, Declare how, unsigned seed)
      : shared(seed), ranks_(ranks), how_(how), rank_(ranks, host, how) {}

  Mesh &mesh() { return rank_.mesh; }
  int me() const { return ranks_.rank(); }

  // A set of so many elements, of which each rank declares a part of its own, some of them none.
  Set &declare_set(int size, const char *name) {
    std::vector<int> bounds = {0, size};
    for (int r = 1; r < ranks_.size(); ++r) bounds.push_back(below(shared, size + 1));
    std::sort(bounds.begin(), bounds.end());
    if (how_ == Declare::replicated) bounds.assign(bounds.size(), 0), bounds[as_size(me() + 1)] = size;
    if (how_ == Declare::root) bounds.assign(bounds.size(), size), bounds[0] = 0;
    first_.push_back(bounds[as_size(me())]);
    last_.push_back(bounds[as_size(me() + 1)]);
    return mesh().declare().set(last_.back() - first_.back(), name);
  }
  // What the program's arrays for this set are about: elements first ... last - 1.
  int first(const op_set_core &set) const { return first_[as_size(set.index)]; }
  int last(const op_set_core &set) const { return last_[as_size(set.index)]; }

  Map &declare_map(Set &from, Set &to, int dim, const char *name) {
    std::vector<int> entries;
    for (int element = first(from); element < last(from); ++element)
      for (int column = 0; column < dim; ++column)
        entries.push_back(static_cast<int>(target_of(element, column, to.global_size)));
    return mesh().declare().map(&from, &to, dim, entries.data(), name);
  }
  Dat &declare_dat(Set &set, const char *name, int version, bool temporary = false) {
    const std::vector<double> given = declared(set, version);
    Dat &dat = mesh().declare().dat(&set, width, "double", 0, given.data(), name, temporary);
    if (set.distributed) put_own(mesh(), dat, given.data()); // as op_decl_dat() does
    return dat;
  }
  std::vector<double> declared(const op_set_core &set, int version) const {
    return values(first(set), last(set), version);
  }

  void distribute_at_random() {
    const int kind = below(shared, 4), one = below(shared, ranks_.size());
    const std::uint64_t salt = shared();
    distribute(mesh(), [&](Mesh &mesh) {
      std::vector<std::vector<int>> out;
      for (const auto &set : mesh.sets()) {
        out.emplace_back();
        for (const op_gindex element : set->global) {
          Random random(salt + static_cast<std::uint64_t>(element));
          out.back().push_back(kind == 0 ? one : below(random, ranks_.size()));
        }
        if ((salt >> set->index) % 5 == 0) out.back().clear(); // stays where it is
      }
      return out;
    });
  }
  // Each rank puts its own rows in another order.
  void reorder_at_random() {
    Random own(shared() + as_size(me()));
    std::vector<std::vector<int>> orders;
    for (const auto &set : mesh().sets()) {
      orders.emplace_back(as_size(set->size));
      std::iota(orders.back().begin(), orders.back().end(), 0);
      std::shuffle(orders.back().begin(), orders.back().end(), own);
      if (below(own, 4) == 0) orders.back().clear();
    }
    redistribute_in_order(mesh(), orders);
  }

  void expect_maps();
  void expect_declared_parts();
  void expect_values(Dat &dat, int version);
  void expect_puts(Dat &dat, int version);
  void expect_host_views(Dat &dat, int version);
  void expect_pieces(Dat &dat, int version);
  void expect_pieces_of_maps();

  Random shared;

 private:
  Communicator &ranks_;
  const Declare how_;
  RankMesh rank_;
  std::vector<int> first_, last_; // of each set
};

// Every owned element still leads to where it was declared to lead, and every element is owned once.
void Program::expect_maps() {
  for (const auto &set : mesh().sets()) {
    EXPECT_EQ(ranks_.sum(set->size), set->global_size);
    op_gindex sum = 0;
    for (const op_gindex element : own_numbers(*set)) sum += element;
    EXPECT_EQ(ranks_.sum(sum), set->global_size * (set->global_size - 1) / 2);
  }
  for (const auto &map : mesh().maps()) {
    const Set &from = *static_cast<const Set *>(map->from), &to = *static_cast<const Set *>(map->to);
    const std::vector<op_gindex> numbers = own_numbers(from), targets = own_targets(*map);
    ASSERT_EQ(targets.size(), numbers.size() * as_size(map->dim));
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const op_gindex element = numbers[i / as_size(map->dim)];
      ASSERT_EQ(targets[i], target_of(element, static_cast<int>(i % as_size(map->dim)), to.global_size)) << map->label;
    }
  }
}

void Program::expect_declared_parts() {
  for (const auto &set : mesh().sets()) {
    const std::vector<op_gindex> own = own_numbers(*set);
    std::vector<op_gindex> declared(as_size(set->declared_size), -1), back(own.size(), -1), wanted(declared.size());
    std::iota(wanted.begin(), wanted.end(), set->declared_first);
    rows_to_declared(mesh(), *set, own.data(), declared.data(), sizeof(op_gindex));
    EXPECT_EQ(declared, wanted) << set->label;
    rows_from_declared(mesh(), *set, declared.data(), back.data(), sizeof(op_gindex));
    EXPECT_EQ(back, own) << set->label;
  }
}

void Program::expect_values(Dat &dat, int version) {
  const Set &set = dat.on();
  std::vector<double> got(declared(set, 0).size(), -1);
  fetch_own(mesh(), dat, got.data());
  EXPECT_EQ(got, declared(set, version)) << dat.label;
  for (int i = 0; i < 3 && set.global_size > 0; ++i) {
    const op_gindex low = below(shared, static_cast<int>(set.global_size));
    const op_gindex high = low + below(shared, static_cast<int>(set.global_size - low));
    got.assign(as_size(width * (high + 1 - low)), -1);
    fetch_range(mesh(), dat, got.data(), low, high);
    EXPECT_EQ(got, values(low, high + 1, version)) << dat.label << ", elements " << low << " to " << high;
  }
}

void Program::expect_puts(Dat &dat, int version) {
  const Set &set = dat.on();
  put_own(mesh(), dat, declared(set, version).data());
  EXPECT_TRUE(dat.state.exec_stale() && dat.state.nonexec_stale());
  expect_values(dat, version);
  if (set.global_size == 0) return;
  const int size = static_cast<int>(set.global_size), low = below(shared, size), high = low + below(shared, size - low);
  put_range(mesh(), dat, values(low, high + 1, version + 1).data(), low, high);
  std::vector<double> all(as_size(width * size), -1), wanted = values(0, size, version);
  const std::vector<double> part = values(low, high + 1, version + 1);
  std::copy(part.begin(), part.end(), wanted.begin() + width * low);
  fetch_range(mesh(), dat, all.data(), 0, size - 1);
  EXPECT_EQ(all, wanted) << dat.label << " after elements " << low << " to " << high << " were put";
  put_own(mesh(), dat, declared(set, version).data());
}

void Program::expect_host_views(Dat &dat, int version) {
  const Set &set = dat.on();
  const std::size_t count = declared(set, 0).size();
  const auto open = [&](op_access access) { return static_cast<double *>(open_host_view(mesh(), dat, access)); };
  double *rows = open(OP_READ);
  EXPECT_EQ(std::vector<double>(rows, rows + count), declared(set, version));
  close_host_view(mesh(), dat);
  rows = open(OP_WRITE);
  std::ranges::copy(declared(set, version + 1), rows);
  close_host_view(mesh(), dat);
  expect_values(dat, version + 1);
  rows = open(OP_RW);
  for (std::size_t i = 0; i < count; ++i) rows[i] -= 1000.0;
  close_host_view(mesh(), dat);
  expect_values(dat, version);
}

// What files get and bring, in pieces of a few rows, and of more than there are.
void Program::expect_pieces(Dat &dat, int version) {
  const Set &set = dat.on();
  const std::vector<double> wanted = values(set.declared_first, set.declared_first + set.declared_size, version);
  for (const std::int64_t step : {3, 64}) {
    const Pieces pieces = pieces_of(set, step);
    const std::int64_t count = ranks_.max(pieces.count());
    put_own(mesh(), dat, declared(set, version + 1).data());
    for (std::int64_t n = 0; n < count; ++n)
      put_piece(mesh(), dat, step, n, reinterpret_cast<const char *>(wanted.data() + width * pieces[n].at));
    EXPECT_TRUE(dat.state.exec_stale() && dat.state.nonexec_stale());
    expect_values(dat, version);
    std::vector<double> got(wanted.size(), -1);
    DatPieces rows(mesh(), dat, step);
    std::int64_t all = 0;
    for (std::int64_t n = 0; n < count; all += pieces[n++].rows) {
      const char *const piece = rows.get(n);
      const auto *const values = reinterpret_cast<const double *>(piece); // those of no rows need not be anywhere
      std::copy_n(values, as_size(pieces[n].rows) * width, got.begin() + width * pieces[n].at);
    }
    EXPECT_EQ(all, set.declared_size);
    EXPECT_EQ(got, wanted) << dat.label << ", pieces of " << step;
  }
}

void Program::expect_pieces_of_maps() {
  for (const auto &map : mesh().maps()) {
    const Set &from = map->source();
    const std::int64_t step = 1 + below(shared, 9);
    const Pieces pieces = pieces_of(from, step);
    const std::int64_t count = ranks_.max(pieces.count());
    MapPieces entries(mesh(), *map, step);
    for (std::int64_t n = 0; n < count; ++n) {
      const std::vector<op_gindex> &got = entries.get(n);
      ASSERT_EQ(got.size(), as_size(pieces[n].rows * map->dim));
      for (std::size_t i = 0; i < got.size(); ++i) {
        const op_gindex element = from.declared_first + pieces[n].at + static_cast<op_gindex>(i) / map->dim;
        ASSERT_EQ(got[i], target_of(element, static_cast<int>(i) % map->dim, map->target().global_size)) << map->label;
      }
    }
  }
}

const char *name_of(Declare how) {
  return how == Declare::local ? "local" : how == Declare::root ? "root" : "replicated";
}

// All of it for each way to declare and several numbers of ranks.
class Declared : public testing::TestWithParam<std::tuple<Declare, int>> {
 protected:
  template <class Body>
  static void on_ranks(unsigned seeds, Body &&body) {
    const auto [how, processes] = GetParam();
    for (unsigned seed = 0; seed < seeds && !HasFailure(); ++seed) {
      SCOPED_TRACE(text("seed ", seed));
      run_ranks(processes, [&, how = how](Communicator &ranks, Host &host) {
        Program program(ranks, host, how, seed);
        body(program);
      });
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Of, Declared,
                         testing::Combine(testing::Values(Declare::local, Declare::replicated, Declare::root),
                                          testing::Values(1, 2, 3, 7)),
                         [](const auto &info) {
                           return text(name_of(std::get<0>(info.param)), std::get<1>(info.param));
                         });

struct Grid { // of any shape
  Set &cells, &nodes;
  Map &cell_nodes, &cell_cells;
  Dat &cell_data, &node_data;
  explicit Grid(Program &p)
      : cells(p.declare_set(1 + below(p.shared, 60), "cells")),
        nodes(p.declare_set(1 + below(p.shared, 40), "nodes")),
        cell_nodes(p.declare_map(cells, nodes, 4, "cell_nodes")),
        cell_cells(p.declare_map(cells, cells, 2, "cell_cells")),
        cell_data(p.declare_dat(cells, "cell_data", 1)),
        node_data(p.declare_dat(nodes, "node_data", 2)) {}
};

TEST_P(Declared, before_anything_moves) {
  on_ranks(5, [](Program &p) {
    const Grid grid(p);
    p.expect_declared_parts();
    p.expect_values(grid.cell_data, 1);
    p.expect_values(grid.node_data, 2);
    p.expect_puts(grid.cell_data, 3);
    p.expect_host_views(grid.cell_data, 3);
    p.expect_pieces(grid.cell_data, 3);
    p.expect_pieces_of_maps();
  });
}

TEST_P(Declared, after_elements_moved_again_and_again) {
  on_ranks(10, [](Program &p) {
    const Grid grid(p);
    for (int version = 5; version < 20; version += 5) {
      p.distribute_at_random();
      EXPECT_FALSE(needs_distribution(p.mesh()));
      if (p.mesh().several()) p.expect_maps();
      p.expect_declared_parts();
      p.expect_values(grid.cell_data, version == 5 ? 1 : version - 5);
      p.expect_values(grid.node_data, 2);
      p.expect_puts(grid.cell_data, version);
      p.expect_host_views(grid.node_data, 2);
      p.expect_pieces(grid.cell_data, version);
      p.expect_pieces_of_maps();
    }
  });
}

TEST_P(Declared, after_rows_changed_their_order) {
  on_ranks(10, [](Program &p) {
    const Grid grid(p);
    if (!p.mesh().several()) {
      std::vector<std::vector<int>> orders;
      for (const auto &set : p.mesh().sets()) {
        orders.emplace_back(as_size(set->size));
        std::iota(orders.back().begin(), orders.back().end(), 0);
        std::shuffle(orders.back().begin(), orders.back().end(), p.shared);
      }
      p.mesh().numbering().reorder(orders);
      p.expect_pieces(grid.cell_data, 1);
      return p.expect_pieces_of_maps();
    }
    p.distribute_at_random();
    for (int i = 0; i < 3; ++i) {
      p.reorder_at_random();
      p.expect_maps();
      p.expect_declared_parts();
      p.expect_values(grid.cell_data, 1);
      p.expect_puts(grid.node_data, 2);
      p.expect_pieces(grid.node_data, 2);
      p.expect_pieces_of_maps();
      if (i == 1) p.distribute_at_random();
    }
  });
}

// Maps from and to sets that are in parts already, whose rows are elsewhere by then: also on ranks that declared none
// of them, and on ranks that own none.
TEST_P(Declared, with_late_declarations) {
  on_ranks(20, [](Program &p) {
    const Grid grid(p);
    Dat &scratch = p.declare_dat(grid.cells, "scratch", 3, true);
    p.distribute_at_random();
    p.expect_values(scratch, 3);
    Dat &late_data = p.declare_dat(grid.nodes, "late_data", 4);
    p.expect_values(late_data, 4);
    p.mesh().declare().free_temporary(&scratch);
    EXPECT_FALSE(needs_distribution(p.mesh()));

    p.declare_map(grid.nodes, grid.cells, 3, "node_cells"); // between old sets
    EXPECT_EQ(needs_distribution(p.mesh()), p.mesh().several());
    if (below(p.shared, 2) == 0) distribute(p.mesh(), {});
    Set &edges = p.declare_set(below(p.shared, 50), "edges");
    p.declare_map(edges, grid.nodes, 2, "edge_nodes"); // to an old one
    if (edges.global_size > 0) p.declare_map(grid.cells, edges, 3, "cell_edges");
    Dat &edge_data = p.declare_dat(edges, "edge_data", 6);
    Dat &scratch_again = p.declare_dat(grid.cells, "scratch", 7, true);
    EXPECT_EQ(&scratch, &scratch_again);
    p.expect_values(edge_data, 6);
    for (int i = 0; i < 2; ++i) {
      if (i == 1 || below(p.shared, 2) == 0)
        p.distribute_at_random();
      else
        distribute(p.mesh(), {});
      EXPECT_FALSE(needs_distribution(p.mesh()));
      if (p.mesh().several()) p.expect_maps();
      p.expect_declared_parts();
      p.expect_values(grid.cell_data, 1);
      p.expect_values(grid.node_data, 2);
      p.expect_values(late_data, 4);
      p.expect_puts(edge_data, 6);
      p.expect_host_views(scratch_again, 7);
    }
  });
}

TEST_P(Declared, refuses_ranges_that_are_none) {
  on_ranks(1, [](Program &p) {
    const Grid grid(p);
    p.distribute_at_random();
    const op_gindex size = grid.cells.global_size;
    std::vector<double> any(as_size(width * size));
    using Range = std::pair<op_gindex, op_gindex>;
    for (const auto &[low, high] : {Range{-1, 0}, Range{0, size}, Range{1, 0}, Range{0, 1ll << 40}}) {
      const auto fetch = [&, low = low, high = high] { fetch_range(p.mesh(), grid.cell_data, any.data(), low, high); };
      EXPECT_EQ(thrown_by(fetch).code, OP_ERR_RANGE);
      const auto put = [&, low = low, high = high] { put_range(p.mesh(), grid.cell_data, any.data(), low, high); };
      EXPECT_EQ(thrown_by(put).code, OP_ERR_RANGE);
    }
    p.expect_values(grid.cell_data, 1);
  });
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
