// solver.cpp: a program of somebody else's with its kernels in headers. All its numbers are small multiples of powers of
// two, so the answer is known to the bit. Usage: solver [CELLS]
#include <cstdlib>
#include <op2/op2.hpp>
#include <vector>

static double gamma_1 = 0.5, dt = 0.25;
#include "flow/kernels.h"

int main(int argc, char **argv) {
  op2::context context(argc, argv);
  const int size = argc > 1 ? std::atoi(argv[1]) : 1000;
  std::vector<int> sides;
  std::vector<double> start, sums(static_cast<std::size_t>(2 * size), 0.0);
  for (int n = 0; n < size; ++n) {
    sides.insert(sides.end(), {n, (n + 1) % size});
    start.insert(start.end(), {1.0 + n % 4, 3.0 + n % 8});
  }
  op2::constant("gamma_1", gamma_1);
  op2::constant("dt", dt);
  op2::set faces(size, "faces"), cells(size, "cells");
  op2::map face_cells(faces, cells, 2, sides.data(), "face_cells");
  op2::dat<double, 2> q(cells, start.data(), "q"), sum(cells, nullptr, "sum");
  double change = 0, expected_change = 0;
  op_par_loop(flux, "flux", faces, op2::read(q, 0, face_cells), op2::read(q, 1, face_cells),
              op2::inc(sum, 0, face_cells), op2::inc(sum, 1, face_cells));
  op_par_loop(advance, "advance", cells, op2::rw(q), op2::read(sum), op2::gbl_inc(&change));

  for (int n = 0; n < size; ++n) {
    const int left = 2 * n, right = 2 * ((n + 1) % size);
    flux(&start[static_cast<std::size_t>(left)], &start[static_cast<std::size_t>(right)],
         &sums[static_cast<std::size_t>(left)], &sums[static_cast<std::size_t>(right)]);
  }
  for (std::size_t n = 0; n < start.size(); n += 2) advance(&start[n], &sums[n], &expected_change);
  const int wrong = (q.fetch() != start) + (change != expected_change) + (change <= 0);
  op_printf("solver: %d cells, %d wrong\n", size, wrong);
  return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}

// SPDX-License-Identifier: MIT
