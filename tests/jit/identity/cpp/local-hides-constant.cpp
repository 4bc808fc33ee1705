// Local variables, a parameter and a loop's variable hide a declared constant; outside their blocks it is meant again.
#include <row.hpp>
double most = 7.5;
void limited(const double *x, double *y) {
  double sum = *x > most ? 1 : 0;
  {
    const double most = 5;
    sum += *x > most && *x < 10 ? 10 : 0;
  }
  for (int most = 0; most < 3; ++most) sum += 100 * most;
  sum += most * 1000;
  *y = sum;
}
void scaled(const double *most, double *y) { *y = *most > 5 && *most < 10 ? *most : ::most; }
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_decl_const(1, "double", &most);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("local variables", limited);
  op_par_loop(scaled, "scaled", row::cells, ROW_ARGS);
  row::compare("a parameter", scaled);
  return row::finish();
}

// SPDX-License-Identifier: MIT
