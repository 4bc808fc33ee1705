// gpu_locality_loops.cpp: runs one loop of gpu_locality.cpp once, through the library on executor cuda: what that
// program counts from maps, the emulated device counts here (OP2_CUDA_COUNT).
//
//   bench_gpu_locality_loops LOOP SIZE
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "common/settings.hpp"
#include "gpu/locality/loop.hpp"
#include "op2/op2.hpp"
// Where the library finds the kernel's text, too.
#include "orders_kernels.h"

namespace {

// What has four values flows from one cell to the other, by both of their steps.
void through(double area, const double *left, const double *right, double steps, double *to_left, double *to_right) {
  for (int i = 0; i < 4; ++i) {
    const double flow = 0.5 * area * (left[i] + right[i]) - 0.05 * steps * (right[i] - left[i]);
    to_left[i] += flow;
    to_right[i] -= flow;
  }
}
void through_edge(const double *x0, const double *x1, const double *left, const double *right, const double *left_step,
                  const double *right_step, double *to_left, double *to_right) {
  through(x1[0] - x0[0] + x1[1] - x0[1], left, right, *left_step + *right_step, to_left, to_right);
}
void through_face(const double *x0, const double *x1, const double *x2, const double *left, const double *right,
                  const double *left_step, const double *right_step, double *to_left, double *to_right) {
  double area = 0;
  for (int k = 0; k < 3; ++k) area += (x1[k] - x0[k]) * (x2[(k + 1) % 3] - x0[(k + 1) % 3]);
  through(area, left, right, *left_step + *right_step, to_left, to_right);
}

std::vector<double> waves(int count) {
  std::vector<double> out(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = 1.5 + std::sin(0.01 * static_cast<double>(i % 9973));
  return out;
}

template <int dim>
op2::dat<double, dim> values(const op2::set &set, const char *name) {
  return {set, waves(set.size() * dim).data(), name};
}

void run_flow(const bench::locality::Loop &loop) {
  op2::set elements(loop.elements, "elements"), nodes(loop.rows(0), "nodes"), cells(loop.rows(1), "cells");
  const int corners = loop.maps[0].dim;
  op2::map to_nodes(elements, nodes, corners, loop.maps[0].table, "to_nodes");
  op2::map to_cells(elements, cells, 2, loop.maps[1].table, "to_cells");
  const auto q = values<4>(cells, "q"), result = values<4>(cells, "result");
  const auto step = values<1>(cells, "step");
  if (corners == 2) {
    const auto x = values<2>(nodes, "x");
    op_par_loop(through_edge, "locality", elements, op2::read(x, 0, to_nodes), op2::read(x, 1, to_nodes),
                op2::read(q, 0, to_cells), op2::read(q, 1, to_cells), op2::read(step, 0, to_cells),
                op2::read(step, 1, to_cells), op2::inc(result, 0, to_cells), op2::inc(result, 1, to_cells));
    return;
  }
  const auto x = values<3>(nodes, "x");
  op_par_loop(through_face, "locality", elements, op2::read(x, 0, to_nodes), op2::read(x, 1, to_nodes),
              op2::read(x, 2, to_nodes), op2::read(q, 0, to_cells), op2::read(q, 1, to_cells),
              op2::read(step, 0, to_cells), op2::read(step, 1, to_cells), op2::inc(result, 0, to_cells),
              op2::inc(result, 1, to_cells));
}

void run_corners(const bench::locality::Loop &loop) {
  op2::set cells(loop.elements, "cells"), nodes(loop.rows(0), "nodes");
  op2::map corners(cells, nodes, 4, loop.maps[0].table, "corners");
  const auto x = values<3>(nodes, "x");
  const auto t = values<1>(nodes, "t"), flow = values<1>(nodes, "flow");
  op_par_loop(conduct, "locality", cells, op2::read(x, op2::all<4>, corners), op2::read(t, op2::all<4>, corners),
              op2::inc(flow, op2::all<4>, corners));
}

} // namespace

int main(int argc, char **argv) try {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s LOOP SIZE\n", argv[0]);
    return 2;
  }
  const bench::Setting fallback("OP2_FALLBACK", "error");
  const bench::locality::Loop loop = bench::locality::make_loop(argv[1], std::atoi(argv[2]));
  const op2::context context("cuda", 1);
  loop.maps.size() == 2 ? run_flow(loop) : run_corners(loop);
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

// SPDX-License-Identifier: MIT
