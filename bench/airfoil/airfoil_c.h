/* airfoil_c.h: the airfoil loops through the C interface, each kernel as a bare pointer or with a range function. */
#ifndef OP2_BENCH_AIRFOIL_C_H
#define OP2_BENCH_AIRFOIL_C_H

#include <op2/op2.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { AIRFOIL_SAVE_SOLN, AIRFOIL_ADT_CALC, AIRFOIL_RES_CALC, AIRFOIL_BRES_CALC, AIRFOIL_UPDATE, AIRFOIL_KERNELS };

/* What the loops work on; the handles belong to the library. rms, maxerr and errloc are those of the last update. */
typedef struct airfoil_handles {
  op_set edges, bedges, cells;
  op_map edge_nodes, edge_cells, bedge_nodes, bedge_cell, cell_nodes;
  op_dat x, q, qold, adt, res, bound;
  double rms, maxerr;
  int errloc;
} airfoil_handles;

/* Sets the constants of the kernels in this file; call it before the first loop. */
void airfoil_c_constants(void);

/* Runs one loop. with_range = 0: the kernel is called through its pointer for every element. */
void airfoil_c_run(airfoil_handles *a, int kernel, int with_range);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT */
