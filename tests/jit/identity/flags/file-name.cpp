// The name of the file in the kernel.
#include <row.hpp>
void limited(const double *x, double *y) { *y = *x > 5 && *x < 10 ? sizeof __FILE__ + 100 * sizeof __BASE_FILE__ : *x; }
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("name of the file", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
