// Variables of the program that elements use one after another: OP_WRITE, OP_RW and OP_WORK of a global argument.
#include "suite.hpp"

namespace conformance {

using Shared = Topic;

// A number that depends on the order of all elements, the last one's row, and scratch memory.
TEST_F(Shared, ElementsTakeTurns) {
  FOR_ONE_PROCESS("elements of several have no common order");
  const DeclaredOrder order;
  for (const int size : {0, 1, 20011}) {
    SCOPED_TRACE(size);
    compare([size](Outcome &out) {
      const std::size_t n = static_cast<std::size_t>(size);
      const op_set cells = declare_set(size, "cells");
      const std::vector<int> x = whole<int>(n, 120, 0, 1000);
      const op_dat dx = declare_dat(cells, 1, x, "x"), dy = declare_dat(cells, 1, std::vector<int>(n), "y");
      std::vector<unsigned> chain(2, 7), wanted_chain = chain;
      std::vector<int> last(1, -1), work(3), sum(1, 5), wanted_last = last, wanted_sum = sum, y(n);
      for (int repeat = 0; repeat < 2; ++repeat) {
        run(
            [](const int *a, unsigned *c, int *l, int *w, int *s, int *b) {
              c[0] = c[0] * 31 + static_cast<unsigned>(*a);
              c[1] ^= c[0];
              *l = *a;
              w[0] = *a, w[1] = 2 * w[0], w[2] = w[0] + w[1];
              *s += 1;
              *b = w[2];
            },
            "chain", cells, direct(dx, OP_READ), global(chain, OP_RW), global(last, OP_WRITE), global(work, OP_WORK),
            global(sum, OP_INC), direct(dy, OP_WRITE));
        for (std::size_t i = 0; i < n; ++i) {
          wanted_chain[0] = wanted_chain[0] * 31 + static_cast<unsigned>(x[i]);
          wanted_chain[1] ^= wanted_chain[0];
          wanted_last[0] = x[i];
          ++wanted_sum[0];
          y[i] = 3 * x[i];
        }
      }
      out.same("chain", chain, wanted_chain);
      out.same("last", last, wanted_last);
      out.same("sum", sum, wanted_sum);
      out.same("y", fetch<int>(dy), y);
    });
  }
}

// A flag that some elements raise, in a loop that adds through a map: whoever has such an element, all processes know.
TEST_F(Shared, AFlagIsRaisedForAll) {
  for (const int raised : {0, 4000, 8999}) {
    SCOPED_TRACE(raised);
    compare([raised](Outcome &out) {
      const int size = 9000;
      Topology mesh{"line", size, size + 1, 2, {}};
      for (int i = 0; i < size; ++i) mesh.table.insert(mesh.table.end(), {i, i + 1});
      std::vector<int> mark(static_cast<std::size_t>(size));
      mark[static_cast<std::size_t>(raised)] = 1;
      const op_set edges = declare_set(size, "edges"), nodes = declare_set(size + 1, "nodes");
      const op_map ends = declare_map(edges, nodes, mesh);
      const op_dat marks = declare_dat(edges, 1, mark, "mark"),
                   met = declare_dat(nodes, 1, std::vector<int>(static_cast<std::size_t>(size) + 1), "met");
      std::vector<double> flags(3, 0.5);
      std::vector<int> count(1);
      run(
          [](const int *m, int *a, int *b, double *f, int *c) {
            *a += 1, *b += 1, *c += 1;
            if (*m) f[1] = 2;
            f[2] = 0;
          },
          "raise", edges, direct(marks, OP_READ), through(ends, 0, met, OP_INC), through(ends, 1, met, OP_INC),
          global(flags, OP_RW), global(count, OP_INC));
      out.same<double>("flags", flags, {0.5, 2, 0});
      out.same<int>("count", count, {size});
      std::vector<int> wanted(static_cast<std::size_t>(size) + 1, 2);
      wanted.front() = wanted.back() = 1;
      out.same("met", fetch<int>(met), wanted);
    });
  }
}

} // namespace conformance

// SPDX-License-Identifier: MIT
