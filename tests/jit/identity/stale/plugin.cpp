// A library with a loop, and the program that loads it.
#include <cstdlib>
#include <row.hpp>
#ifdef MAIN
extern void plugin_step();
int main(int argc, char **argv) {
  if (argc > 1 && std::system(argv[1]) != 0) return 3;
  row::start(1, argv);
  plugin_step();
  return row::finish();
}
#else
extern void plugin_step();
static void limited(const double *x, double *y) { *y = *x > 5 && *x < 10 ? MOST : *x; }
void plugin_step() {
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("in a library", limited);
}
#endif

// SPDX-License-Identifier: MIT
