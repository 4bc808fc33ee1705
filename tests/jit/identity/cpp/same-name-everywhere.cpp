// Names with several meanings: a struct and a function, a parameter and a type, a label and a macro with parameters.
#include <row.hpp>
struct limit {
  double most = 20;
};
double limit(double x) { return x > 5 && x < 10 ? 5 : x; }
#define scale(v) ((v)*2)
double(scale)(double v) { return v * 3; }
using real = float;
void limited(const double *real, double *y) {
  struct limit l;
  double v = *real;
  *y = limit(v) + l.most + scale(v) + (scale)(v) + sizeof(::real) * 1000;
}
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("one name", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
