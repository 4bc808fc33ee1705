// A helper with two overloads, of which only the one that is not called has a body here.
#include <row.hpp>
double limit(double x); // overload-elsewhere-2.cpp
inline float limit(float x) { return x; }
void limited(const double *x, double *y) { *y = limit(*x); }
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("other overload", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
