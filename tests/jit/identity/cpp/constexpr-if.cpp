// constexpr if in a kernel and in a helper, which is a template with two parameters of which the second has a default.
#include <row.hpp>
template <int order, bool strict = (order > 1)>
double limit(double x) {
  if constexpr (strict) return x > 5 && x < 10 ? 5 : x;
  return x;
}
template <int order>
void limited(const double *x, double *y) {
  if constexpr (order == 1)
    *y = *x;
  else
    *y = limit<order>(*x) + order;
}
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited<2>, "second", row::cells, ROW_ARGS);
  row::compare("constexpr if", limited<2>);
  op_par_loop(limited<1>, "first", row::cells, ROW_ARGS);
  row::compare("the other branch", limited<1>);
  return row::finish();
}

// SPDX-License-Identifier: MIT
