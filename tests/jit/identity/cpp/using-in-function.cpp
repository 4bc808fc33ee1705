// The kernel is named through a using declaration in the function; the global one is another.
#include <row.hpp>
void limited(const double *x, double *y) { *y = *x; }
namespace second_order {
void limited(const double *x, double *y) { *y = *x > 5 && *x < 10 ? 5 : *x; }
} // namespace second_order
int main(int argc, char **argv) {
  row::start(argc, argv);
  using second_order::limited;
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("using in a function", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
