// The helper is found in the namespace of its argument, and one is a friend that only the class names.
#include <row.hpp>
template <class T>
double limit(const T &s) {
  return s.value;
}
template <class T>
double twice(const T &s) {
  return s.value;
}
namespace gas {
struct State {
  double value;
  friend double twice(const State &s) { return 2 * s.value; }
};
double limit(const State &s) { return s.value > 5 && s.value < 10 ? 5 : s.value; }
} // namespace gas
void limited(const double *x, double *y) {
  const gas::State s{*x};
  *y = limit(s) + twice(s);
}
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("found by argument", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
