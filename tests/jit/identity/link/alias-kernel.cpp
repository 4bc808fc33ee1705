// The kernel is an alias.
#include <row.hpp>
extern "C" void limit_five(const double *x, double *y) { *y = *x > 5 && *x < 10 ? 5 : *x; }
namespace flow {
void limited(const double *x, double *y) { *y = *x; }
} // namespace flow
void limited(const double *x, double *y) __attribute__((alias("limit_five")));
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("alias-kernel", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
