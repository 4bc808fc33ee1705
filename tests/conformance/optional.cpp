// Optional arguments: switched off, the kernel receives a null pointer and the dat is left alone.
#include "suite.hpp"

namespace conformance {

using Optional = Topic;

op_arg optional(int opt, op_dat dat, int idx, op_map map, op_access access) {
  return op_opt_arg_dat(opt, dat, idx, map, 1, "double", access);
}

// Any pattern of four switches: direct, one column, vector of rows, increment.
TEST_F(Optional, EveryPatternOfSwitches) {
  for (const Topology &mesh : {quads(50, 40), random_map(2, 1, 4, 90), Topology{"", 0, 3, 4, {}}})
    compare([&mesh](Outcome &out) {
      const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
      const op_map map = declare_map(cells, nodes, mesh);
      const std::vector<double> w = whole<double>(mesh.elements(), 91, -9, 9),
                                x = whole<double>(mesh.targets(), 92, -9, 9);
      std::vector<double> sum(mesh.targets()), y(mesh.elements());
      const op_dat dw = declare_dat(cells, 1, w, "w"), dx = declare_dat(nodes, 1, x, "x"),
                   dsum = declare_dat(nodes, 1, sum, "sum"), dy = declare_dat(cells, 1, y, "y");
      for (int round = 0; round < 2; ++round)
        for (int pattern = 0; pattern < 16; ++pattern) {
          const bool one = pattern & 1, column = pattern & 2, vector = pattern & 4, inc = pattern & 8;
          run(
              [](const double *a, const double *b, const double **v, double *s, double *r) {
                *r += 1 + (a ? *a : 0) + (b ? 10 * *b : 0) + (v ? 100 * *v[0] - 100 * *v[2] : 0);
                if (s) *s += 3;
              },
              "optional", cells, optional(one, dw, -1, OP_ID, OP_READ), optional(column, dx, 1, map, OP_READ),
              optional(vector, dx, -3, map, OP_READ), optional(inc, dsum, 0, map, OP_INC), direct(dy, OP_RW));
          for (std::size_t n = 0; n < y.size(); ++n) {
            y[n] += 1 + (one ? w[n] : 0) + (column ? 10 * x[mesh.target(n, 1)] : 0);
            y[n] += vector ? 100 * x[mesh.target(n, 0)] - 100 * x[mesh.target(n, 2)] : 0;
            if (inc) sum[mesh.target(n, 0)] += 3;
          }
        }
      out.same("y", fetch<double>(dy), y);
      out.same("sum", fetch<double>(dsum), sum);
    });
}

// Every way of access may be switched off, and then nothing is written.
TEST_F(Optional, OffLeavesTheDatAlone) {
  compare([](Outcome &out) {
    const Topology mesh = quads(60, 60);
    const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
    const op_map map = declare_map(cells, nodes, mesh);
    const std::vector<double> x = reals(mesh.targets(), 93), w = reals(mesh.elements(), 94);
    const op_dat dx = declare_dat(nodes, 1, x, "x"), dw = declare_dat(cells, 1, w, "w");
    int null_pointers = 0;
    run(
        [](double *a, double *b, double *c, double *d, double *e, double **f, int *count) {
          *count += (a == nullptr) + (b == nullptr) + (c == nullptr) + (d == nullptr) + (e == nullptr) + (f == nullptr);
        },
        "off", cells, optional(0, dw, -1, OP_ID, OP_WRITE), optional(0, dw, -1, OP_ID, OP_RW),
        optional(0, dx, 0, map, OP_WRITE), optional(0, dx, 1, map, OP_RW), optional(0, dx, 2, map, OP_INC),
        optional(0, dx, -4, map, OP_INC), global(&null_pointers, 1, OP_INC));
    out.same<int>("null pointers", {null_pointers}, {6 * mesh.from});
    out.same("x", fetch<double>(dx), x);
    out.same("w", fetch<double>(dw), w);
  });
}

// Switched off, an argument needs no dat.
TEST_F(Optional, OffNeedsNoDat) {
  const Session session;
  const op_set cells = declare_set(100, "cells");
  int null_pointers = 0;
  run([](const double *a, int *count) { *count += a == nullptr; }, "off", cells,
      optional(0, nullptr, -1, OP_ID, OP_READ), global(&null_pointers, 1, OP_INC));
  EXPECT_EQ(100, null_pointers);
}

// A temporary dat that comes and goes, with the switch following it.
TEST_F(Optional, SwitchFollowsATemporaryDat) {
  compare([](Outcome &out) {
    const op_set cells = declare_set(5000, "cells");
    std::vector<double> y(5000);
    const op_dat dy = declare_dat(cells, 1, y, "y");
    for (int step = 0; step < 6; ++step) {
      const bool there = step % 2 == 1;
      const op_dat scratch = there ? op_decl_dat_temp(cells, 1, "double", "scratch") : nullptr;
      run([](const double *a, double *b) { *b += a ? *a + 5 : 1; }, "maybe", cells,
          optional(there, scratch, -1, OP_ID, OP_READ), direct(dy, OP_INC));
      if (there) {
        EXPECT_OK(op_free_dat_temp(scratch));
      }
    }
    out.same("y", fetch<double>(dy), std::vector<double>(5000, 18));
  });
}

} // namespace conformance

// SPDX-License-Identifier: MIT
