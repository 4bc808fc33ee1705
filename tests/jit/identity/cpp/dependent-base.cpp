// In a template, a plain name does not mean a member of a base that depends on the parameter.
#include <row.hpp>
double limit(double x) { return x > 5 && x < 10 ? 5 : x; }
template <class T>
struct Base {
  static T limit(T x) { return x; }
};
template <class T>
struct Solver : Base<T> {
  static void limited(const T *x, T *y) { *y = limit(*x); }
};
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(Solver<double>::limited, "limited", row::cells, ROW_ARGS);
  row::compare("dependent base", Solver<double>::limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
