// program.cpp: a program in C++ as a user writes it, through the C interface alone; see program.sh.
#include <op2/op2.h>

#include <cstdio>
#include <vector>

namespace {

void fill(const int *n, double *row) { *row = *n; }
void spread(const double *value, double *left, double *right) { *left += *value, *right += *value; }

template <class... Args>
void loop(op_kernel_fn kernel, const char *name, op_set set, Args... args) {
  const op_arg list[] = {args...};
  op_par_loop(kernel, name, set, sizeof...(Args), list);
}

} // namespace

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  const std::vector<int> table = {0, 1, 1, 2, 2, 3};
  const op_set edges = op_decl_set(3, "edges"), nodes = op_decl_set(4, "nodes");
  const op_map ends = op_decl_map(edges, nodes, 2, table.data(), "ends");
  const op_dat weight = op_decl_dat(edges, 1, "double", nullptr, "weight"),
               load = op_decl_dat(nodes, 1, "double", nullptr, "load");

  loop(reinterpret_cast<op_kernel_fn>(&fill), "fill", edges, op_arg_idx(-1, OP_ID),
       op_arg_dat(weight, -1, OP_ID, 1, "double", OP_WRITE));
  loop(reinterpret_cast<op_kernel_fn>(&spread), "spread", edges, op_arg_dat(weight, -1, OP_ID, 1, "double", OP_READ),
       op_arg_dat(load, 0, ends, 1, "double", OP_INC), op_arg_dat(load, 1, ends, 1, "double", OP_INC));
  std::vector<double> values(4);
  op_fetch_data(load, values.data());
  op_exit();

  if (values != std::vector<double>{0, 1, 3, 2}) {
    std::printf("wrong: %g %g %g %g\n", values[0], values[1], values[2], values[3]);
    return 2;
  }
  std::printf("all answers are right\n");
}

// SPDX-License-Identifier: MIT
