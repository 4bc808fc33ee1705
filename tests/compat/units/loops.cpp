// loops.cpp: loops in another file than the declarations, with a kernel of the same name as there.
#include "units.h"

using namespace std;

static void work(const float *x, float *left, float *right) {
  float f = (float)factor;
  *left += f * *x;
  *right += max(f, 1.0f) * abs(*x);
}
template <class T, int N>
inline void add_up(const T *value, T *sum) {
  for (int d = 0; d < N; d++) *sum += value[d];
}

template <class T>
struct summation {
  T result;
  void run(op_dat dat, const char *type, bool twice) {
    result = 0;
    for (int k = 0; k < (twice ? 2 : 1); k++)
      op_par_loop((add_up<T, 1>), "add_up", dat->set, op_arg_dat(dat, -1, OP_ID, dat->dim, type, OP_READ),
                  op_arg_gbl(&result, 1, type, OP_INC));
  }
};

void gather_here() {
  op_par_loop(work, "work", edges, op_arg_dat(p_x, -1, OP_ID, 1, "float", OP_READ),
              op_arg_dat(p_sum, 0, pedge, 1, "float", OP_INC), op_arg_dat(p_sum, 1, pedge, 1, "float", OP_INC));
}

double total() {
  summation<float> sum;
  sum.run(p_sum, "float", true);
  op_arg arg = factor > 1.0 ? op_arg_dat(p_sum, -1, OP_ID, 1, "float", OP_READ)
                            : op_arg_dat(p_sum, -1, OP_ID, 1, "float", OP_READ);
  float once = 0.0f;
  op_par_loop((add_up<float, 1>), "add_up", nodes, arg, op_arg_gbl(&once, 1, "float", OP_INC));
  return sum.result + once;
}

// SPDX-License-Identifier: MIT
