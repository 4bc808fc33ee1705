// loops.cpp: every kind of argument and of kernel that OP2's programs use.
#include "op_seq.h"

#include "grid.h"

struct point {
  double a;
  int b;
};
inline int type_error(const point *, const char *type) { return strcmp(type, "point"); }

int scale[3];
point origin;

inline void count(int *number) { *number += 1; }
inline void count(const double *, int *number) { *number += 1; } // one more of that name
inline void extremes(const double *x, double *least, double *most, float *lowest, int *sums, long long *big,
                     uint *bits) {
  for (int d = 0; d < 2; d++) {
    least[d] = MIN(least[d], x[d]);
    most[d] = MAX(most[d], x[d]);
  }
  *lowest = MIN(*lowest, (float)x[0]);
  for (int d = 0; d < 5; d++) sums[d] += d * scale[d % 3];
  *big += 3000000000LL;
  *bits += 2u;
}
inline void numbers(const int *self, const int *first, const int *second, int *seen) {
  seen[0] = *self;
  seen[1] = *first;
  seen[2] = *second;
}
inline void corners(const double **x, double **sum, const double *extra, const int *on) {
  for (int k = 0; k < 4; k++) sum[k][0] += x[k][0] + (*on ? *extra : 0.0);
}
inline void first_two(const double **x, double *out) { *out = x[0][1] + x[1][1]; }
inline void mark(int *node) { *node = 7; }
inline void place(const double *x, double *most, const int *self, int *where, double *value) {
  if (x[0] + 3.0 * x[1] > *most) {
    *most = x[0] + 3.0 * x[1];
    *where = *self;
    *value = x[1];
  }
}
inline void points(point *p, const int *self, const int *on, const double *maybe) {
  p->a = origin.a + *self;
  p->b = origin.b;
  if (*on) p->a += *maybe;
}
template <int N>
inline void add_n(double *value) {
  *value += N;
}
template <class T, int N>
inline void add_to_second(T *value) {
  value[1] += N;
}
template <class T, int N, int M>
inline void add_products(T *value, const T *by, T *sum) {
  *value += N * M;
  *sum += *by;
}
template <class T, int N, class U, int M>
inline void add_four(T *value, const T *) {
  *value += U(N) * M;
}
template <class T, int A, int B, int C, int D>
inline void add_five(T *value) {
  *value += A + 10 * B + 100 * C + 1000 * D;
}
template <class T, int A, int B, int C, int D, int E, int F, int G, int H, int I, int J, int K>
inline void add_twelve(T *value) {
  *value += A + B + C + D + E + F + G + H + I + J + K;
}
inline void add_three(double *value, const double *by, const int *n, double *sum) {
  *value += 0.5 * *n;
  *sum += *by;
}
inline void find(const double *x, int *seen, int *last, double *scratch) {
  scratch[0] = x[0];
  scratch[1] = 2.0 * scratch[0];
  if (scratch[1] >= 0.0) *seen = 1;
  *last = 5;
}
inline void first_only(double *value) { value[0] = 36.0; } // leaves the other as it was
static void twice(double *value) { *value *= 2.0; }
static void thrice(double *value) { *value *= 3.0; }

// A loop in a function that gets the kernel, the name and the arguments.
static void run(void (*kernel)(double *), const char *name, op_set set, op_arg arg) {
  op_par_loop(kernel, name, set, arg);
}

