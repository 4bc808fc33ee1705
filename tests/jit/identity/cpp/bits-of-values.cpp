// Values as bits: a union, memcpy, bit_cast, a volatile variable.
#include <bit>
#include <cstdint>
#include <row.hpp>
void limited(const double *x, double *y) {
  union {
    double d;
    std::uint64_t u;
  } both = {*x};
  std::uint64_t bits;
  std::memcpy(&bits, x, sizeof bits);
  volatile double kept = *x > 5 && *x < 10 ? 5 : *x;
  *y = static_cast<double>((both.u >> 52) + (bits & 0xff) +
                           (std::bit_cast<std::uint32_t>(static_cast<float>(*x)) >> 20)) +
       kept;
}
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("bits of values", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
