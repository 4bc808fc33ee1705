/* wrong_range.c: range functions in C that differ from their kernel, as a slip of the pen makes them. */
#include "op2/op2.h"

op_status wrong_range_dim(op_set edges, op_map ends, op_dat q, op_dat sum);
op_status wrong_range_place(op_set edges, op_map ends, op_dat q, op_dat sum);
op_status range_with_gaps(op_set edges, op_map ends, op_dat q, op_dat sum);
op_status right_range(op_set edges, op_map ends, op_dat q, op_dat sum);

static void flux(const double *a, const double *b, double *sum) { *sum += a[0] * b[1] - a[1] * b[0]; }

OP_RANGE_FN(right, flux(OP_VIA(0, const double, 2), OP_VIA(1, const double, 2), OP_VIA(2, double, 1)))
OP_RANGE_FN(wrong_dim, flux(OP_VIA(0, const double, 2), OP_VIA(1, const double, 2), OP_VIA(2, double, 2)))
OP_RANGE_FN(wrong_place, flux(OP_VIA(1, const double, 2), OP_VIA(0, const double, 2), OP_VIA(2, double, 1)))

/* Every other element. */
static void gaps(const op_range_ctx *ctx, int begin, int end) {
  for (int n = begin; n < end; n += 2) right(ctx, n, n + 1);
}

static op_status run(op_range_fn range, op_set edges, op_map ends, op_dat q, op_dat sum) {
  op_loop_site site = OP_LOOP_SITE((op_kernel_fn)flux, range, "flux");
  op_arg args[] = {op_arg_dat(q, 0, ends, 2, "double", OP_READ), op_arg_dat(q, 1, ends, 2, "double", OP_READ),
                   op_arg_dat(sum, 1, ends, 1, "double", OP_INC)};
  return op_par_loop_site(&site, "flux", edges, 3, args);
}

op_status right_range(op_set edges, op_map ends, op_dat q, op_dat sum) { return run(right, edges, ends, q, sum); }
op_status wrong_range_dim(op_set edges, op_map ends, op_dat q, op_dat sum) {
  return run(wrong_dim, edges, ends, q, sum);
}
op_status wrong_range_place(op_set edges, op_map ends, op_dat q, op_dat sum) {
  return run(wrong_place, edges, ends, q, sum);
}
op_status range_with_gaps(op_set edges, op_map ends, op_dat q, op_dat sum) { return run(gaps, edges, ends, q, sum); }

/* SPDX-License-Identifier: MIT */
