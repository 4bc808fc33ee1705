// With -trigraphs the comment goes on in the next line.
#include <row.hpp>
void limited(const double *x, double *y) {
  double most = 5; // is this all??/
  most = 6;
  *y = *x > most && *x < 10 ? most : *x;
}
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("trigraphs", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
