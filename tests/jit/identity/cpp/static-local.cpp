// A static variable of a kernel keeps the value that it got at the first call, when the constant was another one.
#include <row.hpp>
double most = 5;
void limited(const double *x, double *y) {
  static const double kept = most;
  static const double table[] = {0, 100, 200};
  *y = (*x > kept && *x < 10 ? kept : *x) + table[1];
}
int main(int argc, char **argv) {
  row::start(argc, argv);
  double first;
  limited(&row::columns<double>::x[0], &first);
  most = 6;
  op_decl_const(1, "double", &most);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("static local", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
