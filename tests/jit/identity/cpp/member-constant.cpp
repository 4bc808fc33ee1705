// Constants of a class and of its base hide the global ones.
#include <row.hpp>
constexpr double most = 7.5, least = 0;
struct Base {
  static constexpr double most = 5;
};
struct Solver : Base {
  static constexpr double least = 2;
  static void limited(const double *x, double *y) { *y = *x > most && *x < 10 ? most : *x < least ? least : *x; }
};
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(Solver::limited, "limited", row::cells, ROW_ARGS);
  row::compare("constants of classes", Solver::limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