int main(int argc, char **argv) {
  op_init(argc, argv, 1);
  grid g(11, 8);
  scale[0] = 1, scale[1] = 2, scale[2] = 3;
  op_decl_const(3, "int", scale);
  origin.a = 0.5;
  origin.b = 9;
  op_decl_const(1, "point", &origin);

  op_set nodes = op_decl_set(g.nnode, "nodes"), cells = op_decl_set(g.ncell, "cells"),
         edges = op_decl_set(g.nedge, "edges");
  op_map pcell = op_decl_map(cells, nodes, 4, &g.cell[0], "pcell");
  op_map pecell = op_decl_map(edges, cells, 2, &g.ecell[0], "pecell");
  op_dat p_x = op_decl_dat(nodes, 2, "double", &g.x[0], "p_x");
  op_dat p_sum = op_decl_dat(nodes, 1, "double", (double *)NULL, "p_sum");
  op_dat p_mark = op_decl_dat(nodes, 1, "int", (int *)NULL, "p_mark");
  op_dat p_seen = op_decl_dat(edges, 3, "int", (int *)NULL, "p_seen");
  op_dat p_c = op_decl_dat(cells, 1, "double", (double *)NULL, "p_c");
  op_dat p_point = op_decl_dat(cells, 1, "point", (point *)NULL, "p_point");
  op_dat p_early = op_decl_dat_temp_char(cells, 1, "int", sizeof(double), "early"); // before the mesh is divided
  op_partition("", "", NULL, NULL, NULL);
  op_dat p_late = op_decl_dat_temp(cells, 2, "double", (double *)NULL, "late");

  int number = 0, direct = 0;
  op_par_loop(count, "count", edges,
              op_arg_dat(p_x, 0, op_decl_map(edges, nodes, 2, &g.edge[0], "pedge"), 2, "double", OP_READ),
              op_arg_gbl(&number, 1, "int", OP_INC));
  op_par_loop(count, "count", cells, op_arg_gbl(&direct, 1, "int", OP_INC));
  check(number == g.nedge && direct == g.ncell, "an overloaded kernel counts edges and cells");
  check(op_get_size(edges) == g.nedge, "op_get_size");

  double least[2] = {1e9, 1e9}, most[2] = {-1e9, -1e9}, own[4] = {1e9, 1e9, -1e9, -1e9};
  float lowest = 1e9f;
  int sums[5] = {10, 0, 0, 0, 0}; // what was there stays
  long long big = 1;
  uint bits = 1;
  op_par_loop(extremes, "extremes", nodes, op_arg_dat(p_x, -1, OP_ID, 2, "double", OP_READ),
              op_arg_gbl(least, 2, "double", OP_MIN), op_arg_gbl(most, 2, "double", OP_MAX),
              op_arg_gbl(&lowest, 1, "float", OP_MIN), op_arg_gbl(sums, 5, "int", OP_INC),
              op_arg_gbl(&big, 1, "ll", OP_INC), op_arg_gbl(&bits, 1, "uint", OP_INC));
  for (int n = 0; n < g.nnode; n++)
    for (int d = 0; d < 2; d++) {
      own[d] = MIN(own[d], g.x[2 * n + d]);
      own[2 + d] = MAX(own[2 + d], g.x[2 * n + d]);
    }
  check(least[0] == own[0] && least[1] == own[1] && most[0] == own[2] && most[1] == own[3], "minima and maxima");
  check(lowest == (float)own[0], "a minimum of floats");
  check(sums[0] == 10 && sums[1] == 2 * g.nnode && sums[4] == 8 * g.nnode, "sums of ints, five at once");
  check(big == 1 + 3000000000LL * g.nnode && bits == 1u + 2u * (uint)g.nnode, "sums of ll and uint");

  op_par_loop(numbers, "numbers", edges, op_arg_idx(-1, OP_ID), op_arg_idx(0, pecell), op_arg_idx(1, pecell),
              op_arg_dat(p_seen, -1, OP_ID, 3, "int", OP_WRITE));
  std::vector<int> seen(3 * (size_t)g.nedge);
  op_fetch_data_idx(p_seen, &seen[0], 0, g.nedge - 1);
  bool right = true;
  for (int n = 0; n < g.nedge; n++)
    right = right && seen[3 * n] == n && seen[3 * n + 1] == g.ecell[2 * n] && seen[3 * n + 2] == g.ecell[2 * n + 1];
  check(right, "the numbers of elements");

  for (int on = 0; on < 2; on++)
    op_par_loop(corners, "corners", cells, op_arg_dat(p_x, -4, pcell, 2, "double", OP_READ),
                op_arg_dat(p_sum, -4, pcell, 1, "double", OP_INC),
                op_opt_arg_dat(on, on ? p_c : NULL, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&on, 1, "int", OP_READ));
  op_par_loop(first_two, "first_two", cells, op_arg_dat(p_x, -2, pcell, 2, "double", OP_READ),
              op_arg_dat(p_c, -1, OP_ID, 1, "double", OP_WRITE));
  std::vector<double> sum(g.nnode), own_sum(g.nnode, 0.0), c(g.ncell);
  op_fetch_data_idx(p_sum, &sum[0], 0, g.nnode - 1);
  op_fetch_data_idx(p_c, &c[0], 0, g.ncell - 1);
  for (int n = 0; n < 4 * g.ncell; n++) own_sum[g.cell[n]] += 2.0 * g.x[2 * g.cell[n]];
  right = true;
  for (int n = 0; n < g.nnode; n++) right = right && fabs(sum[n] - own_sum[n]) < 1e-12 * (1.0 + own_sum[n]);
  for (int n = 0; n < g.ncell; n++)
    right = right && c[n] == g.x[2 * g.cell[4 * n] + 1] + g.x[2 * g.cell[4 * n + 1] + 1];
  check(right, "vector arguments");

  op_par_loop(mark, "mark", cells, op_arg_dat(p_mark, 2, pcell, 1, "int", OP_WRITE)); // the same value many times
  std::vector<int> marked(g.nnode), own_mark(g.nnode, 0);
  op_fetch_data_idx(p_mark, &marked[0], 0, g.nnode - 1);
  for (int n = 0; n < g.ncell; n++) own_mark[g.cell[4 * n + 2]] = 7;
  check(marked == own_mark, "OP_WRITE through a map");

  double far = -1e9, value = 0.0;
  int where = -1;
  op_par_loop(place, "place", nodes, op_arg_dat(p_x, -1, OP_ID, 2, "double", OP_READ),
              op_arg_gbl(&far, 1, "double", OP_MAX), op_arg_idx(-1, OP_ID), op_arg_info(&where, 1, "int", 1),
              op_arg_info(&value, 1, "double", 1));
  int own_where = 0;
  for (int n = 0; n < g.nnode; n++)
    if (g.x[2 * n] + 3.0 * g.x[2 * n + 1] > g.x[2 * own_where] + 3.0 * g.x[2 * own_where + 1]) own_where = n;
  check(where == own_where && value == g.x[2 * own_where + 1], "payloads of a maximum, on all processes");

  int on = 0;
  double maybe = 100.0;
  op_par_loop(points, "points", cells, op_arg_dat(p_point, -1, OP_ID, 1, "point", OP_RW), op_arg_idx(-1, OP_ID),
              op_arg_gbl(&on, 1, "int", OP_READ), op_opt_arg_gbl(on, &maybe, 1, "double", OP_READ));
  std::vector<point> found(g.ncell);
  op_fetch_data_idx(p_point, &found[0], 0, g.ncell - 1);
  right = true;
  for (int n = 0; n < g.ncell; n++) right = right && found[n].a == 0.5 + n && found[n].b == 9;
  check(right, "a type of the program's own");

  op_par_loop(add_n<3>, "add", cells, op_arg_dat(p_late, -1, OP_ID, 2, "double", OP_RW));
  op_par_loop(add_to_second<double, 4>, "add to the second", cells, op_arg_dat(p_late, -1, OP_ID, 2, "double", OP_RW));
  void (*kernel)(double *) = twice;
  op_par_loop(kernel, "twice or thrice", cells, op_arg_dat(p_late, -1, OP_ID, p_late->dim, "double", OP_RW));
  kernel = thrice;
  op_par_loop(kernel, "twice or thrice", cells, op_arg_dat(p_late, -1, OP_ID, p_late->dim, "double", OP_RW));
  run(twice, "twice", cells, op_arg_dat(p_late, -1, OP_ID, 2, "double", OP_RW));
  op_par_loop(first_only, "first only", cells, op_arg_dat(p_late, -1, OP_ID, 2, "double", OP_WRITE));
  std::vector<double> late(2 * (size_t)g.ncell);
  op_fetch_data_idx(p_late, &late[0], 0, g.ncell - 1);
  check(late[0] == 36.0 && late[2 * g.ncell - 2] == 36.0 && late[1] == 4.0,
        "templates, a pointer, a pointer as parameter");

  // Any number of commas between < and >, and arguments that are no calls.
  double total = 0.0;
  const double one = 1.0;
  op_arg row = op_arg_dat(p_late, -1, OP_ID, 2, "double", OP_RW), by = op_arg_gbl(&one, 1, "double", OP_READ);
  op_arg index = op_arg_idx(-1, OP_ID), add = op_arg_gbl(&total, 1, "double", OP_INC);
  op_par_loop(add_products<double, 2, 3>, "three", cells, op_arg_dat(p_late, -1, OP_ID, 2, "double", OP_RW),
              op_arg_gbl(&one, 1, "double", OP_READ), op_arg_gbl(&total, 1, "double", OP_INC));
  op_par_loop(add_products<double, 2, 3>, "three", cells, row, by, op_arg_gbl(&total, 1, "double", OP_INC));
  op_par_loop(add_four<double, 4, float, 5>, "four", *&cells, row, op_arg_gbl(&one, 1, "double", OP_READ));
  op_par_loop(add_four<double, 4, float, 5>, "four", cells,
              (g.ncell > 0) ? op_arg_dat(p_late, -1, OP_ID, 2, "double", OP_RW) : row, by);
  op_par_loop(add_five<double, 1, 2, 3, 4>, "five", cells, op_arg_dat(p_late, -1, OP_ID, 2, "double", OP_RW));
  op_par_loop(add_twelve<double, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11>, "twelve", cells,
              op_arg_dat(p_late, -1, OP_ID, 2, "double", OP_RW));
  op_par_loop(add_three, "three variables", cells, row, by, index, op_arg_gbl(&total, 1, "double", OP_INC));
  op_par_loop(add_three, "four variables", cells, row, by, index, add);
  op_fetch_data_idx(p_late, &late[0], 0, g.ncell - 1);
  check(late[0] == 36.0 + 12.0 + 40.0 + 4321.0 + 66.0 && late[2] == late[0] + 1.0 && total == 4.0 * g.ncell,
        "templates with commas, arguments in variables");

  int met = 0, last = 3;
  double scratch[2] = {0.0, 0.0};
  op_par_loop(find, "find", nodes, op_arg_dat(p_x, -1, OP_ID, 2, "double", OP_READ), op_arg_gbl(&met, 1, "int", OP_RW),
              op_arg_gbl(&last, 1, "int", OP_WRITE), op_arg_gbl(scratch, 2, "double", OP_WORK));
  check(met == 1 && last == 5, "globals that are written");

  scale[1] = 20;
  op_decl_const(3, "int", scale);
  for (int d = 0; d < 5; d++) sums[d] = 0;
  op_par_loop(extremes, "extremes", nodes, op_arg_dat(p_x, -1, OP_ID, 2, "double", OP_READ),
              op_arg_gbl(least, 2, "double", OP_MIN), op_arg_gbl(most, 2, "double", OP_MAX),
              op_arg_gbl(&lowest, 1, "float", OP_MIN), op_arg_gbl(sums, 5, "int", OP_INC),
              op_arg_gbl(&big, 1, "ll", OP_INC), op_arg_gbl(&bits, 1, "uint", OP_INC));
  check(sums[1] == 20 * g.nnode, "a constant with a new value");

  check(op_free_dat_temp(p_late) == 1 && op_free_dat_temp(p_early) == 1, "temporary dats");
  op_exit();
  return failures != 0;
}

// SPDX-License-Identifier: MIT
