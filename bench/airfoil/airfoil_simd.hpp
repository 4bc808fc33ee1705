// airfoil_simd.hpp: three of the airfoil loops as one vectorises them by hand without writing vectors: eight elements
// at a time, their rows gathered to arrays [dim][lane], arithmetic under `omp simd`, results written back lane by lane.
//
// Meaning and arguments are those of airfoil_hand.hpp, flags too; in addition -fopenmp-simd.
#ifndef OP2_BENCH_AIRFOIL_SIMD_HPP
#define OP2_BENCH_AIRFOIL_SIMD_HPP

#include "airfoil/airfoil_hand.hpp"

void simd_adt_calc(const HandConstants &constants, int ncell, const int *cell_nodes, const double *x, const double *q,
                   double *adt);

void simd_res_calc(const HandConstants &constants, int nedge, const int *edge_nodes, const int *edge_cells,
                   const double *x, const double *q, const double *adt, double *res);

void simd_update(int ncell, const double *qold, double *q, double *res, const double *adt, double &rms, double &maxerr,
                 int &errloc);

#endif

// SPDX-License-Identifier: MIT
