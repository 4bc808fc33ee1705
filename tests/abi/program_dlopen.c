/* program_dlopen.c: finds the library when it runs and drives it through the addresses of its functions, as Python or
 * Julia would; see program.sh. */
#define _POSIX_C_SOURCE 200809L /* dlfcn.h */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "op2/fortran_support.h"
#include "op2/op2.h"
#undef op_par_loop

static void *library;

/* Puts the address of a function into a pointer of its type. */
static void find(const char *name, void *pointer) {
  void *const address = dlsym(library, name);
  if (!address) {
    printf("%s: %s\n", name, dlerror());
    exit(2);
  }
  memcpy(pointer, &address, sizeof address);
}
#define FIND(name) find(#name, &name##_)

static op_status (*op_init_)(int, char **, int);
static op_status (*op_exit_)(void);
static op_set (*op_decl_set_)(op_index, const char *);
static op_map (*op_decl_map_)(op_set, op_set, int, const op_index *, const char *);
static op_dat (*op_decl_dat_)(op_set, int, const char *, const void *, const char *);
static void (*op_arg_dat_to_)(op_arg *, int, op_dat, int, op_map, int, const char *, op_access);
static void (*op_arg_gbl_to_)(op_arg *, void *, int, const char *, int, op_access);
static op_status (*op_par_loop_)(op_kernel_fn, const char *, op_set, int, const op_arg *);
static op_status (*op_fetch_data_)(op_dat, void *);

static void spread(const double *value, double *row, double *sum) { *row += *value, *sum += *value; }

int main(int argc, char **argv) {
  const int table[] = {1, 0, 1};
  const double weights[] = {1, 2, 4};
  double values[2], sum = 100;
  op_arg args[3];
  op_set edges, nodes;
  op_map end;
  op_dat weight, load;

  library = dlopen("libop2.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    printf("%s\n", dlerror());
    return 2;
  }
  FIND(op_init), FIND(op_exit), FIND(op_decl_set), FIND(op_decl_map), FIND(op_decl_dat), FIND(op_arg_dat_to);
  FIND(op_arg_gbl_to), FIND(op_par_loop), FIND(op_fetch_data);

  op_init_(argc, argv, 0);
  edges = op_decl_set_(3, "edges");
  nodes = op_decl_set_(2, "nodes");
  end = op_decl_map_(edges, nodes, 1, table, "end");
  weight = op_decl_dat_(edges, 1, "double", weights, "weight");
  load = op_decl_dat_(nodes, 1, "double", NULL, "load");
  op_arg_dat_to_(&args[0], 1, weight, -1, OP_ID, 1, "double", OP_READ);
  op_arg_dat_to_(&args[1], 1, load, 0, end, 1, "double", OP_INC);
  op_arg_gbl_to_(&args[2], &sum, 1, "double", 0, OP_INC);
  op_par_loop_((op_kernel_fn)spread, "spread", edges, 3, args);
  op_fetch_data_(load, values);
  op_exit_();

  if (sum != 107 || values[0] != 2 || values[1] != 5) {
    printf("wrong: %g, %g %g\n", sum, values[0], values[1]);
    return 2;
  }
  printf("all answers are right\n");
  return 0;
}

/* SPDX-License-Identifier: MIT */
