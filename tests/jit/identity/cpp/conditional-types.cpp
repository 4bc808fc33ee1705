// The type of a choice is that of both its sides: unsigned, float, double.
#include <row.hpp>
void limited(const double *x, double *y) {
  const bool told = *x > 5 && *x < 10;
  *y = (told ? -1 : 1u) + (told ? 1 : 0.5f) / 3 + (told ? 7 / 2 : 3.5) + (told ? 'a' : 1L);
}
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("conditional types", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
