// The loops of two modules in a chain, which may run as one.
#include "bench.hpp"
#include <op2/chain.h>
void set_a(double), set_b(double), loop_a(Bench &), loop_b(Bench &);
int main(int argc, char **argv) {
  Bench bench(argc, argv);
  set_a(2);
  set_b(2);
  for (int n = 0; n < 2000; ++n) {
    if (n == 1000) set_b(3);
    op_chain_begin("both");
    if (n % 2 == 0) loop_b(bench);
    loop_a(bench);
    if (n % 2 != 0) loop_b(bench);
    op_chain_end();
    bench.want("chain", n % 2 == 0 || n < 1000 ? 2 : 3);
  }
}
