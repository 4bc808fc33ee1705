// Changing meshes: rows of maps are replaced between loops, again and again, near and far, by one process or by all.
#include <algorithm>

#include "op2/change.h"
#include "suite.hpp"

namespace conformance {

using Changing = Topic;

namespace {

// The meshes of a body that changes them.
std::vector<Topology> meshes() {
  const int many = as_requested(25500);
  return {quads(3, 2), quads(40, 30), shuffled(quads(40, 30), 301), random_map(900, 1000, 4, 302),
          quads(50, many / 50)};
}

struct Rows {
  std::vector<op_gindex> elements, entries;
};

// Changes `count` elements from `first` on, of the mesh and of the map that was declared from it.
class Changed {
 public:
  Changed(Topology mesh, op_map map) : mesh_(std::move(mesh)), map_(map) {}
  const Topology &mesh() const { return mesh_; }

  enum class Passed { by_all, by_one, by_owners };
  template <class Entry>
  void rows(std::size_t first, std::size_t count, Passed passed, const Entry &entry) {
    const std::size_t dim = static_cast<std::size_t>(mesh_.dim), last = std::min(first + count, mesh_.elements());
    Rows out;
    const Part mine = own_part(mesh_.from);
    for (std::size_t n = last; n-- > first;) { // not in their order
      const bool here = static_cast<int>(n) >= mine.first && static_cast<int>(n) < mine.first + mine.size;
      const bool pass = passed == Passed::by_all || (passed == Passed::by_one ? op_is_root() != 0 : here);
      if (pass) out.elements.push_back(static_cast<op_gindex>(n));
      for (std::size_t c = 0; c < dim; ++c) {
        mesh_.table[n * dim + c] = static_cast<int>(entry(n, c) % mesh_.targets());
        if (pass) out.entries.push_back(mesh_.table[n * dim + c]);
      }
    }
    EXPECT_OK(op_put_map_rows(map_, static_cast<int>(out.elements.size()), out.elements.data(), out.entries.data()));
  }

 private:
  Topology mesh_;
  op_map map_;
};

// Loops that gather, add, count and look at numbers, before and after each change.
class Loops {
 public:
  Loops(const Changed &changed, op_set cells, op_set nodes, op_map map)
      : changed_(changed),
        cells_(cells),
        map_(map),
        x_(reals(changed.mesh().elements(), 310)),
        y_(reals(changed.mesh().targets(), 311)),
        sum_(std::vector<double>(changed.mesh().targets())),
        count_(changed.mesh().targets()),
        dx_(declare_dat(cells, 1, x_, "x")),
        dy_(declare_dat(nodes, 1, y_, "y")),
        dsum_(declare_dat(nodes, 1, std::vector<double>(changed.mesh().targets()), "sum")),
        dcount_(declare_dat(nodes, 1, std::vector<int>(changed.mesh().targets()), "count")),
        dseen_(declare_dat(cells, 2, std::vector<int>(2 * changed.mesh().elements()), "seen")) {}

  void round(Outcome &out) {
    const Topology &mesh = changed_.mesh();
    run([](const double *a, const double *b, double *c) { *c = *a + 2 * *b; }, "gather", cells_,
        through(map_, 0, dy_, OP_READ), through(map_, 3, dy_, OP_READ), direct(dx_, OP_WRITE));
    run([](const double *x, double *s, double *t) { *s += *x, *t += 0.5 * *x; }, "add", cells_, direct(dx_, OP_READ),
        through(map_, 1, dsum_, OP_INC), through(map_, 2, dsum_, OP_INC));
    double total = 0;
    run(
        [](const double *x, int **c, double *g) {
          ++*c[0], *c[1] += 10, *c[2] += 100;
          *g += *x;
        },
        "count", cells_, direct(dx_, OP_READ), rows(map_, 3, dcount_, OP_INC), global(&total, 1, OP_INC));
    run([](const int *a, const int *b, int *seen) { seen[0] = *a, seen[1] = *b; }, "look", cells_, op_arg_idx(0, map_),
        op_arg_idx(3, map_), direct(dseen_, OP_WRITE));
    Sums all(1);
    std::vector<int> seen;
    for (std::size_t n = 0; n < mesh.elements(); ++n) {
      x_[n] = y_[mesh.target(n, 0)] + 2 * y_[mesh.target(n, 3)];
      sum_.add(mesh.target(n, 1), x_[n]), sum_.add(mesh.target(n, 2), 0.5 * x_[n]);
      ++count_[mesh.target(n, 0)], count_[mesh.target(n, 1)] += 10, count_[mesh.target(n, 2)] += 100;
      all.add(0, x_[n]);
      seen.push_back(static_cast<int>(mesh.target(n, 0))), seen.push_back(static_cast<int>(mesh.target(n, 3)));
    }
    out.same("gathered", fetch<double>(dx_), x_);
    if (race() == "owner" || reproducible()) // which keep the order of seq on every mesh
      out.ordered_sums("sum", fetch<double>(dsum_), sum_);
    else
      out.sums("sum", fetch<double>(dsum_), sum_);
    out.same("count", fetch<int>(dcount_), count_);
    out.sums("total", std::vector<double>{total}, all);
    out.same("seen", fetch<int>(dseen_), seen);
  }

