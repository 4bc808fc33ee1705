/* A file with the kernel of port_a_loop.md. */
#include <op2/op2.h>

static void flow_along(const double *length, const double *temp_a, const double *temp_b, double *heat_a, double *heat_b) {
  const double flow = (*temp_a - *temp_b) / *length;
  *heat_a -= flow;
  *heat_b += flow;
}
block
void fragment(op_set edges, op_arg a, op_arg b, op_arg c, op_arg d, op_arg e);
void fragment(op_set edges, op_arg a, op_arg b, op_arg c, op_arg d, op_arg e) {
  op_par_loop_range(flow_along, flow_range, "flow_along", edges, a, b, c, d, e);
}

/* SPDX-License-Identifier: MIT */
