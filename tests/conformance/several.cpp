// Several arguments of one loop that touch one dat.
#include "suite.hpp"

namespace conformance {

using SeveralArguments = Topic;

// A map from a set to itself, as between neighbouring cells.
Topology neighbours(Topology mesh) {
  mesh.to = mesh.from;
  for (int &entry : mesh.table) entry %= std::max(mesh.from, 1);
  return mesh;
}

// One row through two columns, also where both columns of an element lead to one row.
TEST_F(SeveralArguments, IncrementThroughTwoColumns) {
  compare_on_meshes(every_mesh(), [](const Topology &mesh, Outcome &out) {
    const op_set edges = declare_set(mesh.from, "edges"), cells = declare_set(mesh.to, "cells");
    const op_map map = declare_map(edges, cells, mesh);
    const std::vector<double> flux = reals(mesh.elements(), 50);
    const op_dat dflux = declare_dat(edges, 1, flux, "flux"),
                 dres = declare_dat(cells, 1, std::vector<double>(mesh.targets()), "res");
    run([](const double *f, double *left, double *right) { *left += *f, *right -= *f; }, "flux", edges,
        direct(dflux, OP_READ), through(map, 0, dres, OP_INC), through(map, 2, dres, OP_INC));
    Sums res(mesh.targets());
    for (std::size_t n = 0; n < mesh.elements(); ++n)
      res.add(mesh.target(n, 0), flux[n]), res.add(mesh.target(n, 2), -flux[n]);
    out.sums("res", fetch<double>(dres), res);
  });
}

// Two maps lead different elements to one row.
TEST_F(SeveralArguments, IncrementThroughTwoMaps) {
  compare_on_meshes(every_mesh(), [](const Topology &mesh, Outcome &out) {
    Topology other = shuffled(mesh, 51);
    const op_set edges = declare_set(mesh.from, "edges"), cells = declare_set(mesh.to, "cells");
    const op_map one = declare_map(edges, cells, mesh, "one"), two = declare_map(edges, cells, other, "two");
    const std::vector<int> w = whole<int>(mesh.elements(), 52, -50, 50);
    const op_dat dw = declare_dat(edges, 1, w, "w"),
                 dsum = declare_dat(cells, 1, std::vector<int>(mesh.targets()), "sum");
    run([](const int *a, int *p, int *q) { *p += *a, *q += 1000 * *a; }, "both", edges, direct(dw, OP_READ),
        through(one, 1, dsum, OP_INC), through(two, 1, dsum, OP_INC));
    std::vector<int> sum(mesh.targets());
    for (std::size_t n = 0; n < w.size(); ++n) sum[mesh.target(n, 1)] += w[n], sum[other.target(n, 1)] += 1000 * w[n];
    out.same("sum", fetch<int>(dsum), sum);
  });
}

// An element adds to its own row while its neighbours do so through a map.
TEST_F(SeveralArguments, IncrementDirectlyAndThroughAMap) {
  compare_on_meshes(every_mesh(), [](const Topology &quads, Outcome &out) {
    const Topology mesh = neighbours(quads);
    const op_set cells = declare_set(mesh.from, "cells");
    const op_map map = declare_map(cells, cells, mesh);
    const std::vector<int> w = whole<int>(mesh.elements(), 53, -50, 50);
    std::vector<int> sum = whole<int>(mesh.elements(), 54, -50, 50);
    const op_dat dw = declare_dat(cells, 1, w, "w"), dsum = declare_dat(cells, 1, sum, "sum");
    run([](const int *a, int *own, int *next, int *last) { *own -= 3 * *a, *next += *a, *last += 2 * *a; }, "diffuse",
        cells, direct(dw, OP_READ), direct(dsum, OP_INC), through(map, 0, dsum, OP_INC), through(map, 3, dsum, OP_INC));
    for (std::size_t n = 0; n < w.size(); ++n) {
      sum[n] -= 3 * w[n];
      sum[mesh.target(n, 0)] += w[n];
      sum[mesh.target(n, 3)] += 2 * w[n];
    }
    out.same("sum", fetch<int>(dsum), sum);
  });
}

TEST_F(SeveralArguments, ReadDirectlyAndThroughAMap) {
  compare_on_meshes(every_mesh(), [](const Topology &quads, Outcome &out) {
    const Topology mesh = neighbours(quads);
    const op_set cells = declare_set(mesh.from, "cells");
    const op_map map = declare_map(cells, cells, mesh);
    const std::vector<double> q = reals(mesh.elements(), 55);
    const op_dat dq = declare_dat(cells, 1, q, "q"), dnew = declare_dat(cells, 1, q, "new");
    run([](const double *own, const double *a, const double *again, const double *b,
           double *n) { *n = *own * *a - *again + *b; },
        "average", cells, direct(dq, OP_READ), through(map, 1, dq, OP_READ), direct(dq, OP_READ),
        through(map, 1, dq, OP_READ), direct(dnew, OP_WRITE));
    std::vector<double> next(q.size());
    for (std::size_t n = 0; n < q.size(); ++n) next[n] = q[n] * q[mesh.target(n, 1)] - q[n] + q[mesh.target(n, 1)];
    out.same("new", fetch<double>(dnew), next);
    out.same("q", fetch<double>(dq), q);
  });
}

// One loop that increments three dats on two sets, reads others through the same columns, and writes directly.
TEST_F(SeveralArguments, ManyDatsInOneLoop) {
  compare_on_meshes(every_mesh(), [](const Topology &mesh, Outcome &out) {
    const Topology back = random_map(mesh.from, std::max(mesh.from, 1), 2, 56);
    const op_set edges = declare_set(mesh.from, "edges"), nodes = declare_set(mesh.to, "nodes"),
                 cells = declare_set(back.to, "cells");
    const op_map edge_nodes = declare_map(edges, nodes, mesh),
                 edge_cells = declare_map(edges, cells, back, "edge_cells");
    const std::vector<int> x = whole<int>(mesh.targets(), 57, -9, 9), q = whole<int>(back.targets(), 58, -9, 9);
    const op_dat dx = declare_dat(nodes, 1, x, "x"), dq = declare_dat(cells, 1, q, "q");
    const op_dat dres = declare_dat(cells, 2, std::vector<int>(2 * back.targets()), "res");
    const op_dat dload = declare_dat(nodes, 1, std::vector<int>(mesh.targets()), "load");
    const op_dat dcount = declare_dat(nodes, 1, std::vector<int>(mesh.targets()), "count");
    const op_dat dlength = declare_dat(edges, 1, std::vector<int>(mesh.elements()), "length");
    run(
        [](const int *x0, const int *x1, const int *q0, const int *q1, int *r0, int *r1, int *load, int *count,
           int *length) {
          *length = *x1 - *x0;
          r0[0] += *q1, r0[1] += *length, r1[0] -= *q0, r1[1] -= *length;
          *load += *q0 - *q1, *count += 1;
        },
        "everything", edges, through(edge_nodes, 0, dx, OP_READ), through(edge_nodes, 1, dx, OP_READ),
        through(edge_cells, 0, dq, OP_READ), through(edge_cells, 1, dq, OP_READ), through(edge_cells, 0, dres, OP_INC),
        through(edge_cells, 1, dres, OP_INC), through(edge_nodes, 0, dload, OP_INC),
        through(edge_nodes, 3, dcount, OP_INC), direct(dlength, OP_WRITE));
    std::vector<int> res(2 * back.targets()), load(mesh.targets()), count(mesh.targets()), length(mesh.elements());
    for (std::size_t n = 0; n < mesh.elements(); ++n) {
      const std::size_t c0 = back.target(n, 0), c1 = back.target(n, 1);
      length[n] = x[mesh.target(n, 1)] - x[mesh.target(n, 0)];
      res[2 * c0] += q[c1], res[2 * c0 + 1] += length[n], res[2 * c1] -= q[c0], res[2 * c1 + 1] -= length[n];
      load[mesh.target(n, 0)] += q[c0] - q[c1];
      count[mesh.target(n, 3)] += 1;
    }
    out.same("res", fetch<int>(dres), res);
    out.same("load", fetch<int>(dload), load);
    out.same("count", fetch<int>(dcount), count);
    out.same("length", fetch<int>(dlength), length);
  });
}

// Writes through one column and increments of another dat through the next: only some of the colliding accesses are
// sums.
TEST_F(SeveralArguments, WritesBesideIncrements) {
  compare_on_meshes(every_injective_mesh(), [](const Topology &own, Outcome &out) {
    const Topology shared = random_map(own.from, std::max(own.from / 3, 1), 2, 59);
    const op_set edges = declare_set(own.from, "edges"), nodes = declare_set(own.to, "nodes"),
                 cells = declare_set(shared.to, "cells");
    const op_map to_own = declare_map(edges, nodes, own), to_shared = declare_map(edges, cells, shared, "shared");
    const std::vector<int> w = whole<int>(own.elements(), 60, -50, 50);
    std::vector<int> x(own.targets(), 7), y(own.targets(), 9), sum(shared.targets());
    const op_dat dw = declare_dat(edges, 1, w, "w"), dx = declare_dat(nodes, 1, x, "x"),
                 dy = declare_dat(nodes, 1, y, "y"), dsum = declare_dat(cells, 1, sum, "sum");
    run([](const int *a, int *p, int *q, int *s) { *p = *a, *q += *a, *s += 2 * *a; }, "mixed", edges,
        direct(dw, OP_READ), through(to_own, 0, dx, OP_WRITE), through(to_own, 1, dy, OP_RW),
        through(to_shared, 0, dsum, OP_INC));
    for (std::size_t n = 0; n < w.size(); ++n)
      x[own.target(n, 0)] = w[n], y[own.target(n, 1)] += w[n], sum[shared.target(n, 0)] += 2 * w[n];
    out.same("x", fetch<int>(dx), x);
    out.same("y", fetch<int>(dy), y);
    out.same("sum", fetch<int>(dsum), sum);
  });
}

} // namespace conformance

// SPDX-License-Identifier: MIT
