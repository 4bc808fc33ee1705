// char, wchar_t, enums, bit fields and strings are as the flags say.
#include <row.hpp>
enum small { low, high };
void limited(const double *x, double *y) {
  const char c = static_cast<char>(static_cast<int>(*x) * 30); // 210 at the cells that tell
  struct {
    int field : 3;
  } bits;
  bits.field = static_cast<int>(*x) & 7;
  const enum small one = high;
  *y = c + (c < 0 ? 1000 : 2000) + 10000.0 * bits.field + 1e6 * sizeof(one) + 1e7 * sizeof(wchar_t) +
       1e9 * sizeof("\u00e9") + 1e10 * ('\xff' < 0);
}
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("characters", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
