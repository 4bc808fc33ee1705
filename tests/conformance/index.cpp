// op_arg_idx: the number of the element, or of the element that a column of a map points to.
#include "op2/fortran_support.h"
#include "suite.hpp"

namespace conformance {

using Index = Topic;

TEST_F(Index, OfTheElement) {
  for (const int size : every_size()) {
    SCOPED_TRACE(size);
    compare([size](Outcome &out) {
      const op_set cells = declare_set(size, "cells");
      const std::size_t n = static_cast<std::size_t>(size);
      const op_dat dnumber = declare_dat(cells, 1, std::vector<int>(n, -1), "number");
      run([](const int *i, int *number) { *number = *i; }, "number", cells, op_arg_idx(-1, OP_ID),
          direct(dnumber, OP_WRITE));
      out.same("number", fetch<int>(dnumber), counted(n));
    });
  }
}

TEST_F(Index, ThroughAMap) {
  compare_on_meshes(every_mesh(), [](const Topology &mesh, Outcome &out) {
    const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
    const op_map map = declare_map(cells, nodes, mesh);
    const op_dat dseen = declare_dat(cells, 5, std::vector<int>(5 * mesh.elements()), "seen");
    op_arg last;
    op_arg_idx_to(&last, 3, map);
    run([](const int *own, const int *a, const int *b, int *seen, const int *c,
           const int *d) { seen[0] = *a, seen[1] = *b, seen[2] = *c, seen[3] = *d, seen[4] = *own; },
        "look", cells, op_arg_idx(-1, OP_ID), op_arg_idx(0, map), op_arg_idx(1, map), direct(dseen, OP_WRITE),
        op_arg_idx(2, map), last);
    std::vector<int> seen;
    for (std::size_t n = 0; n < mesh.elements(); ++n) {
      for (std::size_t c = 0; c < 4; ++c) seen.push_back(mesh.table[4 * n + c]);
      seen.push_back(static_cast<int>(n));
    }
    out.same("seen", fetch<int>(dseen), seen);
  });
}

// Where elements run colour by colour the number is still the element's own, and rows and numbers belong together.
TEST_F(Index, InLoopsThatIncrement) {
  compare_on_meshes(every_mesh(), [](const Topology &mesh, Outcome &out) {
    const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
    const op_map map = declare_map(cells, nodes, mesh);
    const op_dat dsum = declare_dat(nodes, 2, std::vector<long long>(2 * mesh.targets()), "sum");
    const op_dat dnumber = declare_dat(nodes, 1, counted(mesh.targets()), "number");
    int mismatches = 0;
    run(
        [](const int *own, const int *to, const int *number, const int **numbers, long long *sum, int *wrong) {
          sum[0] += *own, sum[1] += *to;
          *wrong += *to != *number || *to != *numbers[1];
        },
        "sum", cells, op_arg_idx(-1, OP_ID), op_arg_idx(1, map), through(map, 1, dnumber, OP_READ),
        rows(map, 2, dnumber, OP_READ), through(map, 1, dsum, OP_INC), global(&mismatches, 1, OP_INC));
    std::vector<long long> sum(2 * mesh.targets());
    for (std::size_t n = 0; n < mesh.elements(); ++n) {
      const std::size_t t = mesh.target(n, 1);
      sum[2 * t] += static_cast<long long>(n), sum[2 * t + 1] += static_cast<long long>(t);
    }
    out.same("sum", fetch<long long>(dsum), sum);
    out.same<int>("mismatches", {mismatches}, {0});
  });
}

// Kernels in languages that count from 1, with the same loop asking for both kinds of numbers.
TEST_F(Index, FromOne) {
  compare_on_meshes(every_mesh(), [](const Topology &mesh, Outcome &out) {
    const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
    const op_map map = declare_map(cells, nodes, mesh);
    const op_dat dseen = declare_dat(cells, 4, std::vector<int>(4 * mesh.elements()), "seen");
    op_arg own, to;
    op_arg_idx_based_to(&own, -1, OP_ID, 1);
    op_arg_idx_based_to(&to, 2, map, 1);
    run([](const int *a, const int *b, const int *c, const int *d,
           int *seen) { seen[0] = *a, seen[1] = *b, seen[2] = *c, seen[3] = *d; },
        "from_one", cells, own, to, op_arg_idx(-1, OP_ID), op_arg_idx(2, map), direct(dseen, OP_WRITE));
    std::vector<int> seen;
    for (std::size_t n = 0; n < mesh.elements(); ++n)
      for (const int number :
           {static_cast<int>(n) + 1, mesh.table[4 * n + 2] + 1, static_cast<int>(n), mesh.table[4 * n + 2]})
        seen.push_back(number);
    out.same("seen", fetch<int>(dseen), seen);
  });
}

} // namespace conformance

// SPDX-License-Identifier: MIT
