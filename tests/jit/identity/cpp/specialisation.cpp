// Templates of helpers with specialisations: of a function, of a class in part, and a plain function that fits as well.
#include <row.hpp>
template <class T>
T limit(T x) {
  return x;
}
template <>
double limit(double x) {
  return x > 5 && x < 10 ? 5 : x;
}
template <class T, int n>
struct Power {
  static T of(T x) { return x * Power<T, n - 1>::of(x); }
};
template <class T>
struct Power<T, 0> {
  static T of(T) { return 1; }
};
template <>
struct Power<double, 2> {
  static double of(double x) { return x > 5 && x < 10 ? -1 : x * x; }
};
template <class T>
T least(T x) {
  return x;
}
double least(double x) { return x > 5 && x < 10 ? 2 : x; }
void limited(const double *x, double *y) { *y = limit(*x) + Power<double, 3>::of(*x) + least(*x) + least<double>(*x); }
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("specialisation", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
