// Names that generated code may want for itself.
#include <row.hpp>
static const double lane = 5, lanes = 10;
static double n(double x) { return x > lane && x < lanes ? lane : x; }
struct vec {
  double begin, end;
};
void op2_range(const double *op_n, double *ctx) {
  const double size = 8, mask = 1, select = 2, min = 3, max = 4, load = 5, store = 6, gather = 7;
  double args[2] = {size, mask}, row = 0, base = 1, stride = 2, map = 3, block = 4, element = 5;
  const vec v = {*op_n, *ctx * 0 == 0 ? 1.0 : 1.0};
  for (int i = 0; i < 2; ++i) row += args[i] * (i + base);
  *ctx = n(*op_n) + row + select + min + max + load + store + gather + stride + map + block + element + v.begin + v.end;
}
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(op2_range, "range", row::cells, ROW_X(double),
              op_arg_dat(row::columns<double>::out, -1, OP_ID, 1, "double", OP_RW));
  row::compare("odd names", op2_range);
  return row::finish();
}

// SPDX-License-Identifier: MIT
