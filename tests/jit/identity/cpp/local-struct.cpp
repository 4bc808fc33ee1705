// A struct in the kernel hides a global one with other defaults and another size.
#include <row.hpp>
struct Limit {
  double most = 20;
  double apply(double x) const { return x > most ? most : x; }
};
void limited(const double *x, double *y) {
  struct Limit {
    double most = 5, until = 10;
    double apply(double v) const { return v > most && v < until ? most : v; }
  };
  const Limit limit;
  *y = limit.apply(*x) + sizeof(Limit);
}
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("local struct", limited);
  return row::finish() + (Limit().apply(1) > 2);
}

// SPDX-License-Identifier: MIT
