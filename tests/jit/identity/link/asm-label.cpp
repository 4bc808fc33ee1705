// The symbol of a function is another one than its name.
#include <row.hpp>
double limit(double x) asm("limit_five");
namespace other {
extern "C" double limit_none(double x) asm("limit");
extern "C" double limit_none(double x) { return x; }
} // namespace other
void limited(const double *x, double *y) { *y = limit(*x); }
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("asm-label", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
