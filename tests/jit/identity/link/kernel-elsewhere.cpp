// The kernel is in another file; one of the same name in a namespace is here.
#include <row.hpp>
namespace other {
void limited(const double *x, double *y) { *y = *x; }
} // namespace other
void limited(const double *x, double *y);
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("kernel-elsewhere", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
