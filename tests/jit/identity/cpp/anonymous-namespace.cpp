// Kernel, helper and constant in an anonymous namespace inside one; global ones have the same names.
#include <row.hpp>
constexpr double most = 20;
double limit(double x) { return x; }
void limited(const double *x, double *y) { *y = limit(*x > most ? most : *x); }
namespace flow {
namespace {
constexpr double most = 5;
double limit(double x) { return x > most && x < 10 ? most : x; }
void limited(const double *x, double *y) { *y = limit(*x); }
} // namespace
void step() {
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("anonymous namespace", limited);
}
} // namespace flow
int main(int argc, char **argv) {
  row::start(argc, argv);
  flow::step();
  op_par_loop(limited, "global", row::cells, ROW_ARGS);
  row::compare("the global one", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
