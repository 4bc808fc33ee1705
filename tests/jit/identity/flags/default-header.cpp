// The limit is a macro of a header that holds nothing but a default.
#include <row.hpp>
#include "limit.h"
void limited(const double *x, double *y) { *y = *x > LIMIT && *x < 10 ? LIMIT : *x; }
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("limit by a macro", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
