// Constants that get their values before main(), from a variable and from a function; main() changes what they came
// from.
#include <row.hpp>
double limit = 5;
static int calls = 0;
static double next() { return 10.0 * ++calls; }
const double most = limit;
static const double until = next();
void limited(const double *x, double *y) { *y = *x > most && *x < until ? most : *x; }
int main(int argc, char **argv) {
  row::start(argc, argv);
  limit = 7.5;
  op_decl_const(1, "double", &limit);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("const before main", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
