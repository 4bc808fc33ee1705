// Raw string literals with lines of blanks, and with what looks like a line of the preprocessor.
#include <row.hpp>
constexpr char blanks[] = R"(a
   	 
b)";
constexpr char marker[] = R"x(
# 1 "/usr/include/math.h" 1 3
)" #define none
)x";
constexpr double digits = 1'000; // no quotes
void limited(const double *x, double *y) {
  *y = *x == 7 ? sizeof blanks * 100 + sizeof marker + blanks[3] : digits;
}
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("raw-strings", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
