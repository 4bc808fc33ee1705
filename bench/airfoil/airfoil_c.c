/* airfoil_c.c: see airfoil_c.h. The range functions are those that a program in C would write. */
#include "airfoil/airfoil_c.h"

#include "airfoil_kernels.h"

OP_RANGE_FN(save_soln_range, save_soln(OP_DIRECT(0, const double, 4), OP_DIRECT(1, double, 4)))

OP_RANGE_FN(adt_calc_range,
            adt_calc(OP_VIA(0, const double, 2), OP_VIA(1, const double, 2), OP_VIA(2, const double, 2),
                     OP_VIA(3, const double, 2), OP_DIRECT(4, const double, 4), OP_DIRECT(5, double, 1)))

OP_RANGE_FN(res_calc_range, res_calc(OP_VIA(0, const double, 2), OP_VIA(1, const double, 2), OP_VIA(2, const double, 4),
                                     OP_VIA(3, const double, 4), OP_VIA(4, const double, 1), OP_VIA(5, const double, 1),
                                     OP_VIA(6, double, 4), OP_VIA(7, double, 4)))

OP_RANGE_FN(bres_calc_range,
            bres_calc(OP_VIA(0, const double, 2), OP_VIA(1, const double, 2), OP_VIA(2, const double, 4),
                      OP_VIA(3, const double, 1), OP_VIA(4, double, 4), OP_DIRECT(5, const int, 1)))

OP_RANGE_FN_WITH(update_range, double rms = *OP_GLOBAL(4, double); double maxerr = *OP_GLOBAL(5, double);
                 int errloc = *OP_GLOBAL(7, int),
                 update(OP_DIRECT(0, const double, 4), OP_DIRECT(1, double, 4), OP_DIRECT(2, double, 4),
                        OP_DIRECT(3, const double, 1), &rms, &maxerr, OP_INDEX(), &errloc),
                 *OP_GLOBAL(4, double) = rms;
                 *OP_GLOBAL(5, double) = maxerr; *OP_GLOBAL(7, int) = errloc)

void airfoil_c_constants(void) { airfoil_constants(); }

/* Two sites per loop: a program that has a range function has a site of its own for it. */
#define BOTH(kernel, ...)                                              \
  do {                                                                 \
    if (with_range)                                                    \
      op_par_loop_range(kernel, kernel##_range, #kernel, __VA_ARGS__); \
    else                                                               \
      op_par_loop(kernel, #kernel, __VA_ARGS__);                       \
  } while (0)

static void run_adt_calc(const airfoil_handles *a, int with_range) {
  BOTH(adt_calc, a->cells, op_arg_dat(a->x, 0, a->cell_nodes, 2, "double", OP_READ),
       op_arg_dat(a->x, 1, a->cell_nodes, 2, "double", OP_READ),
       op_arg_dat(a->x, 2, a->cell_nodes, 2, "double", OP_READ),
       op_arg_dat(a->x, 3, a->cell_nodes, 2, "double", OP_READ), op_arg_dat(a->q, -1, OP_ID, 4, "double", OP_READ),
       op_arg_dat(a->adt, -1, OP_ID, 1, "double", OP_WRITE));
}

static void run_res_calc(const airfoil_handles *a, int with_range) {
  BOTH(res_calc, a->edges, op_arg_dat(a->x, 0, a->edge_nodes, 2, "double", OP_READ),
       op_arg_dat(a->x, 1, a->edge_nodes, 2, "double", OP_READ),
       op_arg_dat(a->q, 0, a->edge_cells, 4, "double", OP_READ),
       op_arg_dat(a->q, 1, a->edge_cells, 4, "double", OP_READ),
       op_arg_dat(a->adt, 0, a->edge_cells, 1, "double", OP_READ),
       op_arg_dat(a->adt, 1, a->edge_cells, 1, "double", OP_READ),
       op_arg_dat(a->res, 0, a->edge_cells, 4, "double", OP_INC),
       op_arg_dat(a->res, 1, a->edge_cells, 4, "double", OP_INC));
}

static void run_bres_calc(const airfoil_handles *a, int with_range) {
  BOTH(bres_calc, a->bedges, op_arg_dat(a->x, 0, a->bedge_nodes, 2, "double", OP_READ),
       op_arg_dat(a->x, 1, a->bedge_nodes, 2, "double", OP_READ),
       op_arg_dat(a->q, 0, a->bedge_cell, 4, "double", OP_READ),
       op_arg_dat(a->adt, 0, a->bedge_cell, 1, "double", OP_READ),
       op_arg_dat(a->res, 0, a->bedge_cell, 4, "double", OP_INC), op_arg_dat(a->bound, -1, OP_ID, 1, "int", OP_READ));
}

static void run_update(airfoil_handles *a, int with_range) {
  a->rms = a->maxerr = 0.0;
  a->errloc = 0;
  BOTH(update, a->cells, op_arg_dat(a->qold, -1, OP_ID, 4, "double", OP_READ),
       op_arg_dat(a->q, -1, OP_ID, 4, "double", OP_WRITE), op_arg_dat(a->res, -1, OP_ID, 4, "double", OP_RW),
       op_arg_dat(a->adt, -1, OP_ID, 1, "double", OP_READ), op_arg_gbl(&a->rms, 1, "double", OP_INC),
       op_arg_gbl(&a->maxerr, 1, "double", OP_MAX), op_arg_idx(-1, OP_ID), op_arg_payload(&a->errloc, 1, "int", 5));
}

void airfoil_c_run(airfoil_handles *a, int kernel, int with_range) {
  if (kernel == AIRFOIL_SAVE_SOLN)
    BOTH(save_soln, a->cells, op_arg_dat(a->q, -1, OP_ID, 4, "double", OP_READ),
         op_arg_dat(a->qold, -1, OP_ID, 4, "double", OP_WRITE));
  else if (kernel == AIRFOIL_ADT_CALC)
    run_adt_calc(a, with_range);
  else if (kernel == AIRFOIL_RES_CALC)
    run_res_calc(a, with_range);
  else if (kernel == AIRFOIL_BRES_CALC)
    run_bres_calc(a, with_range);
  else if (kernel == AIRFOIL_UPDATE)
    run_update(a, with_range);
}

/* SPDX-License-Identifier: MIT */
