// One of two files: PART is its name, MOST its number.
#include <row.hpp>
#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
static double most = MOST;
static double limit(double x) { return x > MOST - 0.5 && x < 10 ? most : x; }
static void limited(const double *x, double *y) { *y = limit(*x) + (*x > 5 && *x < 10 ? MOST : 0); }
void JOIN(PART, declare)();
void JOIN(PART, step)();
void JOIN(PART, declare)() { op_decl_const(1, "double", &most); }
void JOIN(PART, step)() {
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("a part", limited);
}

// SPDX-License-Identifier: MIT
