// One call of op_par_loop in a template stands for several kernels: by a number, by a type, in a generic lambda.
#include <row.hpp>
template <int most>
void limited(const double *x, double *y) {
  *y = *x > most && *x < 10 ? most : *x;
}
struct First {
  static void limited(const double *x, double *y) { *y = *x > 5 && *x < 10 ? 2 : *x; }
};
struct Second {
  static void limited(const double *x, double *y) { *y = *x > 5 && *x < 10 ? 3 : *x; }
};
template <int most>
void step() {
  op_par_loop(limited<most>, "limited", row::cells, ROW_ARGS);
  row::compare("by number", limited<most>);
}
template <class Scheme>
void scheme_step() {
  op_par_loop(Scheme::limited, "scheme", row::cells, ROW_ARGS);
  row::compare("by type", Scheme::limited);
}
int main(int argc, char **argv) {
  row::start(argc, argv);
  step<5>();
  step<6>();
  scheme_step<First>();
  scheme_step<Second>();
  const auto any_step = [](auto scheme) {
    op_par_loop(decltype(scheme)::limited, "any", row::cells, ROW_ARGS);
    row::compare("in a lambda", decltype(scheme)::limited);
  };
  any_step(Second());
  any_step(First());
  return row::finish();
}

// SPDX-License-Identifier: MIT
