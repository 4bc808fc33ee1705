// row.hpp: what the programs in C++ share: columns of values on cells, and the comparison with the compiled kernel.
//
//   row::start(argc, argv);                                  // x: 1 and 20 in turn, and 7 at five cells
//   op_par_loop(limited, "limited", row::cells, ROW_ARGS);   // y from x, both double
//   row::compare("limited", limited);                        // the library's y beside that of limited itself
//   return row::finish();
//
// The five cells lie where no sample by position looks: not at the start, in the middle, at the end, or at equal steps.
// Their value is neither the least nor the greatest.
#pragma once
#include <op2/op2.hpp>

#include <cstdio>
#include <cstring>
#include <vector>

namespace row {

constexpr int count = 5000, first_telling = 1731, telling = 5;
inline op_set cells;
inline int failed = 0;

template <class T>
struct columns {
  static inline std::vector<T> x;
  static inline op_dat in = nullptr, out = nullptr;

  static void declare(const char *type, double usual, double other, double special) {
    x.resize(count);
    for (int n = 0; n < count; ++n) {
      const bool told = n >= first_telling && n < first_telling + telling;
      x[static_cast<std::size_t>(n)] = static_cast<T>(told ? special : n % 2 == 0 ? usual : other);
    }
    in = op_decl_dat(cells, 1, type, x.data(), "x");
    out = op_decl_dat(cells, 1, type, nullptr, "y");
  }
};

// For programs whose library is initialised elsewhere.
inline void declare(double usual = 1, double other = 20, double special = 7) {
  cells = op_decl_set(count, "cells");
  columns<double>::declare("double", usual, other, special);
  columns<float>::declare("float", usual, other, special);
  columns<int>::declare("int", usual, other, special);
}
inline void start(int argc, char **argv, double usual = 1, double other = 20, double special = 7) {
  op_init(argc, argv, 1);
  declare(usual, other, special);
}

// The same bits; all NaNs are one. By their bits, since -ffast-math takes comparisons away.
template <class T>
bool same(const T &a, const T &b) {
  if constexpr (std::is_same_v<T, double>) {
    unsigned long long i, j;
    std::memcpy(&i, &a, sizeof i);
    std::memcpy(&j, &b, sizeof j);
    const unsigned long long top = 0x7ffULL << 52, low = (1ULL << 52) - 1;
    return i == j || ((i & top) == top && (i & low) != 0 && (j & top) == top && (j & low) != 0);
  } else {
    return std::memcmp(&a, &b, sizeof a) == 0;
  }
}

// Y: type of the kernel's result, X: of its parameter.
template <class Y = double, class X = double, class K>
void compare(const char *what, const K &kernel) {
  std::vector<Y> got(count);
  op_fetch_data(columns<Y>::out, got.data());
  int different = 0, at = first_telling;
  std::vector<Y> want(count);
  for (int n = 0; n < count; ++n) {
    const std::size_t i = static_cast<std::size_t>(n);
    kernel(&columns<X>::x[i], &want[i]);
    if (!same(got[i], want[i]) && different++ == 0) at = n;
  }
  const std::size_t i = static_cast<std::size_t>(at);
  std::printf("%-20s cell %d of x %g: op_par_loop %.9g, the compiled kernel %.9g   %s\n", what, at,
              static_cast<double>(columns<X>::x[i]), static_cast<double>(got[i]), static_cast<double>(want[i]),
              different == 0 ? "same" : "WRONG");
  if (different != 0) {
    std::printf("  at %d cells\n", different);
    failed = 1;
  }
  const std::vector<Y> none(count, static_cast<Y>(-12345)); // what a loop that does not run would leave
  op_put_data(columns<Y>::out, none.data());
}

inline int finish() {
  op_exit();
  return failed;
}

} // namespace row

#define ROW_X(type) op_arg_dat(row::columns<type>::in, -1, OP_ID, 1, #type, OP_READ)
#define ROW_Y(type) op_arg_dat(row::columns<type>::out, -1, OP_ID, 1, #type, OP_WRITE)
#define ROW_ARGS ROW_X(double), ROW_Y(double)

// SPDX-License-Identifier: MIT
