// Lambdas: in place, in a variable, of one name in two blocks, and one that calls one; a function has the same name.
#include <row.hpp>
void limited(const double *x, double *y) { *y = *x; }
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop([](const double *x, double *y) { *y = *x > 5 && *x < 10 ? 1 : *x; }, "in place", row::cells, ROW_ARGS);
  row::compare("in place", [](const double *x, double *y) { *y = *x > 5 && *x < 10 ? 1 : *x; });
  {
    const auto limited = [](const double *x, double *y) { *y = *x > 5 && *x < 10 ? 2 : *x; };
    op_par_loop(limited, "first block", row::cells, ROW_ARGS);
    row::compare("first block", limited);
  }
  {
    const auto limited = [](const double *x, double *y) { *y = *x > 5 && *x < 10 ? 3 : *x; };
    op_par_loop(limited, "second block", row::cells, ROW_ARGS);
    row::compare("second block", limited);
    op_par_loop(::limited, "global", row::cells, ROW_ARGS);
    row::compare("global", ::limited);
  }
  const auto outer = [](const double *x, double *y) {
    constexpr auto limit = [](double v) { return v > 5 && v < 10 ? 4 : v; };
    *y = limit(*x);
  };
  op_par_loop(outer, "nested", row::cells, ROW_ARGS);
  row::compare("nested", outer);
  return row::finish();
}

// SPDX-License-Identifier: MIT