 private:
  const Changed &changed_;
  op_set cells_;
  op_map map_;
  std::vector<double> x_, y_;
  Sums sum_;
  std::vector<int> count_;
  op_dat dx_, dy_, dsum_, dcount_, dseen_;
};

struct World {
  op_set cells, nodes;
  op_map map;
  Changed changed;
  Loops loops;
  explicit World(const Topology &mesh)
      : cells(declare_set(mesh.from, "cells")),
        nodes(declare_set(mesh.to, "nodes")),
        map(declare_map(cells, nodes, mesh)),
        changed(mesh, map),
        loops(changed, cells, nodes, map) {}
};

} // namespace

TEST_F(Changing, RowsNearby) {
  compare_on_meshes(meshes(), [](const Topology &mesh, Outcome &out) {
    World world(mesh);
    world.loops.round(out);
    for (std::size_t round = 0; round < 4; ++round) {
      const Topology before = world.changed.mesh();
      world.changed.rows(7 + 3 * round, 1 + mesh.elements() / 50, Changed::Passed::by_all,
                         [&](std::size_t n, std::size_t c) { return before.target(n, c) + 1; });
      world.loops.round(out);
    }
  });
}

TEST_F(Changing, RowsAnywhere) {
  compare_on_meshes(meshes(), [](const Topology &mesh, Outcome &out) {
    World world(mesh);
    const Changed::Passed ways[] = {Changed::Passed::by_one, Changed::Passed::by_owners, Changed::Passed::by_all};
    Random random(320);
    for (std::size_t round = 0; round < 4; ++round) { // the first change comes before the first loop
      const std::size_t first = static_cast<std::size_t>(random.below(mesh.from));
      world.changed.rows(first, 1 + mesh.elements() / 10, ways[round % 3],
                         [&](std::size_t, std::size_t) { return static_cast<std::size_t>(random.below(mesh.to)); });
      world.loops.round(out);
    }
    world.changed.rows(0, mesh.elements(), Changed::Passed::by_owners,
                       [&](std::size_t n, std::size_t c) { return mesh.target(n, c); });
    world.loops.round(out);
  });
}

TEST_F(Changing, NothingAndTheSameRows) {
  compare_on_meshes({quads(40, 30)}, [](const Topology &mesh, Outcome &out) {
    World world(mesh);
    world.loops.round(out);
    EXPECT_OK(op_put_map_rows(world.map, 0, nullptr, nullptr));
    world.loops.round(out);
    world.changed.rows(0, 30, Changed::Passed::by_all, [&](std::size_t n, std::size_t c) { return mesh.target(n, c); });
    world.loops.round(out);
  });
}

// A mesh is refined: each cell becomes four, and some new cells have no parent.
TEST_F(Changing, DataOnAFinerMesh) {
  const Topology fine = quads(80, 62);
  compare_on_meshes({quads(40, 30), shuffled(quads(40, 30), 330)}, [&fine](const Topology &mesh, Outcome &out) {
    World world(mesh);
    std::vector<int> mark = counted(mesh.elements());
    std::vector<double> mass = reals(2 * mesh.elements(), 331);
    const op_dat dmark = declare_dat(world.cells, 1, mark, "mark"), dmass = declare_dat(world.cells, 2, mass, "mass");
    run([](int *m, double *w) { *m += 7, w[0] *= 3, w[1] += 1; }, "before", world.cells, direct(dmark, OP_RW),
        direct(dmass, OP_RW));
    for (int &m : mark) m += 7;
    for (std::size_t n = 0; n < mesh.elements(); ++n) mass[2 * n] *= 3, mass[2 * n + 1] += 1;

    const op_set cells = declare_set(fine.from, "fine_cells"), nodes = declare_set(fine.to, "fine_nodes");
    const op_map map = declare_map(cells, nodes, fine, "fine");
    std::vector<op_gindex> parents;
    std::vector<double> weights;
    for (int n = 0; n < fine.from; ++n) {
      const int x = n % 80, y = n / 80;
      parents.push_back(y < 60 ? y / 2 * 40 + x / 2 : -1);
      weights.push_back(x % 2 == 0 ? 0.75 : y % 2 == 0 ? 2.5 : 0); // a whole power of two for each parent
    }
    const op_dat new_mark = declare_dat(cells, 1, std::vector<int>(fine.elements()), "fine_mark"),
                 equal = declare_dat(cells, 2, std::vector<double>(2 * fine.elements()), "equal"),
                 unequal = declare_dat(cells, 2, std::vector<double>(2 * fine.elements()), "unequal");
    const std::size_t first = static_cast<std::size_t>(own_part(fine.from).first);
    const int none = -5;
    EXPECT_OK(op_carry(dmark, new_mark, parents.data() + first, OP_CARRY_VALUES, nullptr, &none));
    EXPECT_OK(op_carry(dmass, equal, parents.data() + first, OP_CARRY_SUMS, nullptr, nullptr));
    EXPECT_OK(op_carry(dmass, unequal, parents.data() + first, OP_CARRY_SUMS, weights.data() + first, nullptr));
    run([](int *m, double *e) { ++*m, e[0] *= 2; }, "after", cells, direct(new_mark, OP_RW), direct(equal, OP_RW));
    std::vector<int> at_nodes(fine.targets());
    const op_dat dnodes = declare_dat(nodes, 1, at_nodes, "at_nodes");
    run([](const int *m, int *a, int *b) { *a += *m, *b += *m; }, "spread", cells, direct(new_mark, OP_READ),
        through(map, 0, dnodes, OP_INC), through(map, 2, dnodes, OP_INC));
    std::vector<int> expected_mark;
    std::vector<double> expected_equal, expected_unequal;
    for (std::size_t n = 0; n < fine.elements(); ++n) {
      const bool has = parents[n] >= 0;
      const std::size_t parent = static_cast<std::size_t>(has ? parents[n] : 0);
      expected_mark.push_back(has ? mark[parent] + 1 : none + 1);
      for (std::size_t d = 0; d < 2; ++d) {
        const double value = has ? mass[2 * parent + d] : 0;
        expected_equal.push_back(value / 4 * (d == 0 ? 2 : 1));
        expected_unequal.push_back(value * (weights[n] / 4));
      }
      at_nodes[fine.target(n, 0)] += expected_mark[n], at_nodes[fine.target(n, 2)] += expected_mark[n];
    }
    out.same("mark", fetch<int>(new_mark), expected_mark);
    out.same("equal shares", fetch<double>(equal), expected_equal);
    out.same("unequal shares", fetch<double>(unequal), expected_unequal);
    out.same("at nodes", fetch<int>(dnodes), at_nodes);
    out.same("the old data", fetch<double>(dmass), mass);
  });
}

TEST_F(Changing, ValuesThatCannotBeDivided) {
  const Session session;
  const op_set cells = declare_set(4, "cells"), fine = declare_set(6, "fine");
  const Topology mesh = random_map(4, 6, 2, 340);
  EXPECT_NE(nullptr, declare_map(cells, fine, mesh)); // tells how several processes declare
  const op_dat mass = declare_dat(cells, 1, std::vector<double>{1, 2, 4, 8}, "mass");
  const op_dat shares = declare_dat(fine, 1, std::vector<double>(6, 5.0), "shares");
  const std::size_t first = static_cast<std::size_t>(own_part(6).first);
  const std::vector<op_gindex> childless = {0, 0, 1, 1, 3, 3}, all = {0, 0, 1, 1, 2, 3};
  EXPECT_STATUS(OP_ERR_ARGUMENT, op_carry(mass, shares, childless.data() + first, OP_CARRY_SUMS, nullptr, nullptr));
  const std::vector<double> nothing = {1, 1, 0, 0, 1, 1}, some = {1, 3, 0, 1, 1, 1};
  EXPECT_STATUS(OP_ERR_ARGUMENT,
                op_carry(mass, shares, all.data() + first, OP_CARRY_SUMS, nothing.data() + first, nullptr));
  EXPECT_EQ(std::vector<double>(6, 5.0), fetch<double>(shares));
  EXPECT_OK(op_carry(mass, shares, childless.data() + first, OP_CARRY_VALUES, nullptr, nullptr));
  EXPECT_EQ((std::vector<double>{1, 1, 2, 2, 8, 8}), fetch<double>(shares));
  EXPECT_OK(op_carry(mass, shares, all.data() + first, OP_CARRY_SUMS, some.data() + first, nullptr));
  EXPECT_EQ((std::vector<double>{0.25, 0.75, 0, 2, 4, 8}), fetch<double>(shares));
}

} // namespace conformance
// SPDX-License-Identifier: MIT
