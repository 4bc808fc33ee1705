// Overloads that constraints choose, and a function that knows whether the compiler evaluates it.
#include <concepts>
#include <row.hpp>
#include <type_traits>
double limit(auto x) { return static_cast<double>(x); }
double limit(std::floating_point auto x) { return x > 5 && x < 10 ? 5 : x; }
constexpr double scale(double x) { return std::is_constant_evaluated() ? x * 2 : x * 3; }
template <class T>
requires(sizeof(T) == 8) double size_of(T) { return 8; }
template <class T>
double size_of(T) {
  return 1;
}
void limited(const double *x, double *y) {
  constexpr double known = scale(10);
  *y = *x > 5 && *x < 10
           ? limit(*x) + limit(static_cast<int>(*x)) + known + scale(*x) + size_of(*x) * 100 + size_of(1) * 1000
           : *x;
}
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("concepts", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
