// A class takes a kernel of its base by a using declaration, beside an overload of its own.
#include <row.hpp>
void limited(const double *x, double *y) { *y = *x; }
struct Base {
  static void limited(const double *x, double *y) { *y = *x > 5 && *x < 10 ? 5 : *x; }
};
struct Solver : private Base {
  using Base::limited;
  static void step() {
    op_par_loop(limited, "limited", row::cells, ROW_ARGS);
    row::compare("using in a class", limited);
  }
};
int main(int argc, char **argv) {
  row::start(argc, argv);
  Solver::step();
  return row::finish();
}

// SPDX-License-Identifier: MIT
