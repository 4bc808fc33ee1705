// Calls the loop of a library, and has a helper and, if KERNEL, a kernel of the same names that can be seen.
#include <row.hpp>
double limit(double x);
double limit(double x) { return x > 5 && x < 10 ? 2 : x; }
#ifdef KERNEL
void limited(const double *x, double *y);
void limited(const double *x, double *y) { *y = *x > 5 && *x < 10 ? 1 : *x; }
#endif
extern "C" int library_step(op_set cells, op_dat in, op_dat out, int count, const double *x, double *y);
int main(int argc, char **argv) {
  row::start(argc, argv);
  std::vector<double> y(row::count);
  const int wrong = library_step(row::cells, row::columns<double>::in, row::columns<double>::out, row::count,
                                 row::columns<double>::x.data(), y.data());
  return row::finish() + wrong;
}

// SPDX-License-Identifier: MIT
