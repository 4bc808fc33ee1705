// Macros that the compiler defines by its flags: those of code that is made later are others.
#include <row.hpp>
void limited(const double *x, double *y) {
  double v = *x;
#ifdef __OPTIMIZE__
  v += 1;
#endif
#ifdef __PIC__
  v += 2 * __PIC__;
#endif
#ifdef __PIE__
  v += 8 * __PIE__;
#endif
#ifdef __AVX2__
  v += 100;
#endif
#ifdef __AVX512F__
  v += 200;
#endif
#ifdef __FMA__
  v += 400;
#endif
#ifdef __FAST_MATH__
  v += 1000;
#endif
#ifdef __NO_MATH_ERRNO__
  v += 2000;
#endif
#ifdef __EXCEPTIONS
  v += 10000;
#endif
#ifdef _OPENMP
  v += 20000;
#endif
#ifdef _REENTRANT
  v += 40000;
#endif
#ifdef __STRICT_ANSI__
  v += 100000;
#endif
#ifdef NDEBUG
  v += 200000;
#endif
  *y = *x > 5 && *x < 10 ? v : *x;
}
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("macros of flags", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
