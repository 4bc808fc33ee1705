// A kernel that asks errno what the function before it has said.
#include <row.hpp>

#include <cerrno>
#include <cmath>
void limited(const double *x, double *y) {
  errno = 0;
  const double root = std::sqrt(*x == 7 ? -*x : *x);
  *y = errno == EDOM ? -7 : root;
}
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("error-number", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
