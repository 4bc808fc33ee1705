/* A loop that stops early, by the macro of C, for until.cpp. */
#include <op2/inspect.h>
#include <op2/op2.h>
#include <op2/until.h>

static void lay(const int *x, const int *limit, int *left, int *right, int *stop) {
  *left += *x;
  *right -= *x;
  *stop = *x > *limit;
}

long long until_in_c(op_map ends, op_dat x, op_dat sums, int limit);
long long until_in_c(op_map ends, op_dat x, op_dat sums, int limit) {
  op_gindex last = -2;
  op_par_loop_until(lay, "lay", op_map_from(ends), op_arg_dat(x, -1, OP_ID, 1, "int", OP_READ),
                    op_arg_gbl(&limit, 1, "int", OP_READ), op_arg_dat(sums, 0, ends, 1, "int", OP_INC),
                    op_arg_dat(sums, 1, ends, 1, "int", OP_INC), op_arg_stop(&last));
  return last;
}
// SPDX-License-Identifier: MIT
