// Calls the loops of two libraries, whose kernels and helpers have the same names.
#include <row.hpp>
extern "C" int first_step(op_set cells, op_dat in, op_dat out, int count, const double *x, double *y);
extern "C" int second_step(op_set cells, op_dat in, op_dat out, int count, const double *x, double *y);
int main(int argc, char **argv) {
  row::start(argc, argv);
  std::vector<double> y(row::count);
  int wrong = 0;
  for (auto step : {first_step, second_step, first_step})
    wrong += step(row::cells, row::columns<double>::in, row::columns<double>::out, row::count,
                  row::columns<double>::x.data(), y.data());
  return row::finish() + wrong;
}

// SPDX-License-Identifier: MIT
