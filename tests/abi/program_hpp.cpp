// program_hpp.cpp: a program in C++ as a user writes it, through op2.hpp; see program.sh.
#include <cstdio>
#include <op2/op2.hpp>
#include <vector>

namespace {

void fill(const int *n, double *row) { *row = *n; }
void spread(const double *value, double *left, double *right) { *left += *value, *right += *value; }
void total(const double *row, double *sum) { *sum += *row; }

} // namespace

int main(int argc, char **argv) {
  op2::context context(argc, argv);
  const std::vector<int> table = {0, 1, 1, 2, 2, 3};
  const op2::set edges(3, "edges"), nodes(4, "nodes");
  const op2::map ends(edges, nodes, 2, table, "ends");
  const op2::dat<double, 1> weight(edges, nullptr, "weight"), load(nodes, nullptr, "load");
  double sum = 100;

  op_par_loop(fill, "fill", edges, op2::index(), op2::write(weight));
  op_par_loop(spread, "spread", edges, op2::read(weight), op2::inc(load, 0, ends), op2::inc(load, 1, ends));
  op_par_loop(total, "total", nodes, op2::read(load), op2::gbl_inc(&sum));

  const std::vector<double> values = load.fetch();
  if (sum != 106 || values != std::vector<double>{0, 1, 3, 2}) {
    std::printf("wrong: %g, %g %g %g %g\n", sum, values[0], values[1], values[2], values[3]);
    return 2;
  }
  std::printf("all answers are right on %s\n", op_backend());
}

// SPDX-License-Identifier: MIT
