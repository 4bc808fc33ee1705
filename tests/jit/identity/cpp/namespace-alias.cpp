// An alias of a namespace in the function hides the alias outside.
#include <row.hpp>
namespace first_order {
void limited(const double *x, double *y) { *y = *x; }
} // namespace first_order
namespace second_order {
void limited(const double *x, double *y) { *y = *x > 5 && *x < 10 ? 5 : *x; }
} // namespace second_order
namespace scheme = first_order;
int main(int argc, char **argv) {
  row::start(argc, argv);
  namespace scheme = second_order;
  op_par_loop(scheme::limited, "limited", row::cells, ROW_ARGS);
  row::compare("namespace alias", scheme::limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
