// The constant's value stands in another file; a namespace here has one of the same name.
#include <row.hpp>
namespace tools {
const double most = 20;
}
extern const double most; // const-elsewhere-2.cpp
void limited(const double *x, double *y) { *y = *x > most && *x < 10 ? most : *x; }
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("const elsewhere", limited);
  return row::finish() + (tools::most < 0);
}

// SPDX-License-Identifier: MIT
