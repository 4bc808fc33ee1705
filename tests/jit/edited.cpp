// A program whose answer must not depend on what happens to its kernel's file later.
#include <op2/op2.hpp>

#include <cstdio>
#include <vector>

#include "edited_kernel.h"

int main(int argc, char **argv) {
  op2::context context(argc, argv);
  const int size = 1000;
  op2::set cells(size, "cells");
  std::vector<double> values(size);
  for (int n = 0; n < size; ++n) values[static_cast<std::size_t>(n)] = n;
  op2::dat<double, 1> a(cells, values, "a"), b(cells, nullptr, "b");
  op_par_loop(scale, "scale", cells, op2::read(a), op2::write(b));
  std::vector<double> result(size);
  op_fetch_data(b, result.data());
  int wrong = 0;
  for (int n = 0; n < size; ++n) wrong += result[static_cast<std::size_t>(n)] != 2.0 * n;
  std::printf("%d wrong\n", wrong);
  return wrong > 0;
}
