// goto, switch that falls through, a loop left in its middle, recursion, an assembler's statement.
#include <row.hpp>
static double down(double x) { return x > 1 ? down(x - 1) + 1 : 0; }
void limited(const double *x, double *y) {
  double sum = 0;
  switch (static_cast<int>(*x)) {
    case 7:
      sum += 1;
      [[fallthrough]];
    case 8:
      sum += 10;
      break;
    default:
      sum += 100;
    case 9:
      sum += 1000;
  }
  int n = 0;
again:
  if (++n < 3) goto again;
  for (;;) {
    if (++n > 5) break;
    if (n % 2) continue;
    sum += n;
  }
  do sum += 0.5;
  while (sum < 12 && *x < 10);
  *y = sum + down(*x);
}
void by_assembler(const double *x, double *y) {
  double v = *x > 5 && *x < 10 ? 5 : *x;
  asm("" : "+m"(v));
  *y = v;
}
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("control flow", limited);
  op_par_loop(by_assembler, "by_assembler", row::cells, ROW_ARGS);
  row::compare("assembler", by_assembler);
  return row::finish();
}

// SPDX-License-Identifier: MIT
