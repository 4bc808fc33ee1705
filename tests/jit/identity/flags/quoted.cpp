// "helper.hpp" is looked for beside this file first, <helper.hpp> is not.
#include <row.hpp>
namespace near {
#include "helper.hpp"
}
namespace far {
#include <far/helper.hpp>
}
void limited(const double *x, double *y) { *y = near::limit(*x) + 100 * far::limit(*x); }
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("quoted header", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
