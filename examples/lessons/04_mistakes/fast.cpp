// fast.cpp: slow.cpp without its mistake.
#include "plate.hpp"

#include <cmath>

// For each edge: heat flows from the warmer node to the colder one.
static void flow(const double *warm1, const double *warm2, double *gain1, double *gain2) {
  const double heat = 0.2 * (*warm1 - *warm2);
  *gain1 -= heat;
  *gain2 += heat;
}

// For each node: the node takes what has come in; the sum and the maximum over all nodes.
static void settle(double *gain, double *warm, double *total, double *hottest) {
  *warm += *gain;
  *gain = 0;
  *total += *warm;
  if (*hottest < *warm) *hottest = *warm;
}

int main(int argc, char **argv) {
  op2::context library(argc, argv);
  const Plate plate;
  op2::set nodes(Plate::row * Plate::row, "nodes"), edges(static_cast<int>(plate.edge_nodes.size()) / 2, "edges");
  op2::map ends(edges, nodes, 2, plate.edge_nodes, "ends");
  op2::dat<double, 1> warm(nodes, plate.warm, "warm"), gain(nodes, nullptr, "gain");

  double total = 0, hottest = 0;
  int steps = 0;
  do {
    op_par_loop(flow, "flow", edges, op2::read(warm, 0, ends), op2::read(warm, 1, ends), //
                op2::inc(gain, 0, ends), op2::inc(gain, 1, ends));
    total = hottest = 0;
    op_par_loop(settle, "settle", nodes, op2::rw(gain), op2::rw(warm), op2::gbl_inc(&total), op2::gbl_max(&hottest));
    ++steps;
  } while (hottest > 10);

  const bool right = std::fabs(total - 8100) < 1e-6;
  op_printf("no node has more than 10 degrees after %d steps, heat %.3f of 8100: %s\n", steps, total,
            right ? "PASSED" : "FAILED");
  return right ? 0 : 1;
}

// SPDX-License-Identifier: MIT
