// What && and || leave out has effects, and comma and increments have their order.
#include <row.hpp>
static inline bool add(double &t, double s) { return t += s, t > 2; }
void limited(const double *x, double *y) {
  double t = 0;
  int k = 0, a[4] = {1, 2, 3, 4};
  if ((*x > 5 && add(t, 1)) || (*x < 10 && add(t, 10))) t += 100;
  const double u = (t += 1, t *= 2, *x > 5 ? t++ : --t);
  const bool all = *x > 5 & add(t, 1000); // both sides
  for (int i = 0, j = 3; i < j; ++i, --j) t += a[k++] * a[j];
  *y = t + 7 * u + k + (all ? 0.5 : 0);
}
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("short circuit", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
