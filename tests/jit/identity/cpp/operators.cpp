// Operators with meanings of their own: of a struct, by conversion, a suffix of literals, and of an enum.
#include <row.hpp>
struct Vec {
  double a, b;
  explicit operator bool() const { return a > 5 && a < 10; }
};
Vec operator*(Vec v, double s) { return {v.a * s, v.b}; }
Vec operator*(double s, Vec v) { return {v.a, v.b * s}; }
double operator|(Vec v, Vec w) { return v.a * w.b + v.b; }
constexpr double operator""_m(long double x) { return static_cast<double>(x) * 1000; }
enum class Kind { low = 1, high = 2 };
Kind operator+(Kind k, int) { return k == Kind::low ? Kind::high : Kind::low; }
Vec &operator,(Vec &v, double s) { return v.b += s, v; }
void limited(const double *x, double *y) {
  Vec v = Vec{*x, 1} * 2.0, w = 3.0 * Vec{*x, 2};
  v, 0.5;
  *y = (v | w) + (Vec{*x, 0} ? 0.5_m : 0) + static_cast<int>(Kind::high + 1);
}
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("operators", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
