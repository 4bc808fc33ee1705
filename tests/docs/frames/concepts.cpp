// The same in C++.
#include <op2/op2.hpp>

static void flux(const double *left, const double *right, double *left_sum, double *right_sum, double *total) {
  for (int n = 0; n < 4; ++n) left_sum[n] += right[n], right_sum[n] += left[n], *total += left[n];
}

void fragment(int edge_count, int cell_count, const int *edge_cells_array, const double *q_array);
void fragment(int edge_count, int cell_count, const int *edge_cells_array, const double *q_array) {
  block
}

// SPDX-License-Identifier: MIT
