// Vector arguments: the kernel receives an array of pointers, one for each of the first k columns of a map.
#include "suite.hpp"

namespace conformance {

using Vectors = Topic;

TEST_F(Vectors, ReadTheWholeMap) {
  compare_on_meshes(every_mesh(), [](const Topology &mesh, Outcome &out) {
    const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
    const op_map map = declare_map(cells, nodes, mesh);
    const std::vector<double> x = reals(2 * mesh.targets(), 70);
    const op_dat dx = declare_dat(nodes, 2, x, "x"),
                 darea = declare_dat(cells, 1, std::vector<double>(mesh.elements()), "area");
    run(
        [](const double **p, double *area) {
          *area = 0.5 * ((p[2][0] - p[0][0]) * (p[3][1] - p[1][1]) - (p[3][0] - p[1][0]) * (p[2][1] - p[0][1]));
        },
        "area", cells, rows(map, 4, dx, OP_READ), direct(darea, OP_WRITE));
    std::vector<double> area(mesh.elements());
    for (std::size_t n = 0; n < area.size(); ++n) {
      const double *p[4];
      for (std::size_t c = 0; c < 4; ++c) p[c] = &x[2 * mesh.target(n, c)];
      area[n] = 0.5 * ((p[2][0] - p[0][0]) * (p[3][1] - p[1][1]) - (p[3][0] - p[1][0]) * (p[2][1] - p[0][1]));
    }
    out.same("area", fetch<double>(darea), area);
  });
}

// The first two and the first three columns, of different dats, in one loop.
TEST_F(Vectors, ReadTheFirstColumns) {
  compare_on_meshes(every_mesh(), [](const Topology &mesh, Outcome &out) {
    const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
    const op_map map = declare_map(cells, nodes, mesh);
    const std::vector<double> x = reals(3 * mesh.targets(), 71), y = reals(mesh.targets(), 72);
    const op_dat dx = declare_dat(nodes, 3, x, "x"), dy = declare_dat(nodes, 1, y, "y");
    const op_dat dz = declare_dat(cells, 1, std::vector<double>(mesh.elements()), "z");
    run([](const double **a, double *z, const double **b) { *z = a[0][2] * b[0][0] + a[1][0] * b[1][0] - b[2][0]; },
        "both", cells, rows(map, 2, dx, OP_READ), direct(dz, OP_WRITE), rows(map, 3, dy, OP_READ));
    std::vector<double> z(mesh.elements());
    for (std::size_t n = 0; n < z.size(); ++n) {
      const std::size_t t0 = mesh.target(n, 0), t1 = mesh.target(n, 1), t2 = mesh.target(n, 2);
      z[n] = x[3 * t0 + 2] * y[t0] + x[3 * t1] * y[t1] - y[t2];
    }
    out.same("z", fetch<double>(dz), z);
  });
}

TEST_F(Vectors, IncrementTheWholeMap) {
  compare_on_meshes(every_mesh(), [](const Topology &mesh, Outcome &out) {
    const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
    const op_map map = declare_map(cells, nodes, mesh);
    const std::vector<double> w = reals(4 * mesh.elements(), 73), start = reals(2 * mesh.targets(), 74);
    const op_dat dw = declare_dat(cells, 4, w, "w"), dsum = declare_dat(nodes, 2, start, "sum");
    run(
        [](const double *a, double **s) {
          for (int c = 0; c < 4; ++c) s[c][0] += a[c], s[c][1] -= 2 * a[c];
        },
        "scatter", cells, direct(dw, OP_READ), rows(map, 4, dsum, OP_INC));
    Sums sum(start);
    for (std::size_t n = 0; n < mesh.elements(); ++n)
      for (std::size_t c = 0; c < 4; ++c) {
        sum.add(2 * mesh.target(n, c), w[4 * n + c]);
        sum.add(2 * mesh.target(n, c) + 1, -2 * w[4 * n + c]);
      }
    out.sums("sum", fetch<double>(dsum), sum);
  });
}

// Rows beyond the first columns may not change.
TEST_F(Vectors, IncrementTheFirstColumns) {
  for (const int count : {2, 3}) {
    SCOPED_TRACE(count);
    compare_on_meshes(every_mesh(), [count](const Topology &mesh, Outcome &out) {
      const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
      const op_map map = declare_map(cells, nodes, mesh);
      std::vector<int> sum = whole<int>(mesh.targets(), 75, -9, 9);
      const op_dat dsum = declare_dat(nodes, 1, sum, "sum");
      int columns = count;
      run(
          [](const int *k, int **s) {
            for (int c = 0; c < *k; ++c) *s[c] += c + 1;
          },
          "scatter", cells, global(&columns, 1, OP_READ), rows(map, count, dsum, OP_INC));
      for (std::size_t n = 0; n < mesh.elements(); ++n)
        for (int c = 0; c < count; ++c) sum[mesh.target(n, static_cast<std::size_t>(c))] += c + 1;
      out.same("sum", fetch<int>(dsum), sum);
    });
  }
}

// A vector argument, a single column and the same columns again, all of one dat.
TEST_F(Vectors, BesideSingleColumns) {
  compare_on_meshes(every_mesh(), [](const Topology &mesh, Outcome &out) {
    const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
    const op_map map = declare_map(cells, nodes, mesh);
    const std::vector<int> x = whole<int>(mesh.targets(), 76, -9, 9);
    std::vector<int> sum(mesh.targets());
    const op_dat dx = declare_dat(nodes, 1, x, "x"), dsum = declare_dat(nodes, 1, sum, "sum");
    run([](const int *x1, int **first, const int **all,
           int *last) { *first[0] += *all[3], *first[1] += *x1, *last += *all[0] - *all[2]; },
        "scatter", cells, through(map, 1, dx, OP_READ), rows(map, 2, dsum, OP_INC), rows(map, 4, dx, OP_READ),
        through(map, 3, dsum, OP_INC));
    for (std::size_t n = 0; n < mesh.elements(); ++n) {
      sum[mesh.target(n, 0)] += x[mesh.target(n, 3)];
      sum[mesh.target(n, 1)] += x[mesh.target(n, 1)];
      sum[mesh.target(n, 3)] += x[mesh.target(n, 0)] - x[mesh.target(n, 2)];
    }
    out.same("sum", fetch<int>(dsum), sum);
  });
}

TEST_F(Vectors, WriteAndReadWriteOwnTargets) {
  compare_on_meshes(every_injective_mesh(), [](const Topology &mesh, Outcome &out) {
    const op_set edges = declare_set(mesh.from, "edges"), nodes = declare_set(mesh.to, "nodes");
    const op_map map = declare_map(edges, nodes, mesh);
    std::vector<double> x = reals(mesh.targets(), 77), y = reals(mesh.targets(), 78);
    const op_dat dx = declare_dat(nodes, 1, x, "x"), dy = declare_dat(nodes, 1, y, "y");
    run([](double **a, double **b) { *a[0] *= 3, *a[1] -= 1, *b[0] = *a[1], *b[1] = *a[0]; }, "swap", edges,
        rows(map, 2, dx, OP_RW), rows(map, 2, dy, OP_WRITE));
    for (std::size_t n = 0; n < mesh.elements(); ++n) {
      const std::size_t t0 = mesh.target(n, 0), t1 = mesh.target(n, 1);
      x[t0] *= 3, x[t1] -= 1, y[t0] = x[t1], y[t1] = x[t0];
    }
    out.same("x", fetch<double>(dx), x);
    out.same("y", fetch<double>(dy), y);
  });
}

// A map of many columns, as of a high-order element.
TEST_F(Vectors, LongRowsOfPointers) {
  compare([](Outcome &out) {
    const Topology mesh = random_map(3000, 2000, 27, 79);
    const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
    const op_map map = declare_map(cells, nodes, mesh);
    const std::vector<int> x = whole<int>(mesh.targets(), 80, -9, 9);
    const op_dat dx = declare_dat(nodes, 1, x, "x"),
                 dsum = declare_dat(nodes, 1, std::vector<int>(mesh.targets()), "sum");
    run(
        [](const int **a, int **s) {
          for (int c = 0; c < 27; ++c) *s[c] += *a[26 - c] * (c + 1);
        },
        "stiffness", cells, rows(map, 27, dx, OP_READ), rows(map, 27, dsum, OP_INC));
    std::vector<int> sum(mesh.targets());
    for (std::size_t n = 0; n < mesh.elements(); ++n)
      for (std::size_t c = 0; c < 27; ++c)
        sum[mesh.target(n, c)] += x[mesh.target(n, 26 - c)] * static_cast<int>(c + 1);
    out.same("sum", fetch<int>(dsum), sum);
  });
}

} // namespace conformance

// SPDX-License-Identifier: MIT
