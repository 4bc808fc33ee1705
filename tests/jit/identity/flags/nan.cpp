// isnan, which -ffinite-math-only takes away; the NaN is made by memory, not by arithmetic.
#include <cmath>
#include <row.hpp>
void limited(const double *x, double *y) { *y = std::isnan(*x) ? 5 : *x + 1; }
void compared(const double *x, double *y) { *y = *x != *x ? 5 : *x + 1; }
int main(int argc, char **argv) {
  row::start(argc, argv);
  const unsigned long long bits = 0x7ff8ULL << 48;
  std::vector<double> &x = row::columns<double>::x;
  for (int n = 0; n < row::telling; ++n)
    std::memcpy(&x[static_cast<std::size_t>(row::first_telling + n)], &bits, sizeof bits);
  op_put_data(row::columns<double>::in, x.data());
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("isnan", limited);
  op_par_loop(compared, "compared", row::cells, ROW_ARGS);
  row::compare("x != x", compared);
  return row::finish();
}

// SPDX-License-Identifier: MIT
