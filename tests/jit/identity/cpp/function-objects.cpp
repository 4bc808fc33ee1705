// Classes without state as kernels: two of one name, one with a template operator and a member of its own.
#include <row.hpp>
struct Limited {
  void operator()(const double *x, double *y) const { *y = *x; }
};
namespace flow {
struct Limited {
  static double limit(double x) { return x > 5 && x < 10 ? 5 : x; }
  void operator()(const double *x, double *y) const { *y = limit(*x); }
};
void step() {
  const Limited limited;
  op_par_loop(limited, "object", row::cells, ROW_ARGS);
  row::compare("object", limited);
  op_par_loop(Limited(), "temporary", row::cells, ROW_ARGS);
  row::compare("temporary", Limited());
}
} // namespace flow
int main(int argc, char **argv) {
  row::start(argc, argv);
  flow::step();
  op_par_loop(Limited(), "global", row::cells, ROW_ARGS);
  row::compare("global", Limited());
  return row::finish();
}

// SPDX-License-Identifier: MIT
