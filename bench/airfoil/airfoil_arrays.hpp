// airfoil_arrays.hpp: hand-written loops on arrays that belong to somebody else, and what the loops must move.
//
// Page placement changes times by up to a third, so the loops by hand and the library's run on the same memory: the
// library's. Only the maps are copies.
#ifndef OP2_BENCH_AIRFOIL_ARRAYS_HPP
#define OP2_BENCH_AIRFOIL_ARRAYS_HPP

#include "airfoil/airfoil_hand.hpp"
#include "naca_mesh.hpp"

struct AirfoilArrays {
  const double *x;
  double *q, *qold, *adt, *res;
};

// One way to write the five loops by hand; the functions of airfoil_hand.hpp say what each does.
struct HandLoops {
  decltype(&hand_save_soln) save_soln;
  decltype(&hand_adt_calc) adt_calc;
  decltype(&hand_res_calc) res_calc;
  decltype(&hand_bres_calc) bres_calc;
  decltype(&hand_update) update;
};

// Plain loops, and loops over eight lanes under `omp simd` whose rows are gathered to arrays [dim][lane] before.
extern const HandLoops scalar_loops, simd_loops;

// Results of the last update.
struct HandUpdate {
  double rms = 0, maxerr = 0;
  int errloc = 0;
};

// kernel: AIRFOIL_... of airfoil_c.h. `update` changes when that kernel is run.
void run_by_hand(const HandLoops &loops, const naca::Mesh &mesh, const AirfoilArrays &arrays, int kernel,
                 HandUpdate &update);

// How many elements a kernel's set has.
int elements(const naca::Mesh &mesh, int kernel);

// Bytes that one call must move at least: each row of a dat once for reading and once for writing, each map entry once.
// 0 for the boundary edges, which are too few to say anything about bandwidth. real: bytes of a value.
double useful_bytes(const naca::Mesh &mesh, int kernel, double real = sizeof(double));

// The same of a whole iteration: save_soln and twice the others.
double iteration_bytes(const naca::Mesh &mesh, double real = sizeof(double));

#endif

// SPDX-License-Identifier: MIT
