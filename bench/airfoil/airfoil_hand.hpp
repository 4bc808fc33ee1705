// airfoil_hand.hpp: the yardstick: the five airfoil loops as one would write them by hand for a single core.
//
// Plain loops over raw arrays, kernels written out, reductions in locals, no library. Speed claims are ratios to these
// loops, measured in the same process; compile with -O3 -march=native -fno-math-errno -ffp-contract=off. Results differ
// from those of the library only by the order in which increments are added.
#ifndef OP2_BENCH_AIRFOIL_HAND_HPP
#define OP2_BENCH_AIRFOIL_HAND_HPP

// Rows are contiguous: row n of an array with dim d starts at n * d. q, qold and res have dim 4, x has dim 2, adt
// dim 1.
struct HandConstants {
  double gam, gm1, cfl, eps, mach, qinf[4];
};

HandConstants hand_constants();

void hand_save_soln(int ncell, const double *q, double *qold);

void hand_adt_calc(const HandConstants &constants, int ncell, const int *cell_nodes, const double *x, const double *q,
                   double *adt);

void hand_res_calc(const HandConstants &constants, int nedge, const int *edge_nodes, const int *edge_cells,
                   const double *x, const double *q, const double *adt, double *res);

void hand_bres_calc(const HandConstants &constants, int nbedge, const int *bedge_nodes, const int *bedge_cell,
                    const int *bound, const double *x, const double *q, const double *adt, double *res);

// rms is added to; maxerr and errloc are the running maximum and its cell.
void hand_update(int ncell, const double *qold, double *q, double *res, const double *adt, double &rms, double &maxerr,
                 int &errloc);

#endif

// SPDX-License-Identifier: MIT
