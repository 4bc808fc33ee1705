// What differs between C++17, 20 and 23: the macro, the type of u8'a', rewritten comparisons.
#include <row.hpp>
template <class T>
double kind(T) {
  return 1;
}
double kind(char) { return 2; }
struct A {
  double v;
  bool operator==(double w) const { return v == w; }
};
bool operator==(double, A) { return true; }
struct B {
  operator A() const { return {7}; }
};
void limited(const double *x, double *y) {
  *y = *x > 5 && *x < 10 ? static_cast<double>(__cplusplus - 201000L) + kind(u8'a') * 10000 + (7.0 == A{*x} ? 1e6 : 0)
                         : *x;
}
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("standard", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
