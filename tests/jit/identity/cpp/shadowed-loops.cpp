// Loops inside each other with variables of one name, and variables that conditions declare.
#include <row.hpp>
void limited(const double *x, double *y) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    for (int i = 10; i < 12; ++i) sum += i;
    double x = i * 100;
    sum += x;
    if (double y = x; i > 1) sum += y * 10;
  }
  if (const int i = static_cast<int>(*x); i > 5 && i < 10)
    sum += 5000;
  else if (int x = i + 1)
    sum += x;
  *y = sum + *x;
}
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("shadowed loops", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
