// The helper comes from <helper.hpp>, of which there are several.
#include <helper.hpp>
#include <row.hpp>
void limited(const double *x, double *y) { *y = limit(*x); }
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("helper in a folder", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
