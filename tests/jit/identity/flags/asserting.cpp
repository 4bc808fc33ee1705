// What assert() looks at has an effect, which -DNDEBUG takes away.
#include <cassert>
#include <row.hpp>
void limited(const double *x, double *y) {
  double v = *x;
  assert((v += 100) > 0);
  *y = *x > 5 && *x < 10 ? v : *x;
}
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("assert", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
