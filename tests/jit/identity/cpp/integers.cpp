// Integers: characters, promotions, wrapping, literals and their types, shifts, bit fields.
#include <row.hpp>
void limited(const int *x, int *y) {
  const unsigned char c = static_cast<unsigned char>(*x * 37);
  const signed char s = static_cast<signed char>(*x * 37);
  unsigned char wrapped = 250;
  wrapped += static_cast<unsigned char>(*x);
  struct {
    unsigned low : 3;
    signed high : 3;
  } bits = {static_cast<unsigned>(*x) & 7u, 0};
  bits.high = (*x & 7) > 3 ? (*x & 7) - 8 : *x & 7;
  const long long wide = 1LL << 40 | *x;
  *y = c + 2 * s + 3 * wrapped + 5 * (~c > 0) + 7 * ('A' + 1 > 'a') + 11 * static_cast<int>(bits.low) + 13 * bits.high +
       17 * (0x80000000 > 0) + 19 * (-*x >> 1) + 23 * static_cast<int>(wide >> 38) + 29 * (c << 1) + 0b101 + 010 +
       1'000;
}
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_X(int), ROW_Y(int));
  row::compare<int, int>("integers", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
