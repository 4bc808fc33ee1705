// One file of kernels is included twice, with other macros and in other namespaces.
#include <row.hpp>
#define ORDER 1
namespace first_order {
#include "included-twice.inc"
}
#undef ORDER
#define ORDER 2
namespace second_order {
#include "included-twice.inc"
}
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(second_order::limited, "limited", row::cells, ROW_ARGS);
  row::compare("second order", second_order::limited);
  op_par_loop(first_order::limited, "limited", row::cells, ROW_ARGS);
  row::compare("first order", first_order::limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
