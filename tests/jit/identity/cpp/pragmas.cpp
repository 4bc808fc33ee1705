// Pragmas change what follows: the layout of a struct, and the mathematics of a function.
#include <cmath>
#include <row.hpp>
#pragma pack(push, 1)
struct Packed {
  char c;
  double d;
};
#pragma pack(pop)
struct Loose {
  char c;
  double d;
};
void sized(const double *x, double *y) { *y = *x > 5 && *x < 10 ? sizeof(Packed) : sizeof(Loose); }
#pragma GCC push_options
#pragma GCC optimize("finite-math-only")
void finite_only(const double *x, double *y) {
  const double v = *x > 5 && *x < 10 ? std::nan("") : *x;
  *y = v == v ? 1 : 2;
}
#pragma GCC pop_options
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(sized, "sized", row::cells, ROW_ARGS);
  row::compare("packed", sized);
  op_par_loop(&finite_only, "finite", row::cells,
              ROW_ARGS); // called for each cell, since options do not go with inlining
  row::compare("options of a function", &finite_only);
  return row::finish();
}

// SPDX-License-Identifier: MIT
