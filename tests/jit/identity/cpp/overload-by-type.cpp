// Four overloads in view; types decide, through arithmetic conversions and promotions.
#include <row.hpp>
double limit(double x) { return x > 5 && x < 10 ? 5 : x; }
double limit(float x) { return x > 5 && x < 10 ? 6 : x; }
double limit(int x) { return x > 5 && x < 10 ? 4 : x; }
double limit(unsigned x) { return x > 5 && x < 10 ? 3 : x; }
void limited(const double *x, double *y) {
  const float f = static_cast<float>(*x);
  const short s = static_cast<short>(*x);
  *y = limit(*x) + 10 * limit(f) + 100 * limit(s) + 1000 * limit(s + 0u) + 10000 * limit(f + *x) + 100000 * limit('\a');
}
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("overloads by type", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
