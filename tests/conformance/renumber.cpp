// Renumbering: whatever order the library keeps, a program sees its own. Loops, transfers, windows, numbers of elements
// and later declarations on meshes that are renumbered by the program, before and after loops have run.
#include <algorithm>
#include <functional>
#include <numeric>

#include "op2/heads.h"
#include "op2/info.h"
#include "op2/order.h"
#include "op2/reduction.h"
#include "suite.hpp"

namespace conformance {

using Renumbering = Topic;

namespace {

Session with(const char *setting) { return Session(std::vector<std::string>{setting}); }

// Meshes in a bad order, of which the last has more than one block of elements.
std::vector<Topology> bad_meshes() {
  const int many = as_requested(25500);
  return {shuffled(quads(3, 2), 200), shuffled(quads(40, 30), 201), random_map(900, 1000, 3, 202),
          shuffled(quads(50, many / 50), 203)};
}

// The mesh and data of most bodies; renumbered where the body says so.
struct World {
  const Topology &mesh;
  op_set cells, nodes;
  op_map map;
  std::vector<double> x, y;
  op_dat dx, dy;

  explicit World(const Topology &topology)
      : mesh(topology),
        cells(declare_set(mesh.from, "cells")),
        nodes(declare_set(mesh.to, "nodes")),
        map(declare_map(cells, nodes, mesh)),
        x(reals(2 * mesh.elements(), 210)),
        y(reals(2 * mesh.targets(), 211)),
        dx(declare_dat(cells, 2, x, "x")),
        dy(declare_dat(nodes, 2, y, "y")) {}

  void renumber() const { EXPECT_OK(op_renumber(map)); }
  bool renumbered(op_set set) const {
    std::vector<int> order(static_cast<std::size_t>(op_get_size_local(set)));
    EXPECT_OK(op_get_order(set, order.data()));
    std::vector<int> sorted = order;
    std::ranges::sort(sorted);
    if (processes() == 1) {
      EXPECT_EQ(counted(order.size()), sorted); // each number once
    }
    EXPECT_EQ(sorted.end(), std::adjacent_find(sorted.begin(), sorted.end()));
    return order != sorted;
  }

