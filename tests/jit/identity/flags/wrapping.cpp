// Sums of int that go over, at the cells that tell.
#include <row.hpp>
void limited(const int *x, int *y) { *y = *x + 100 > *x ? 1 : 2; }
void halved(const int *x, int *y) { *y = (*x * 2) / 2 - (*x < 0 ? 1 : 0); }
int main(int argc, char **argv) {
  row::start(argc, argv, 1, 20, 2147483647);
  op_par_loop(limited, "limited", row::cells, ROW_X(int), ROW_Y(int));
  row::compare<int, int>("comparison", limited);
  op_par_loop(halved, "halved", row::cells, ROW_X(int), ROW_Y(int));
  row::compare<int, int>("product", halved);
  return row::finish();
}

// SPDX-License-Identifier: MIT
