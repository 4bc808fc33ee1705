// Calls of loops: the plain function, call sites, and what is remembered from one call to the next.
#include <cstring>

#include "op2/fortran_support.h"
#include "op2/reduction.h"
#include "suite.hpp"

namespace conformance {

using Sites = Topic;

void add_rows(const double *a, double *b) { *b += *a; }
void subtract_rows(const double *a, double *b) { *b -= *a; }

// One place in the program that is called with different kernels, sets and dats.
op_status run_here(void (*kernel)(const double *, double *), const char *name, op_set set, const op_arg &from,
                   const op_arg &to) {
  static op_loop_site site = OP_LOOP_SITE(nullptr, nullptr, "kernel");
  site.element = reinterpret_cast<op_kernel_fn>(kernel);
  const op_arg args[] = {from, to};
  return op_par_loop_site(&site, name, set, 2, args);
}

TEST_F(Sites, OnePlaceManyLoops) {
  compare([](Outcome &out) {
    const Topology mesh = quads(50, 50);
    const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
    const Topology elsewhere = shuffled(mesh, 203);
    const op_map map = declare_map(cells, nodes, mesh), other = declare_map(cells, nodes, elsewhere);
    const std::vector<double> ones(mesh.elements(), 1), tens(mesh.elements(), 10), hundreds(mesh.targets(), 100);
    std::vector<double> p(mesh.elements()), q(mesh.elements()), r(mesh.targets());
    const op_dat done = declare_dat(cells, 1, ones, "x"), dten = declare_dat(cells, 1, tens, "x"),
                 dhundred = declare_dat(nodes, 1, hundreds, "x"), dp = declare_dat(cells, 1, p, "y"),
                 dq = declare_dat(cells, 1, q, "y"), dr = declare_dat(nodes, 1, r, "y");
    for (int step = 0; step < 3; ++step) {
      EXPECT_OK(run_here(add_rows, "add", cells, direct(done, OP_READ), direct(dp, OP_INC)));
      EXPECT_OK(run_here(add_rows, "add", cells, direct(dten, OP_READ), direct(dp, OP_INC))); // another dat read
      EXPECT_OK(run_here(add_rows, "add", cells, direct(dten, OP_READ), direct(dq, OP_INC))); // another dat written
      EXPECT_OK(run_here(add_rows, "add", cells, direct(done, OP_READ), direct(dq, OP_INC)));
      EXPECT_OK(run_here(subtract_rows, "add", cells, direct(done, OP_READ), direct(dq, OP_INC))); // another kernel
      EXPECT_OK(run_here(subtract_rows, "add", cells, direct(done, OP_READ), direct(dq, OP_INC)));
      EXPECT_OK(run_here(add_rows, "add", nodes, direct(dhundred, OP_READ), direct(dr, OP_INC)));      // another set
      EXPECT_OK(run_here(add_rows, "add", cells, direct(done, OP_READ), through(map, 0, dr, OP_INC))); // through a map
      EXPECT_OK(run_here(add_rows, "add", cells, direct(done, OP_READ),
                         through(map, 3, dr, OP_INC))); // through another column
      EXPECT_OK(run_here(add_rows, "add", cells, direct(done, OP_READ),
                         through(other, 3, dr, OP_INC))); // through another map
      for (std::size_t n = 0; n < p.size(); ++n) p[n] += 11, q[n] += 9;
      for (double &value : r) value += 100;
      for (std::size_t n = 0; n < p.size(); ++n) r[mesh.target(n, 0)] += 1, r[mesh.target(n, 3)] += 1;
      for (std::size_t n = 0; n < p.size(); ++n) r[elsewhere.target(n, 3)] += 1;
    }
    out.same("p", fetch<double>(dp), p);
    out.same("q", fetch<double>(dq), q);
    out.same("r", fetch<double>(dr), r);
  });
}

// Two reductions of one type at one place.
TEST_F(Sites, OnePlaceTwoReductions) {
  compare([](Outcome &out) {
    const op_set cells = declare_set(9000, "cells");
    const op_dat dx = declare_dat(cells, 1, whole<unsigned>(9000, 204, 0, 1000), "x");
    const unsigned zero = 0;
    const op_reduction plus = op_decl_reduction(
        "plus", "uint", sizeof zero,
        [](void *into, const void *from, int) {
          *static_cast<unsigned *>(into) += *static_cast<const unsigned *>(from);
        },
        &zero);
    const op_reduction bits = op_decl_reduction(
        "bits", "uint", sizeof zero,
        [](void *into, const void *from, int) {
          *static_cast<unsigned *>(into) |= *static_cast<const unsigned *>(from);
        },
        &zero);
    unsigned sum = 0, all = 1 << 20, wanted_sum = 0, wanted_all = all;
    int adds = 0;
    const auto kernel = [](const unsigned *x, const int *a, unsigned *r) { *r = *a ? *r + *x : *r | *x; };
    for (int step = 0; step < 4; ++step) {
      adds = 1 - adds;
      static op_loop_site site = OP_LOOP_SITE(reinterpret_cast<op_kernel_fn>(+kernel), nullptr, "kernel");
      const op_arg args[] = {direct(dx, OP_READ), global(&adds, 1, OP_READ),
                             op_arg_gbl_reduce(adds ? &sum : &all, 1, "uint", adds ? plus : bits)};
      EXPECT_OK(op_par_loop_site(&site, "reduce", cells, 3, args));
      for (const unsigned x : whole<unsigned>(9000, 204, 0, 1000))
        (adds ? wanted_sum : wanted_all) = adds ? wanted_sum + x : wanted_all | x;
    }
    out.same<unsigned>("sum and bits", {sum, all}, {wanted_sum, wanted_all});
  });
}

// What a site remembers does not outlive the library's shutdown.
TEST_F(Sites, OnePlaceManySessions) {
  for (int round = 0; round < 5; ++round) {
    const Session session;
    const op_set cells = declare_set(100 + round, "cells");
    const std::vector<double> x = reals(static_cast<std::size_t>(100 + round), 200);
    const op_dat dx = declare_dat(cells, 1, x, "x"), dy = declare_dat(cells, 1, std::vector<double>(x.size()), "y");
    EXPECT_OK(run_here(add_rows, "add", cells, direct(dx, OP_READ), direct(dy, OP_INC)));
    EXPECT_EQ(x, fetch<double>(dy));
  }
}

// A wrong argument is found at a site that has been right before, and does no harm.
TEST_F(Sites, ArgumentsAreCheckedWhenTheyChange) {
  const Session session;
  const op_set cells = declare_set(100, "cells"), edges = declare_set(100, "edges");
  const op_dat dx = declare_dat(cells, 1, std::vector<double>(100, 1), "x"),
               dy = declare_dat(cells, 1, std::vector<double>(100), "y"),
               other = declare_dat(edges, 1, std::vector<double>(100), "other");
  const auto with = [&](const op_arg &to) { return run_here(add_rows, "add", cells, direct(dx, OP_READ), to); };
  for (int round = 0; round < 2; ++round) {
    EXPECT_OK(with(direct(dy, OP_INC)));
    EXPECT_STATUS(OP_ERR_DIM, with(op_arg_dat(dy, -1, OP_ID, 2, "double", OP_INC)));
    EXPECT_STATUS(OP_ERR_TYPE, with(op_arg_dat(dy, -1, OP_ID, 1, "float", OP_INC)));
    EXPECT_STATUS(OP_ERR_ACCESS, with(op_arg_dat(dy, -1, OP_ID, 1, "double", OP_MIN)));
    EXPECT_STATUS(OP_ERR_SET, with(direct(other, OP_INC)));
    EXPECT_STATUS(OP_ERR_HANDLE, with(op_arg_dat(nullptr, -1, OP_ID, 1, "double", OP_INC)));
  }
  EXPECT_EQ(std::vector<double>(100, 2), fetch<double>(dy));
}

// Type names are borrowed for the call only: the next call may bring another name in the same buffer.
TEST_F(Sites, TypeNamesMayLieInAReusedBuffer) {
  const Session session;
  const op_set cells = declare_set(100, "cells");
  const op_dat dx = declare_dat(cells, 1, std::vector<double>(100, 1), "x");
  char name[16] = "double";
  const auto touch = [&] {
    return try_run([](double *p) { *p += 1; }, "touch", cells, op_arg_dat(dx, -1, OP_ID, 1, name, OP_RW));
  };
  EXPECT_OK(touch());
  std::strcpy(name, "int");
  EXPECT_STATUS(OP_ERR_TYPE, touch());
  std::strcpy(name, "real(8)");
  EXPECT_OK(touch());
  EXPECT_EQ(std::vector<double>(100, 3), fetch<double>(dx));
}

// The same for a global, where the name decides how partial results are added.
TEST_F(Sites, TypesOfGlobalsMayLieInAReusedBuffer) {
  const Session session;
  const op_set cells = declare_set(10000, "cells");
  char name[16] = "double";
  double sum = 0.5;
  long long count = 1;
  const auto kernel = [](void *value, const int *whole) {
    if (*whole)
      --*static_cast<long long *>(value); // negative numbers: added as doubles they would be none
    else
      *static_cast<double *>(value) += 0.25;
  };
  int whole = 0;
  run(kernel, "sum", cells, op_arg_gbl(&sum, 1, name, OP_INC), global(&whole, 1, OP_READ));
  EXPECT_EQ(2500.5, sum);
  std::strcpy(name, "ll");
  whole = 1;
  run(kernel, "sum", cells, op_arg_gbl(&count, 1, name, OP_INC), global(&whole, 1, OP_READ));
  EXPECT_EQ(-9999, count);
}

// The plain function with an array built at run time, and arguments made by the pointer-out twins.
TEST_F(Sites, PlainFunctionWithAnArray) {
  compare([](Outcome &out) {
    const Topology mesh = quads(50, 50);
    const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
    const op_map map = declare_map(cells, nodes, mesh);
    const std::vector<double> w = whole<double>(mesh.elements(), 201, -9, 9);
    const op_dat dw = declare_dat(cells, 1, w, "w"),
                 dsum = declare_dat(nodes, 1, std::vector<double>(mesh.targets()), "sum");
    double factor = 2, total = 0;
    std::vector<op_arg> args(5);
    op_arg_dat_to(&args[0], 1, dw, -1, OP_ID, 1, "double", OP_READ);
    op_arg_dat_to(&args[1], 1, dsum, 2, map, 1, "double", OP_INC);
    op_arg_dat_to(&args[2], 0, dsum, 1, map, 1, "double", OP_INC);
    op_arg_gbl_to(&args[3], &factor, 1, "double", 0, OP_READ);
    op_arg_gbl_to(&args[4], &total, 1, "double", sizeof(double), OP_INC);
    const auto kernel = [](const double *a, double *s, double *off, const double *f, double *t) {
      *s += *f * *a, *t += off ? 1e9 : *a;
    };
    EXPECT_OK(op_par_loop(reinterpret_cast<op_kernel_fn>(+kernel), "scatter", cells, 5, args.data()));
    std::vector<double> sum(mesh.targets());
    double wanted = 0;
    for (std::size_t n = 0; n < w.size(); ++n) sum[mesh.target(n, 2)] += 2 * w[n], wanted += w[n];
    out.same("sum", fetch<double>(dsum), sum);
    out.same<double>("total", {total}, {wanted});
  });
}

// A name is a label: one kernel under two names, and two kernels under one.
TEST_F(Sites, NamesAreLabels) {
  compare([](Outcome &out) {
    const op_set cells = declare_set(1000, "cells");
    const op_dat dx = declare_dat(cells, 1, std::vector<double>(1000, 1), "x"),
                 dy = declare_dat(cells, 1, std::vector<double>(1000), "y");
    for (int round = 0; round < 2; ++round) {
      run(add_rows, "one", cells, direct(dx, OP_READ), direct(dy, OP_INC));
      run(add_rows, "two", cells, direct(dx, OP_READ), direct(dy, OP_INC));
      run(subtract_rows, "one", cells, direct(dx, OP_READ), direct(dy, OP_INC));
      run(add_rows, "", cells, direct(dx, OP_READ), direct(dy, OP_INC));
    }
    out.same("y", fetch<double>(dy), std::vector<double>(1000, 4));
  });
}

TEST_F(Sites, AThousandCalls) {
  compare([](Outcome &out) {
    const Topology mesh = shuffled(quads(40, 40), 202);
    const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
    const op_map map = declare_map(cells, nodes, mesh);
    const op_dat dsum = declare_dat(nodes, 1, std::vector<int>(mesh.targets()), "sum");
    long long calls = 0;
    for (int call = 0; call < 1000; ++call)
      run(
          [](int **p, long long *c) {
            for (int i = 0; i < 4; ++i) ++*p[i];
            ++*c;
          },
          "count", cells, rows(map, 4, dsum, OP_INC), global(&calls, 1, OP_INC));
    std::vector<int> sum(mesh.targets());
    for (const int t : mesh.table) sum[static_cast<std::size_t>(t)] += 1000;
    out.same("sum", fetch<int>(dsum), sum);
    out.same<long long>("calls", {calls}, {1000LL * mesh.from});
  });
}

} // namespace conformance

// SPDX-License-Identifier: MIT
