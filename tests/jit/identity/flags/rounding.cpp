// The program rounds upwards; constants are computed when it runs, since the compiler was told so.
#include <cfenv>
#include <row.hpp>
static const double third = 3;
void limited(const double *x, double *y) { *y = (1 / third) * *x + *x / 7 + 0.1 * third; }
int main(int argc, char **argv) {
  row::start(argc, argv, 1, 16, 7);
  std::fesetround(FE_UPWARD);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("rounding", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
