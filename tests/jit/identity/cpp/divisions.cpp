// Divisions of whole numbers, remainders of negative ones, conversions that cut off.
#include <row.hpp>
void limited(const double *x, double *y) {
  const int i = static_cast<int>(*x);
  *y = 1 / 2 * *x + i / 2 + i / 2.0 + -i % 4 + (-i) / 2 * 10 + static_cast<int>(-*x / 2) +
       static_cast<unsigned char>(i * 40) + static_cast<float>(*x / 3) + (i + 1) / (i > 5 ? 3 : 4) * 1.0f;
}
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("divisions", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
