// Two namespaces and a class have a declared constant of one name; each kernel reads its own.
#include <row.hpp>
namespace gas {
double most = 5;
void limited(const double *x, double *y) { *y = *x > most && *x < 10 ? most : *x; }
} // namespace gas
namespace water {
double most = 6;
void limited(const double *x, double *y) { *y = *x > most && *x < 10 ? most : *x; }
} // namespace water
struct Solver {
  static inline double most = 6.5;
  static void limited(const double *x, double *y) { *y = *x > most && *x < 10 ? most : *x; }
};
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_decl_const(1, "double", &gas::most);
  op_decl_const(1, "double", &water::most);
  op_decl_const(1, "double", &Solver::most);
  for (int n = 0; n < 2; ++n) {
    op_par_loop(gas::limited, "gas", row::cells, ROW_ARGS);
    row::compare("gas", gas::limited);
    op_par_loop(water::limited, "water", row::cells, ROW_ARGS);
    row::compare("water", water::limited);
    op_par_loop(Solver::limited, "solver", row::cells, ROW_ARGS);
    row::compare("class", Solver::limited);
    gas::most = 6.25;
    op_decl_const(1, "double", &gas::most);
  }
  return row::finish();
}

// SPDX-License-Identifier: MIT
