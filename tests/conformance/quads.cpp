// The worked example of the library's founding documents: nine quadrilaterals, twelve edges, each adding its value to
// the cells it leads to. The values are published; one cell never collects more than five terms.
#include "suite.hpp"

namespace conformance {

using Quads = Topic;

TEST_F(Quads, ThreeByThree) {
  compare([](Outcome &out) {
    const Topology mesh{"edges", 12, 9, 2, {0, 1, 1, 2, 0, 3, 1, 4, 2, 5, 3, 4, 4, 5, 3, 6, 4, 7, 5, 8, 6, 7, 7, 8}};
    const std::vector<double> edge = {3.3, 2.1, 7.4, 5.5, 7.6, 3.4, 10.5, 9.9, 8.9, 6.4, 4.4, 3.6};
    const std::vector<double> cell = {0.128, 0.345, 0.224, 0.118, 0.246, 0.324, 0.112, 0.928, 0.237};
    const std::vector<double> golden = {10.828, 11.245, 9.924, 20.818, 28.546, 24.824, 14.412, 17.828, 10.237};
    const op_set edges = declare_set(12, "edges"), cells = declare_set(9, "cells");
    const op_map edge_cells = declare_map(edges, cells, mesh, "edge_cells");
    const op_dat dedge = declare_dat(edges, 1, edge, "edge"), dcell = declare_dat(cells, 1, cell, "cell");
    run([](const double *e, double *left, double *right) { *left += *e, *right += *e; }, "add", edges,
        direct(dedge, OP_READ), through(edge_cells, 0, dcell, OP_INC), through(edge_cells, 1, dcell, OP_INC));
    Sums exact(cell);
    for (std::size_t n = 0; n < 12; ++n)
      for (std::size_t c = 0; c < 2; ++c) exact.add(mesh.target(n, c), edge[n]);
    const std::vector<double> got = fetch<double>(dcell);
    out.sums("cells", got, exact);
    for (std::size_t n = 0; n < 9; ++n) EXPECT_NEAR(golden[n], got[n], 1e-13) << "cell " << n;
  });
}

} // namespace conformance

// SPDX-License-Identifier: MIT
