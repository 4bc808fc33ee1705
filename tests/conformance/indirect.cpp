// Loops that reach data through one column of a map at a time.
#include "suite.hpp"

namespace conformance {

using Indirect = Topic;

TEST_F(Indirect, Read) {
  compare_on_meshes(every_mesh(), [](const Topology &mesh, Outcome &out) {
    const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
    const op_map map = declare_map(cells, nodes, mesh);
    const std::vector<double> x = reals(2 * mesh.targets(), 30);
    const op_dat dx = declare_dat(nodes, 2, x, "x"),
                 dy = declare_dat(cells, 1, std::vector<double>(mesh.elements()), "y");
    run([](const double *a, const double *b, const double *c, const double *d,
           double *y) { *y = a[0] - b[1] + c[0] * d[1]; },
        "gather", cells, through(map, 0, dx, OP_READ), through(map, 1, dx, OP_READ), through(map, 2, dx, OP_READ),
        through(map, 3, dx, OP_READ), direct(dy, OP_WRITE));
    std::vector<double> y(mesh.elements());
    for (std::size_t n = 0; n < y.size(); ++n)
      y[n] = x[2 * mesh.target(n, 0)] - x[2 * mesh.target(n, 1) + 1] +
             x[2 * mesh.target(n, 2)] * x[2 * mesh.target(n, 3) + 1];
    out.same("x", fetch<double>(dx), x);
    out.same("y", fetch<double>(dy), y);
  });
}

// Each element adds to its four nodes; the old values count too.
TEST_F(Indirect, Increment) {
  compare_on_meshes(every_mesh(), [](const Topology &mesh, Outcome &out) {
    const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
    const op_map map = declare_map(cells, nodes, mesh);
    const std::vector<double> w = reals(mesh.elements(), 31), start = reals(2 * mesh.targets(), 32);
    const op_dat dw = declare_dat(cells, 1, w, "w"), dsum = declare_dat(nodes, 2, start, "sum");
    run(
        [](const double *a, double *n0, double *n1, double *n2, double *n3) {
          n0[0] += *a, n1[0] -= *a, n2[0] += *a, n3[0] -= *a;
          n0[1] += 2 * *a, n1[1] += 3 * *a, n2[1] += 5 * *a, n3[1] += 7 * *a;
        },
        "scatter", cells, direct(dw, OP_READ), through(map, 0, dsum, OP_INC), through(map, 1, dsum, OP_INC),
        through(map, 2, dsum, OP_INC), through(map, 3, dsum, OP_INC));
    Sums sum(start);
    const double factor[] = {2, 3, 5, 7};
    for (std::size_t n = 0; n < mesh.elements(); ++n)
      for (std::size_t c = 0; c < 4; ++c) {
        sum.add(2 * mesh.target(n, c), c % 2 == 0 ? w[n] : -w[n]);
        sum.add(2 * mesh.target(n, c) + 1, factor[c] * w[n]);
      }
    out.sums("sum", fetch<double>(dsum), sum);
    out.same("w", fetch<double>(dw), w);
  });
}

// Whole numbers add up without rounding, so a lost or doubled increment shows in any order.
TEST_F(Indirect, IncrementLosesNothing) {
  compare_on_meshes(every_mesh(), [](const Topology &mesh, Outcome &out) {
    const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
    const op_map map = declare_map(cells, nodes, mesh);
    const std::vector<double> w = whole<double>(mesh.elements(), 33, -1000, 1000);
    const op_dat dw = declare_dat(cells, 1, w, "w"),
                 dsum = declare_dat(nodes, 1, std::vector<double>(mesh.targets(), 1), "sum");
    for (int step = 0; step < 3; ++step)
      run([](const double *a, double *p, double *q) { *p += *a, *q += 10 * *a; }, "scatter", cells, direct(dw, OP_READ),
          through(map, 1, dsum, OP_INC), through(map, 3, dsum, OP_INC));
    std::vector<double> sum(mesh.targets(), 1);
    for (std::size_t n = 0; n < mesh.elements(); ++n) {
      sum[mesh.target(n, 1)] += 3 * w[n];
      sum[mesh.target(n, 3)] += 30 * w[n];
    }
    out.same("sum", fetch<double>(dsum), sum);
  });
}

// An increment that does nothing leaves the bits of the old value, whatever a kernel is given to add to.
TEST_F(Indirect, IncrementByNothing) {
  compare_on_meshes(every_mesh(), [](const Topology &mesh, Outcome &out) {
    const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
    const op_map map = declare_map(cells, nodes, mesh);
    const std::vector<double> start = reals(3 * mesh.targets(), 34);
    const op_dat dsum = declare_dat(nodes, 3, start, "sum");
    run([](double *) {}, "nothing", cells, through(map, 2, dsum, OP_INC));
    out.same("sum", fetch<double>(dsum), start);
  });
}

TEST_F(Indirect, WriteToOwnTargets) {
  compare_on_meshes(every_injective_mesh(), [](const Topology &mesh, Outcome &out) {
    const op_set edges = declare_set(mesh.from, "edges"), nodes = declare_set(mesh.to, "nodes");
    const op_map map = declare_map(edges, nodes, mesh);
    const std::vector<double> w = reals(2 * mesh.elements(), 35);
    std::vector<double> x = reals(mesh.targets(), 36); // what nobody writes stays
    const op_dat dw = declare_dat(edges, 2, w, "w"), dx = declare_dat(nodes, 1, x, "x");
    run([](const double *a, double *p, double *q) { *p = a[0], *q = a[1]; }, "scatter", edges, direct(dw, OP_READ),
        through(map, 0, dx, OP_WRITE), through(map, 1, dx, OP_WRITE));
    for (std::size_t n = 0; n < mesh.elements(); ++n)
      for (std::size_t c = 0; c < 2; ++c) x[mesh.target(n, c)] = w[2 * n + c];
    out.same("x", fetch<double>(dx), x);
  });
}

// The same value from everywhere may be written to shared targets: a boundary condition.
TEST_F(Indirect, WriteOneValueToSharedTargets) {
  compare_on_meshes(every_mesh(), [](const Topology &mesh, Outcome &out) {
    const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
    const op_map map = declare_map(cells, nodes, mesh);
    std::vector<double> x = reals(mesh.targets(), 37);
    const op_dat dx = declare_dat(nodes, 1, x, "x");
    run([](double *p) { *p = 4.25; }, "fix", cells, through(map, 1, dx, OP_WRITE));
    for (std::size_t n = 0; n < mesh.elements(); ++n) x[mesh.target(n, 1)] = 4.25;
    out.same("x", fetch<double>(dx), x);
  });
}

TEST_F(Indirect, ReadWriteOwnTargets) {
  compare_on_meshes(every_injective_mesh(), [](const Topology &mesh, Outcome &out) {
    const op_set edges = declare_set(mesh.from, "edges"), nodes = declare_set(mesh.to, "nodes");
    const op_map map = declare_map(edges, nodes, mesh);
    std::vector<double> x = reals(2 * mesh.targets(), 38);
    const op_dat dx = declare_dat(nodes, 2, x, "x");
    for (int step = 0; step < 3; ++step)
      run(
          [](double *p, double *q) {
            const double old = p[0];
            p[0] = 0.5 * q[1], q[1] = 2 * old, p[1] += 1;
          },
          "swap", edges, through(map, 0, dx, OP_RW), through(map, 1, dx, OP_RW));
    for (int step = 0; step < 3; ++step)
      for (std::size_t n = 0; n < mesh.elements(); ++n) {
        double *p = &x[2 * mesh.target(n, 0)], *q = &x[2 * mesh.target(n, 1)];
        const double old = p[0];
        p[0] = 0.5 * q[1], q[1] = 2 * old, p[1] += 1;
      }
    out.same("x", fetch<double>(dx), x);
  });
}

// RW on shared targets where the order of the elements does not matter. A race would lose a maximum.
TEST_F(Indirect, ReadWriteSharedTargetsInAnyOrder) {
  compare_on_meshes(every_mesh(), [](const Topology &mesh, Outcome &out) {
    const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
    const op_map map = declare_map(cells, nodes, mesh);
    const std::vector<double> w = reals(mesh.elements(), 39);
    std::vector<double> most(mesh.targets(), -2);
    std::vector<int> visits(mesh.targets());
    const op_dat dw = declare_dat(cells, 1, w, "w"), dmost = declare_dat(nodes, 1, most, "most");
    const op_dat dvisits = declare_dat(nodes, 1, visits, "visits");
    run(
        [](const double *a, double *m, int *v) {
          if (*m < *a) *m = *a;
          ++*v;
        },
        "maximum", cells, direct(dw, OP_READ), through(map, 2, dmost, OP_RW), through(map, 2, dvisits, OP_RW));
    for (std::size_t n = 0; n < mesh.elements(); ++n) {
      const std::size_t t = mesh.target(n, 2);
      most[t] = std::max(most[t], w[n]);
      ++visits[t];
    }
    out.same("most", fetch<double>(dmost), most);
    out.same("visits", fetch<int>(dvisits), visits);
  });
}

// What one loop adds, the next one reads: twenty steps of smoothing.
TEST_F(Indirect, ChainOfLoops) {
  compare_on_meshes({quads(60, 50), shuffled(quads(60, 50), 40)}, [](const Topology &mesh, Outcome &out) {
    const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
    const op_map map = declare_map(cells, nodes, mesh);
    std::vector<double> q = whole<double>(mesh.elements(), 41, 0, 8), sum(mesh.targets());
    const op_dat dq = declare_dat(cells, 1, q, "q"), dsum = declare_dat(nodes, 1, sum, "sum");
    for (int step = 0; step < 20; ++step) { // sums stay multiples of a power of two, hence exact
      run([](const double *a, double *p, double *r) { *p += 0.25 * *a, *r += 0.5 * *a; }, "up", cells,
          direct(dq, OP_READ), through(map, 0, dsum, OP_INC), through(map, 2, dsum, OP_INC));
      run([](double *a, const double *p, const double *r) { *a = 0.5 * (*p - *r); }, "down", cells,
          direct(dq, OP_WRITE), through(map, 1, dsum, OP_READ), through(map, 3, dsum, OP_READ));
      run([](double *s) { *s = 0; }, "zero", nodes, direct(dsum, OP_WRITE));
      for (std::size_t n = 0; n < q.size(); ++n)
        sum[mesh.target(n, 0)] += 0.25 * q[n], sum[mesh.target(n, 2)] += 0.5 * q[n];
      for (std::size_t n = 0; n < q.size(); ++n) q[n] = 0.5 * (sum[mesh.target(n, 1)] - sum[mesh.target(n, 3)]);
      sum.assign(sum.size(), 0);
    }
    out.same("q", fetch<double>(dq), q);
    out.same("sum", fetch<double>(dsum), sum);
  });
}

// A direct increment is the row itself: a kernel that looks at it sees the value from before the loop in it, on every
// process that runs the element.
TEST_F(Indirect, DirectIncrementShowsTheRow) {
  compare_on_meshes({quads(60, 50), random_map(2000, 300, 4, 77)}, [](const Topology &mesh, Outcome &out) {
    const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
    const op_map map = declare_map(cells, nodes, mesh);
    const op_dat steps = declare_dat(cells, 1, std::vector<double>(mesh.elements()), "steps");
    const op_dat sum = declare_dat(nodes, 1, std::vector<double>(mesh.targets()), "sum");
    for (int round = 0; round < 3; ++round) {
      run([](double *own) { *own += 1; }, "alone", cells, direct(steps, OP_INC));
      run(
          [](double *own, double *a, double *b) {
            *own += 1;
            *a += *own;
            *b += *own;
          },
          "both", cells, direct(steps, OP_INC), through(map, 0, sum, OP_INC), through(map, 2, sum, OP_INC));
    }
    std::vector<double> wanted(mesh.targets());
    for (std::size_t n = 0; n < mesh.elements(); ++n)
      for (const std::size_t column : {0u, 2u}) wanted[mesh.target(n, column)] += 2 + 4 + 6;
    out.same("steps", fetch<double>(steps), std::vector<double>(mesh.elements(), 6));
    out.same("sum", fetch<double>(sum), wanted);
  });
}

} // namespace conformance

// SPDX-License-Identifier: MIT
