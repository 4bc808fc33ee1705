// -Dlimit=second_limit: the name in the text is not the function's.
#include <row.hpp>
namespace flow {
double limit(double x) { return x > 5 && x < 10 ? 5 : x; }
} // namespace flow
#ifdef limit
#undef limit
double limit(double x) { return x; }
#define limit second_limit
#endif
void limited(const double *x, double *y) { *y = flow::limit(*x); }
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("renamed", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
