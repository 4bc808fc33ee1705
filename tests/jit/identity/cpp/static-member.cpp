// A static member, defined below its use, and a global function of the same name.
#include <row.hpp>
void limited(const double *x, double *y) { *y = *x; }
struct Solver {
  static void step();
  static void limited(const double *x, double *y);
};
void Solver::step() {
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("static member", limited);
}
void Solver::limited(const double *x, double *y) { *y = *x > 5 && *x < 10 ? 5 : *x; }
int main(int argc, char **argv) {
  row::start(argc, argv);
  Solver::step();
  return row::finish();
}

// SPDX-License-Identifier: MIT
