// A set with 2000 elements, x = 1 everywhere, and what a loop has made of it.
#pragma once
#include <op2/op2.hpp>

#include <cstdio>
#include <cstdlib>
#include <vector>

struct Bench {
  Bench(int argc, char **argv) {
    op_init(argc, argv, 1);
    cells = op_decl_set(2000, "cells");
    x = op_decl_dat(cells, 1, "double", ones.data(), "x");
    y = op_decl_dat(cells, 1, "double", nullptr, "y");
  }
  ~Bench() {
    op_exit();
    std::printf("%d wrong\n", wrong);
  }
  void want(const char *what, double value) {
    std::vector<double> found(2000);
    op_fetch_data(y, found.data());
    for (const double one : found)
      if (one != value) {
        std::printf("%s: %g, want %g\n", what, one, value);
        ++wrong;
        return;
      }
  }
  std::vector<double> ones = std::vector<double>(2000, 1);
  op_set cells;
  op_dat x, y;
  int wrong = 0;
};

// In the source file with the kernel, whose text is found there.
#define LOOP(kernel, name, bench)                                                                    \
  op_par_loop(kernel, name, (bench).cells, op_arg_dat((bench).x, -1, OP_ID, 1, "double", OP_READ), \
              op_arg_dat((bench).y, -1, OP_ID, 1, "double", OP_WRITE))

// SPDX-License-Identifier: MIT
