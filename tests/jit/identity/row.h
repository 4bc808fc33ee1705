/* row.h: what the programs in C share; see row.hpp. x: 1 and 20 in turn, and 7 at five cells. */
#ifndef ROW_H
#define ROW_H
#include <op2/op2.h>
#include <stdio.h>
#include <string.h>

enum { row_count = 5000, row_first_telling = 1731, row_telling = 5 };
static op_set row_cells;
static int row_failed;
static double row_x_double[row_count], row_y_double[row_count];
static float row_x_float[row_count];
static op_dat row_in_double, row_out_double, row_in_float;

static void row_start(int argc, char **argv, double usual, double other, double special) {
  int n;
  op_init(argc, argv, 1);
  row_cells = op_decl_set(row_count, "cells");
  for (n = 0; n < row_count; ++n) {
    int told = n >= row_first_telling && n < row_first_telling + row_telling;
    row_x_double[n] = told ? special : n % 2 == 0 ? usual : other;
    row_x_float[n] = (float)row_x_double[n];
  }
  row_in_double = op_decl_dat(row_cells, 1, "double", row_x_double, "x");
  row_out_double = op_decl_dat(row_cells, 1, "double", NULL, "y");
  row_in_float = op_decl_dat(row_cells, 1, "float", row_x_float, "xf");
}

/* The library's result beside `want`. */
static void row_against(const char *what, const double *want) {
  int n, different = 0, at = row_first_telling;
  op_fetch_data(row_out_double, row_y_double);
  for (n = 0; n < row_count; ++n)
    if (memcmp(&row_y_double[n], &want[n], sizeof(double)) != 0 && different++ == 0) at = n;
  printf("%-20s cell %d of x %g: op_par_loop %.9g, the compiled kernel %.9g   %s\n", what, at, row_x_double[at],
         row_y_double[at], want[at], different == 0 ? "same" : "WRONG");
  if (different != 0) {
    printf("  at %d cells\n", different);
    row_failed = 1;
  }
  for (n = 0; n < row_count; ++n) row_y_double[n] = -12345;
  op_put_data(row_out_double, row_y_double);
}

static int row_finish(void) {
  op_exit();
  return row_failed;
}

#define ROW_X(type) op_arg_dat(row_in_##type, -1, OP_ID, 1, #type, OP_READ)
#define ROW_Y op_arg_dat(row_out_double, -1, OP_ID, 1, "double", OP_WRITE)

/* A loop with `kernel`, held against the kernel itself. */
#define ROW_COMPARE(kernel, type)                                                               \
  do {                                                                                          \
    static double row_want[row_count];                                                          \
    int row_n;                                                                                  \
    for (row_n = 0; row_n < row_count; ++row_n) kernel(&row_x_##type[row_n], &row_want[row_n]); \
    row_against(#kernel, row_want);                                                             \
  } while (0)
#endif

/* SPDX-License-Identifier: MIT */
