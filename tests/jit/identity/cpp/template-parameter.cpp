// The kernel is a parameter of a template; its name is that of a global function.
#include <row.hpp>
void limited(const double *x, double *y) { *y = *x; }
void second_order(const double *x, double *y) { *y = *x > 5 && *x < 10 ? 5 : *x; }
template <void (*limited)(const double *, double *)>
void step() {
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("template parameter", limited);
}
template <auto limited>
void any_step() {
  op_par_loop(limited, "any limited", row::cells, ROW_ARGS);
  row::compare("parameter auto", limited);
}
int main(int argc, char **argv) {
  row::start(argc, argv);
  step<second_order>();
  any_step<second_order>();
  step<limited>();
  return row::finish();
}

// SPDX-License-Identifier: MIT
