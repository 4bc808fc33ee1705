// A static variable counts the calls of a kernel; the library may not call it more often than there are cells.
#include <row.hpp>
static int counted() {
  static int calls = 0;
  return ++calls;
}
void limited(const double *x, double *y) {
  static int calls = 0;
  ++calls;
  *y = (*x > 5 && *x < 10 ? 5 : *x) + (calls > row::count ? 1000 : 0);
  counted();
}
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("counter of calls", [](const double *x, double *y) { *y = *x > 5 && *x < 10 ? 5 : *x; });
  const int calls = counted() - 1;
  std::printf("%d calls   %s\n", calls, calls == row::count ? "same" : "WRONG");
  return row::finish();
}

// SPDX-License-Identifier: MIT