  // Nothing is incremented: bits. Cells take from nodes.
  void gather(Outcome &out) {
    run([](const double *a, const double *b, double *c) { c[0] = a[0] + 2 * b[1], c[1] -= a[1] * b[0]; }, "gather",
        cells, through(map, 0, dy, OP_READ), through(map, 2, dy, OP_READ), direct(dx, OP_RW));
    for (std::size_t n = 0; n < mesh.elements(); ++n) {
      const double *const a = &y[2 * mesh.target(n, 0)], *const b = &y[2 * mesh.target(n, 2)];
      x[2 * n] = a[0] + 2 * b[1], x[2 * n + 1] -= a[1] * b[0];
    }
    out.same("gathered", fetch<double>(dx), x);
  }
  // Cells add to nodes.
  void scatter(Outcome &out) {
    const op_dat dsum = declare_dat(nodes, 1, std::vector<double>(mesh.targets()), "sum"),
                 dcount = declare_dat(nodes, 1, std::vector<int>(mesh.targets()), "count");
    double total = 0;
    run(
        [](const double *a, double *s, double *t, int **c, double *g) {
          *s += a[0], *t += a[1], *g += a[0];
          ++*c[0], ++*c[1];
        },
        "scatter", cells, direct(dx, OP_READ), through(map, 0, dsum, OP_INC), through(map, 1, dsum, OP_INC),
        rows(map, 2, dcount, OP_INC), global(&total, 1, OP_INC));
    Sums sum(mesh.targets()), wanted_total(1);
    std::vector<int> count(mesh.targets());
    for (std::size_t n = 0; n < mesh.elements(); ++n) {
      sum.add(mesh.target(n, 0), x[2 * n]), sum.add(mesh.target(n, 1), x[2 * n + 1]);
      wanted_total.add(0, x[2 * n]);
      ++count[mesh.target(n, 0)], ++count[mesh.target(n, 1)];
    }
    out.sums("sum", fetch<double>(dsum), sum);
    out.sums<double>("total", {total}, wanted_total);
    out.same("count", fetch<int>(dcount), count);
  }
  // The numbers of elements, as the program counts them.
  void number(Outcome &out) {
    const op_dat down = declare_dat(cells, 2, std::vector<int>(2 * mesh.elements()), "own");
    run([](const int *own, const int *to, int *p) { p[0] = *own, p[1] = *to; }, "number", cells, op_arg_idx(-1, OP_ID),
        op_arg_idx(1, map), direct(down, OP_WRITE));
    out.same("numbers", fetch<int>(down), numbers());
  }
  std::vector<int> numbers() const {
    std::vector<int> out;
    for (std::size_t n = 0; n < mesh.elements(); ++n)
      out.push_back(static_cast<int>(n)), out.push_back(static_cast<int>(mesh.target(n, 1)));
    return out;
  }
  void everything(Outcome &out) {
    gather(out);
    scatter(out);
    number(out);
  }
};

void on_bad_meshes(const std::function<void(World &, Outcome &)> &body) {
  compare_on_meshes(bad_meshes(), [&](const Topology &mesh, Outcome &out) {
    World world(mesh);
    body(world, out);
  });
}

} // namespace

TEST_F(Renumbering, LoopsGiveTheSameResults) {
  on_bad_meshes([](World &w, Outcome &out) {
    w.renumber();
    EXPECT_TRUE(processes() > 1 || w.renumbered(w.nodes));
    EXPECT_TRUE(processes() > 1 || w.renumbered(w.cells));
    w.everything(out);
  });
}

TEST_F(Renumbering, AfterLoopsHaveRunAndAgain) {
  on_bad_meshes([](World &w, Outcome &out) {
    w.everything(out);
    w.renumber();
    w.everything(out);
    op_renumber_params params = OP_RENUMBER_PARAMS;
    params.strategy = "separate";
    EXPECT_OK(op_renumber_with(&params));
    w.everything(out);
    w.renumber();
    w.everything(out);
  });
}

TEST_F(Renumbering, FetchAndPutInTheOrderOfTheDeclaration) {
  on_bad_meshes([](World &w, Outcome &out) {
    w.renumber();
    out.same("as declared", fetch<double>(w.dy), w.y);
    const Part part = fetched_part(w.mesh.to);
    const std::vector<double> before = w.y;
    std::vector<double> own(2 * static_cast<std::size_t>(part.size));
    EXPECT_OK(op_fetch_data(w.dy, own.data()));
    EXPECT_TRUE(std::equal(own.begin(), own.end(), w.y.begin() + 2 * part.first));
    const int low = w.mesh.to / 3, high = w.mesh.to / 2;
    std::vector<double> some(2 * static_cast<std::size_t>(high - low + 1));
    EXPECT_OK(op_fetch_data_idx(w.dy, some.data(), low, high));
    EXPECT_TRUE(std::equal(some.begin(), some.end(), w.y.begin() + 2 * low));
    w.gather(out); // the copy of an executor with its own memory is in use

    for (double &value : some) value = 3 - value;
    EXPECT_OK(op_put_data_idx(w.dy, some.data(), low, high));
    std::ranges::copy(some, w.y.begin() + 2 * low);
    out.same("partly put", fetch<double>(w.dy), w.y);
    w.gather(out);
    w.y = reals(w.y.size(), 212);
    EXPECT_OK(op_put_data_all(w.dy, w.y.data()));
    out.same("put", fetch<double>(w.dy), w.y);
    for (double &value : own) value *= 2;
    EXPECT_OK(op_put_data(w.dy, own.data())); // every process its part
    for (std::size_t i = 0; i < before.size(); ++i) w.y[i] = 2 * before[i];
    w.everything(out);
  });
}

TEST_F(Renumbering, WindowsInTheOrderOfTheDeclaration) {
  on_bad_meshes([](World &w, Outcome &out) {
    w.renumber();
    const Part part = own_part(w.mesh.to);
    const std::size_t first = 2 * static_cast<std::size_t>(part.first),
                      last = first + 2 * static_cast<std::size_t>(part.size);
    for (const op_access access : {OP_READ, OP_RW, OP_WRITE}) {
      double *const window = static_cast<double *>(op_dat_acquire(w.dy, access));
      ASSERT_NE(nullptr, window) << op_last_error();
      for (std::size_t i = 0; i < w.y.size(); ++i) { // other processes do it to theirs
        double *const mine = i >= first && i < last ? window + (i - first) : nullptr;
        if (mine && access != OP_WRITE) {
          ASSERT_EQ(w.y[i], *mine);
        }
        if (access != OP_READ) w.y[i] = 0.5 * w.y[i] + static_cast<double>(i % 7);
        if (mine) *mine = access == OP_READ ? 99 : w.y[i]; // not written back: it is a copy
      }
      EXPECT_OK(op_dat_release(w.dy));
      out.same("after the window", fetch<double>(w.dy), w.y);
    }
    w.gather(out);
  });
}

TEST_F(Renumbering, NotWhileAWindowIsOpen) {
  const Topology mesh = shuffled(quads(20, 20), 204);
  const Session session = with("OP2_RENUMBER=off");
  World w(mesh);
  double *const window = static_cast<double *>(op_dat_acquire(w.dy, OP_RW));
  ASSERT_NE(nullptr, window) << op_last_error();
  EXPECT_STATUS(OP_ERR_STATE, op_renumber(w.map));
  EXPECT_FALSE(processes() == 1 && w.renumbered(w.nodes));
  w.y[0] = 5;
  if (own_part(mesh.to).first == 0) window[0] = 5;
  EXPECT_OK(op_dat_release(w.dy));
  EXPECT_EQ(w.y, fetch<double>(w.dy));
  EXPECT_OK(op_renumber(w.map));
  EXPECT_TRUE(processes() > 1 || w.renumbered(w.nodes));
}

TEST_F(Renumbering, WhatIsDeclaredLater) {
  on_bad_meshes([](World &w, Outcome &out) {
    w.renumber();
    World later(w.mesh); // other sets
    later.everything(out);
    std::vector<int> seen(w.mesh.targets());
    const op_dat dseen = declare_dat(later.nodes, 1, seen, "seen");
    const auto see = [&] {
      run([](int *n) { ++*n; }, "see", later.cells, through(later.map, 1, dseen, OP_INC));
      for (std::size_t n = 0; n < w.mesh.elements(); ++n) ++seen[w.mesh.target(n, 1)];
      out.same("seen", fetch<int>(dseen), seen);
    };
    see();
    // Maps and data on the sets that were renumbered, in both directions, and of both widths of numbers.
    const Topology back = random_map(w.mesh.to, w.mesh.from, 2, 213);
    const op_map dback = declare_map(w.nodes, w.cells, back, "back");
    const std::vector<long long> wide(w.mesh.table.begin(), w.mesh.table.end());
    const op_map again =
        op_decl_map_long(w.cells, w.nodes, w.mesh.dim, wide.data() + own_part(w.mesh.from).first * w.mesh.dim, "again");
    const op_map round = op_map_compose(dback, again, "round");
    ASSERT_TRUE(again && round) << op_last_error();
    const std::vector<int> id = counted(w.mesh.targets());
    const op_dat did = declare_dat(w.nodes, 1, id, "id"),
                 dsum = declare_dat(w.nodes, 2, std::vector<int>(2 * id.size()), "sum"),
                 scratch = op_decl_dat_temp(w.cells, 1, "int", "scratch");
    run([](const int *p, int *s) { *s = *p; }, "down", w.cells, through(again, 1, did, OP_READ),
        direct(scratch, OP_WRITE));
    run([](const int *a, const int *b, const int *n, int *s) { s[0] = *a - *b, s[1] = *n; }, "up", w.nodes,
        through(dback, 1, scratch, OP_READ), through(round, w.mesh.dim + 1, did, OP_READ), op_arg_idx(2, round),
        direct(dsum, OP_WRITE));
    std::vector<int> wanted;
    for (std::size_t n = 0; n < id.size(); ++n)
      wanted.push_back(0), wanted.push_back(static_cast<int>(w.mesh.target(back.target(n, 0), 2)));
    out.same("round", fetch<int>(dsum), wanted);
    EXPECT_OK(op_free_dat_temp(scratch));
    w.renumber(); // with a freed dat about
    w.everything(out);
    see(); // a loop that is still there, with its plan
  });
}

TEST_F(Renumbering, PayloadsBelongToTheirElement) {
  on_bad_meshes([](World &w, Outcome &out) {
    w.renumber();
    std::vector<int> height = counted(w.mesh.elements()); // all different
    std::rotate(height.begin(), height.begin() + w.mesh.from / 3, height.end());
    const op_dat dheight = declare_dat(w.cells, 1, height, "height");
    int most = -1, least = 1 << 30, at_most = -1, at_least = -1;
    run(
        [](const int *h, const int *n, int *p, int *m, int *wm, int *l, int *wl) {
          ++*p;
          if (*m < *h) *m = *h, *wm = *n;
          if (*h < *l) *l = *h, *wl = *n;
        },
        "extrema", w.cells, direct(dheight, OP_READ), op_arg_idx(-1, OP_ID),
        through(w.map, 0, declare_dat(w.nodes, 1, std::vector<int>(w.mesh.targets()), "visits"), OP_INC),
        global(&most, 1, OP_MAX), op_arg_payload(&at_most, 1, "int", 3), global(&least, 1, OP_MIN),
        op_arg_payload(&at_least, 1, "int", 5));
    const auto [low, high] = std::ranges::minmax_element(height);
    out.same<int>("extrema", {most, at_most, least, at_least},
                  {*high, static_cast<int>(high - height.begin()), *low, static_cast<int>(low - height.begin())});
  });
}

TEST_F(Renumbering, EveryMethodAndStrategy) {
  const auto there = [] {
    const Session session;
    std::vector<char> text(static_cast<std::size_t>(op_info(nullptr, 0)) + 1);
    op_info(text.data(), text.size());
    return std::string(text.data()).find("  part scotch") != std::string::npos;
  }();
  std::vector<const char *> methods = {nullptr, "auto", "rcm", "hilbert"};
  if (there) methods.push_back("scotch");
  for (const char *method : methods)
    for (const char *strategy : {static_cast<const char *>(nullptr), "follow", "separate"}) {
      SCOPED_TRACE(testing::Message() << (method ? method : "NULL") << ", " << (strategy ? strategy : "NULL"));
      on_bad_meshes([&](World &w, Outcome &out) {
        op_renumber_params params = OP_RENUMBER_PARAMS;
        params.method = method;
        params.strategy = strategy;
        if (method && method == std::string("hilbert")) params.coordinates = w.dy;
        EXPECT_OK(op_renumber_with(&params));
        EXPECT_TRUE(processes() > 1 || w.renumbered(w.nodes));
        w.everything(out);
      });
    }
  if (!there) GTEST_SKIP() << "not tried: method scotch, whose plugin is not installed";
}

// Range functions: one that takes numbers from where the library says, and one that counts for itself.
namespace {

void number_kernel(const int *own, const int *to, int *p) { p[0] = *own, p[1] = *to; }
OP_RANGE_FN(number_by_kind, number_kernel(OP_INDEX(), OP_INDEX_VIA(1), OP_DIRECT(2, int, 2)))
void number_by_counter(const op_range_ctx *ctx, int begin, int end) {
  for (std::ptrdiff_t n = begin; n < end; ++n) {
    const int number = static_cast<int>(n);
    number_kernel(&number, ctx->args[1].map + n * ctx->args[1].map_stride,
                  reinterpret_cast<int *>(ctx->args[2].base) + 2 * n);
  }
}

} // namespace

TEST_F(Renumbering, RangeFunctionsThatCountElements) {
  FOR_ONE_PROCESS("a range function that counts elements itself runs on one process only");
  const op_kernel_fn kernel = reinterpret_cast<op_kernel_fn>(number_kernel);
  struct Form {
    op_kernel_fn element;
    op_range_fn range;
    int flags;
    bool restored; // nothing but the order of the declaration makes it right
  };
  for (const Form &form : {Form{kernel, number_by_kind, OP_SITE_INDEX_BY_KIND, false},
                           Form{nullptr, number_by_kind, OP_SITE_INDEX_BY_KIND, false},
                           Form{kernel, number_by_counter, 0, false}, Form{nullptr, number_by_counter, 0, true}})
    on_bad_meshes([&](World &w, Outcome &out) {
      w.renumber();
      w.everything(out);
      const op_dat down = declare_dat(w.cells, 2, std::vector<int>(2 * w.mesh.elements(), -1), "own");
      const op_arg args[] = {op_arg_idx(-1, OP_ID), op_arg_idx(1, w.map), direct(down, OP_WRITE)};
      op_loop_site site = OP_LOOP_SITE(form.element, form.range, "number");
      site.flags = form.flags;
      for (int pass = 0; pass < 2; ++pass) EXPECT_OK(op_par_loop_site(&site, "number", w.cells, 3, args));
      out.same("numbers", fetch<int>(down), w.numbers());
      EXPECT_EQ(!form.restored, w.renumbered(w.cells));
      w.everything(out);
    });
}

// ---- by itself -----------------------------------------------------------------------------------------------------

namespace {

struct Automatic {
  Topology mesh;
  World world;
  Automatic(Topology topology) : mesh(std::move(topology)), world(mesh) {}
  bool renumbers() {
    Outcome out;
    EXPECT_FALSE(processes() == 1 && world.renumbered(world.nodes)) << "before the first loop";
    world.everything(out);
    return world.renumbered(world.nodes);
  }
};

} // namespace

TEST_F(Renumbering, ByItselfWhenTheOrderIsBad) {
  FOR_ONE_PROCESS("several processes have other orders");
  if (reproducible()) GTEST_SKIP() << "OP2_REPRODUCIBLE=1 renumbers nothing by itself";
  const Session session = with("OP2_RENUMBER=auto");
  EXPECT_TRUE(Automatic(shuffled(quads(170, 150), 205)).renumbers());
}

TEST_F(Renumbering, NotByItselfWhenTheOrderIsGood) {
  const Session session = with("OP2_RENUMBER=auto");
  EXPECT_FALSE(Automatic(quads(170, 150)).renumbers());
}

TEST_F(Renumbering, NotByItselfWhenTheMeshIsSmall) {
  const Session session = with("OP2_RENUMBER=auto");
  EXPECT_FALSE(Automatic(shuffled(quads(100, 100), 206)).renumbers());
}

// Elements lead to few rows at random, in the order of these rows: the search finds nothing that pays.
TEST_F(Renumbering, NotByItselfWhenNoOrderIsBetter) {
  const Session session = with("OP2_RENUMBER=auto");
  Topology mesh = random_map(60000, 60000, 1, 207);
  std::ranges::sort(mesh.table);
  std::vector<int> rows;
  for (const int row : mesh.table) rows.insert(rows.end(), 4, row);
  EXPECT_FALSE(Automatic({"sorted", 60000, 60000, 4, rows}).renumbers());
}

TEST_F(Renumbering, NotByItselfWhenSwitchedOff) {
  const Session session = with("OP2_RENUMBER=off");
  EXPECT_FALSE(Automatic(shuffled(quads(170, 150), 208)).renumbers());
}

TEST_F(Renumbering, AlwaysWhateverTheOrder) {
  const Session session = with("OP2_RENUMBER=always");
  EXPECT_TRUE(Automatic(shuffled(quads(20, 20), 209)).renumbers()); // enough of it on each of several processes
}

TEST_F(Renumbering, NotWhenTheProgramKeepsItsOrder) {
  op_init_params params = OP_INIT_PARAMS;
  params.flags = OP_KEEP_ORDER;
  EXPECT_OK(op_init_with(&params));
  EXPECT_FALSE(Automatic(shuffled(quads(170, 150), 205)).renumbers());
}

namespace {

void last_one(void *into, const void *from, int dim) { // associative, and it depends on the order
  for (int i = 0; i < dim; ++i)
    if (static_cast<const int *>(from)[i] >= 0) static_cast<int *>(into)[i] = static_cast<const int *>(from)[i];
}

int last_cell(const World &w) {
  const int nobody = -1;
  const op_reduction last = op_decl_reduction("last", "int", sizeof(int), last_one, &nobody);
  const op_dat did = declare_dat(w.cells, 1, counted(w.mesh.elements()), "id");
  int found = -1;
  run([](const int *id, int *l) { *l = *id; }, "last", w.cells, direct(did, OP_READ),
      op_arg_gbl_reduce(&found, 1, "int", last));
  return found;
}

} // namespace

// Reductions of the program's own run in the order of the declaration, unless the program asked for another.
TEST_F(Renumbering, ReductionsOfTheProgramsOwn) {
  FOR_ONE_PROCESS("several processes run elements in an order of their own");
  if (reproducible()) GTEST_SKIP() << "OP2_REPRODUCIBLE=1 renumbers nothing by itself";
  const Session session = with("OP2_RENUMBER=auto");
  Automatic later(shuffled(quads(170, 150), 205));
  EXPECT_TRUE(later.renumbers());
  EXPECT_EQ(later.mesh.from - 1, last_cell(later.world));
  EXPECT_FALSE(later.world.renumbered(later.world.nodes)); // back again
  Outcome out;
  later.world.everything(out);
}

TEST_F(Renumbering, ReductionsThatAreKnownBefore) {
  FOR_ONE_PROCESS("several processes run elements in an order of their own");
  const Session session = with("OP2_RENUMBER=auto");
  Automatic mesh(shuffled(quads(170, 150), 205));
  EXPECT_EQ(mesh.mesh.from - 1, last_cell(mesh.world));
  EXPECT_FALSE(mesh.renumbers());
}

// The heads show the library's order, and op_get_order() tells which it is.
TEST_F(Renumbering, HeadsShowTheOrderThatIsTold) {
  FOR_ONE_PROCESS("each process shows the rows it owns");
  const Topology mesh = shuffled(quads(30, 20), 214);
  const Session session = with("OP2_RENUMBER=off");
  World w(mesh);
  int *const entries = w.map->map;
  char *const data = w.dx->data;
  w.renumber();
  EXPECT_EQ(entries, w.map->map); // pointers to them stay
  EXPECT_EQ(data, w.dx->data);
  std::vector<int> cells(mesh.elements()), nodes(mesh.targets());
  EXPECT_OK(op_get_order(w.cells, cells.data()));
  EXPECT_OK(op_get_order(w.nodes, nodes.data()));
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::size_t n = static_cast<std::size_t>(cells[i]);
    for (std::size_t j = 0; j < 4; ++j)
      EXPECT_EQ(mesh.target(n, j), static_cast<std::size_t>(nodes[static_cast<std::size_t>(entries[4 * i + j])]));
    double row[2];
    std::memcpy(row, data + i * sizeof row, sizeof row);
    EXPECT_EQ(w.x[2 * n], row[0]);
    EXPECT_EQ(w.x[2 * n + 1], row[1]);
  }
}

} // namespace conformance

// SPDX-License-Identifier: MIT
