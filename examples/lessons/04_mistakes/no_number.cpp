// no_number.cpp: heat spreads in a plate; each node stands for a part of the area. A mistake is planted in this
// program: docs/lessons/04_mistakes.md finds it.
#include "plate.hpp"

#include <cmath>

// For each square: a quarter of its area goes to each corner. The area is half the product of the diagonals.
static void share(const double *x0, const double *x1, const double *x2, const double *x3, double *area0, double *area1,
                  double *area2, double *area3) {
  const double ax = x2[0] - x0[0], ay = x2[1] - x0[1];
  const double bx = x3[0] - x1[0], by = x3[0] - x1[0];
  const double quarter = (ax * by - ay * bx) / 8;
  *area0 += quarter;
  *area1 += quarter;
  *area2 += quarter;
  *area3 += quarter;
}

// For each edge: heat flows from the warmer node to the colder one.
static void flow(const double *warm1, const double *warm2, double *gain1, double *gain2) {
  const double heat = 0.05 * (*warm1 - *warm2);
  *gain1 -= heat;
  *gain2 += heat;
}

// For each node: heat makes a large part of the plate less warm than a small one.
static void settle(const double *area, double *gain, double *warm, double *total) {
  *warm += *gain / *area;
  *gain = 0;
  *total += *warm * *area;
}

int main(int argc, char **argv) {
  op2::context library(argc, argv);
  const Plate plate;
  op2::set nodes(Plate::row * Plate::row, "nodes"), edges(static_cast<int>(plate.edge_nodes.size()) / 2, "edges");
  op2::set squares(Plate::squares * Plate::squares, "squares");
  op2::map ends(edges, nodes, 2, plate.edge_nodes, "ends"), corners(squares, nodes, 4, plate.square_nodes, "corners");
  op2::dat<double, 2> x(nodes, plate.x, "x");
  op2::dat<double, 1> warm(nodes, plate.warm, "warm"), gain(nodes, nullptr, "gain"), area(nodes, nullptr, "area");

  op_par_loop(share, "share", squares, op2::read(x, 0, corners), op2::read(x, 1, corners), op2::read(x, 2, corners),
              op2::read(x, 3, corners), op2::inc(area, 0, corners), op2::inc(area, 1, corners),
              op2::inc(area, 2, corners), op2::inc(area, 3, corners));
  double total = 0;
  for (int step = 0; step < 100; ++step) {
    op_par_loop(flow, "flow", edges, op2::read(warm, 0, ends), op2::read(warm, 1, ends), //
                op2::inc(gain, 0, ends), op2::inc(gain, 1, ends));
    total = 0;
    op_par_loop(settle, "settle", nodes, op2::read(area), op2::rw(gain), op2::rw(warm), op2::gbl_inc(&total));
  }
  const bool right = std::fabs(total - 8100) < 1e-6; // 81 nodes of 100 degrees and area 1: no heat is lost
  op_printf("heat %.3f of 8100: %s\n", total, right ? "PASSED" : "FAILED");
  return right ? 0 : 1;
}

// SPDX-License-Identifier: MIT
