// Enumerators of one name in a namespace, in a class and outside.
#include <row.hpp>
enum { most = 20, shape = 1 };
namespace flow {
enum { most = 5 };
struct Cell {
  enum { shape = 100 };
};
void limited(const double *x, double *y) { *y = (*x > most && *x < 10 ? most : *x) + Cell::shape + 1000 * shape; }
} // namespace flow
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(flow::limited, "limited", row::cells, ROW_ARGS);
  row::compare("enums of two scopes", flow::limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
