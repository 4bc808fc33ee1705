// A kernel with C linkage that another file defines, and a function of that name in a namespace of this one.
#include <row.hpp>
extern "C" void limited(const double *x, double *y);
namespace flow {
void limited(const double *x, double *y) { *y = *x > 5 && *x < 10 ? 6 : *x; }
} // namespace flow
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("of another file", limited);
  op_par_loop(flow::limited, "flow", row::cells, ROW_ARGS);
  row::compare("of a namespace", flow::limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
