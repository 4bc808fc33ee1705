// A helper comes from a using declaration in the kernel's namespace, one with the same name is global.
#include <row.hpp>
double limit(double x) { return x; }
namespace tools {
double limit(double x) { return x > 5 && x < 10 ? 5 : x; }
} // namespace tools
namespace flow {
using tools::limit;
void limited(const double *x, double *y) { *y = limit(*x); }
} // namespace flow
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(flow::limited, "limited", row::cells, ROW_ARGS);
  row::compare("using in a namespace", flow::limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
