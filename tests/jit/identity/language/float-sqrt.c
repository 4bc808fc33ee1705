/* sqrt of a float is computed in double; C++ would choose by type. With <tgmath.h> it is one of float. */
#include <math.h>
#include <row.h>
static void limited(const float *x, double *y) { *y = sqrt(*x) + fabs(*x); }
int main(int argc, char **argv) {
  row_start(argc, argv, 1, 20, 7);
  op_par_loop(limited, "limited", row_cells, ROW_X(float), ROW_Y);
  ROW_COMPARE(limited, float);
  return row_finish();
}

/* SPDX-License-Identifier: MIT */
