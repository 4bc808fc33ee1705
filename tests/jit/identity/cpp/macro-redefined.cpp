// A macro has one value before the first kernel, another before the second, and a third before the loops.
#include <row.hpp>
#define LIMIT 5
void first(const double *x, double *y) { *y = *x > LIMIT && *x < 10 ? LIMIT : *x; }
#undef LIMIT
#define LIMIT 6
void second(const double *x, double *y) { *y = *x > LIMIT && *x < 10 ? LIMIT : *x; }
#pragma push_macro("LIMIT")
#undef LIMIT
#define LIMIT 20
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(first, "first", row::cells, ROW_ARGS);
  row::compare("first value", first);
  op_par_loop(second, "second", row::cells, ROW_ARGS);
  row::compare("second value", second);
  return row::finish();
}
#pragma pop_macro("LIMIT")

// SPDX-License-Identifier: MIT
