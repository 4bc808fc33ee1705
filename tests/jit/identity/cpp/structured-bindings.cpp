// Structured bindings: copies and references, and one with the name of a constant.
#include <row.hpp>
constexpr double most = 20;
struct Pair {
  double a, b;
};
void limited(const double *x, double *y) {
  Pair p{*x, 5};
  auto [value, most] = p;
  auto &[left, right] = p;
  left += 100;
  value += 1;
  *y = (*x > most && *x < 10 ? most : ::most) + value + p.a + right;
}
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("structured bindings", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
