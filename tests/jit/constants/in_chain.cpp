// in_chain SPELLING: a constant gets another value within a chain. Either the loop before it has computed with the old
// one, or the declaration fails.
#include "bench.hpp"
#include <cstring>
#include <op2/chain.h>
static double fac = 2;
static void grow(double *y) { *y = *y * fac + 1; }
static op_status declare(const char *spelling) {
  if (!strcmp(spelling, "op_decl_const")) return op_decl_const(1, "double", &fac);
  if (!strcmp(spelling, "op_decl_const_named")) return op_decl_const_named("fac", 1, "double", &fac);
  if (!strcmp(spelling, "cast")) return op_decl_const(1, "double", (double *)&fac);
  if (!strcmp(spelling, "op_decl_const_char"))
    return op_decl_const_char(1, "double", 8, reinterpret_cast<const char *>(&fac), "fac");
  if (!strcmp(spelling, "stack")) {
    const double copy = fac;
    return op_decl_const_named("fac", 1, "double", &copy);
  }
  try {
    op2::constant("fac", fac);
  } catch (const op2::error &error) {
    return error.code();
  }
  return op_last_status();
}
int main(int argc, char **argv) {
  setenv("OP2_ERROR", "return", 1);
  Bench bench(1, argv);
  const auto run = [&] { op_par_loop(grow, "grow", bench.cells, op_arg_dat(bench.y, -1, OP_ID, 1, "double", OP_RW)); };
  fac = 2;
  op_decl_const(1, "double", &fac);
  op_chain_begin("c");
  run(); // 1
  fac = 5;
  const bool failed = declare(argv[1]) != OP_OK;
  std::printf("%s\n", failed ? "refused" : "declared");
  if (failed) fac = 2;
  run();
  op_chain_end();
  bench.want("chain", failed ? 3 : 6);
}

// SPDX-License-Identifier: MIT
