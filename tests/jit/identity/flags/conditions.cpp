// Conditions inside the kernel, settled by -D and -U.
#include <row.hpp>
void limited(const double *x, double *y) {
#ifdef STRICT
  *y = *x > 5 && *x < 10 ? 5 : *x;
#elif defined(HALF)
  *y = *x > 5 && *x < 10 ? HALF(3) : *x;
#else
  *y = *x;
#endif
}
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("conditions", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
