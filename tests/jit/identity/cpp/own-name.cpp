// The kernel uses its own name, line and file.
#include <row.hpp>
#include <source_location>
double line_of(std::source_location place = std::source_location::current()) { return place.line(); }
void limited(const double *x, double *y) {
  *y = *x > 5 && *x < 10 ? sizeof __func__ + 100 * sizeof __PRETTY_FUNCTION__ + __LINE__ + 1e6 * __builtin_LINE() : *x;
}
void located(const double *x, double *y) {
  *y = *x > 5 && *x < 10 ? line_of() + 1000 * __func__[0] + 1e6 * sizeof __FILE__ : *x;
}
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("sizes of names", limited);
  op_par_loop(located, "located", row::cells, ROW_ARGS);
  row::compare("source_location", located);
  return row::finish();
}

// SPDX-License-Identifier: MIT
