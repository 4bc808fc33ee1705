// Comparisons and divisions of signed with unsigned numbers.
#include <cstddef>
#include <row.hpp>
void limited(const int *x, int *y) {
  const int less = *x - 8; // -1 at the cells that tell
  const std::size_t size = 4;
  const unsigned short small = 3;
  *y = (less < 5u) + 10 * (less < static_cast<long long>(5u)) + 100 * (less > sizeof(int)) + 1000 * (less / 2u > 100u) +
       10000 * (less < small) + 100000 * (static_cast<std::size_t>(less) < size) + 1000000 * (less % 4u == 3u);
}
int main(int argc, char **argv) {
  row::start(argc, argv, 9, 40, 7);
  op_par_loop(limited, "limited", row::cells, ROW_X(int), ROW_Y(int));
  row::compare<int, int>("signed and unsigned", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
