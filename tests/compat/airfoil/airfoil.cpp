// airfoil.cpp: the airfoil solver as programs for OP2 are written: file-scope constants, kernels in headers of their
// own, arrays that are freed once they are declared, local sizes from a block of the mesh on each process.
//   airfoil MESH [STEPS] prints the residual; the exit code says whether it is the expected one.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double gam, gm1, cfl, eps, mach, alpha, qinf[4];

#ifdef WITH_MPI
#include "op_lib_mpi.h"
#endif
#include "op_seq.h"

#include "adt_calc.h"
#include "bres_calc.h"
#include "res_calc.h"
#include "save_soln.h"
#include "update.h"

static void read_rows(FILE *file, int rows, int columns, int *table, int others, int *other) {
  for (int n = 0; n < rows; n++) {
    for (int k = 0; k < columns; k++)
      if (fscanf(file, "%d", &table[n * columns + k]) != 1) exit(2);
    for (int k = 0; k < others; k++)
      if (fscanf(file, "%d", &other[n * others + k]) != 1) exit(2);
  }
}

int main(int argc, char **argv) {
  int steps = argc > 2 ? atoi(argv[2]) : 100;
  op_init(argc, argv, 2);
  op_printf("\nairfoil in OP2's words\n");

  FILE *file = fopen(argc > 1 ? argv[1] : "new_grid.dat", "r");
  if (file == NULL) {
    op_printf("can't open the mesh\n");
    op_exit();
    exit(2);
  }
  int nnode, ncell, nedge, nbedge;
  if (fscanf(file, "%d %d %d %d\n", &nnode, &ncell, &nedge, &nbedge) != 4) exit(2);
  double *x = (double *)malloc(2 * nnode * sizeof(double));
  int *cell = (int *)malloc(4 * ncell * sizeof(int));
  int *edge = (int *)malloc(2 * nedge * sizeof(int));
  int *ecell = (int *)malloc(2 * nedge * sizeof(int));
  int *bedge = (int *)malloc(2 * nbedge * sizeof(int));
  int *becell_bound = (int *)malloc(2 * nbedge * sizeof(int));
  for (int n = 0; n < 2 * nnode; n++)
    if (fscanf(file, "%lf", &x[n]) != 1) exit(2);
  read_rows(file, ncell, 4, cell, 0, NULL);
  read_rows(file, nedge, 2, edge, 2, ecell);
  read_rows(file, nbedge, 2, bedge, 2, becell_bound);
  fclose(file);

  gam = 1.4f;
  gm1 = gam - 1.0f;
  cfl = 0.9f;
  eps = 0.05f;
  double mach = 0.4f; // hides the one above, as programs do
  double alpha = 3.0f * atan(1.0f) / 45.0f;
  double p = 1.0f, r = 1.0f, u = sqrt(gam * p / r) * mach, e = p / (r * gm1) + 0.5f * u * u;
  qinf[0] = r;
  qinf[1] = r * u;
  qinf[2] = 0.0f;
  qinf[3] = r * e;

  // Every process has all of the mesh, which is for the library to notice.
  int *becell = (int *)malloc(nbedge * sizeof(int));
  int *bound = (int *)malloc(nbedge * sizeof(int));
  for (int n = 0; n < nbedge; n++) {
    becell[n] = becell_bound[2 * n];
    bound[n] = becell_bound[2 * n + 1];
  }
  free(becell_bound);
  double *q = (double *)malloc(4 * ncell * sizeof(double));
  double *res = (double *)malloc(4 * ncell * sizeof(double));
  for (int n = 0; n < 4 * ncell; n++) {
    q[n] = qinf[n % 4];
    res[n] = 0.0;
  }

  op_set nodes = op_decl_set(nnode, "nodes");
  op_set edges = op_decl_set(nedge, "edges");
  op_set bedges = op_decl_set(nbedge, "bedges");
  op_set cells = op_decl_set(ncell, "cells");

  op_map pedge = op_decl_map(edges, nodes, 2, edge, "pedge");
  op_map pecell = op_decl_map(edges, cells, 2, ecell, "pecell");
  op_map pbedge = op_decl_map(bedges, nodes, 2, bedge, "pbedge");
  op_map pbecell = op_decl_map(bedges, cells, 1, becell, "pbecell");
  op_map pcell = op_decl_map(cells, nodes, 4, cell, "pcell");
  free(edge);
  free(ecell);
  free(bedge);
  free(becell);
  free(cell);

  op_dat p_bound = op_decl_dat(bedges, 1, "int", bound, "p_bound");
  op_dat p_x = op_decl_dat(nodes, 2, "double", x, "p_x");
  op_dat p_q = op_decl_dat(cells, 4, "double", q, "p_q");
  op_dat p_qold = op_decl_dat(cells, 4, "double", q, "p_qold");
  op_dat p_adt = op_decl_dat(cells, 1, "double", (double *)NULL, "p_adt");
#ifdef TEMPORARY
  double *tmp_elem = NULL;
  op_dat p_res = op_decl_dat_temp(cells, 4, "double", tmp_elem, "p_res");
#else
  op_dat p_res = op_decl_dat(cells, 4, "double", res, "p_res");
#endif
  free(bound);
  free(x);
  free(q);
  free(res);

  op_decl_const(1, "double", &gam);
  op_decl_const(1, "double", &gm1);
  op_decl_const(1, "double", &cfl);
  op_decl_const(1, "double", &eps);
  op_decl_const(1, "double", &mach);
  op_decl_const(1, "double", &alpha);
  op_decl_const(4, "double", qinf);

  op_diagnostic_output();
  op_partition("PTSCOTCH", "KWAY", edges, pecell, p_x);

  double cpu_1, wall_1, cpu_2, wall_2, rms = 0.0;
  op_timers(&cpu_1, &wall_1);
  idx_g_t g_ncell = op_get_size(cells);
  for (int step = 1; step <= steps; step++) {
#ifdef CHAINS
    op_chain_begin("step");
#endif
    op_par_loop(save_soln, "save_soln", cells, op_arg_dat(p_q, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_qold, -1, OP_ID, 4, "double", OP_WRITE));
    for (int k = 0; k < 2; k++) {
      op_par_loop(adt_calc, "adt_calc", cells, op_arg_dat(p_x, -4, pcell, 2, "double", OP_READ),
                  op_arg_dat(p_q, -1, OP_ID, 4, "double", OP_READ),
                  op_arg_dat(p_adt, -1, OP_ID, 1, "double", OP_WRITE));
      op_par_loop(res_calc, "res_calc", edges, op_arg_dat(p_x, 0, pedge, 2, "double", OP_READ),
                  op_arg_dat(p_x, 1, pedge, 2, "double", OP_READ), op_arg_dat(p_q, 0, pecell, 4, "double", OP_READ),
                  op_arg_dat(p_q, 1, pecell, 4, "double", OP_READ), op_arg_dat(p_adt, 0, pecell, 1, "double", OP_READ),
                  op_arg_dat(p_adt, 1, pecell, 1, "double", OP_READ), op_arg_dat(p_res, 0, pecell, 4, "double", OP_INC),
                  op_arg_dat(p_res, 1, pecell, 4, "double", OP_INC));
      op_par_loop(bres_calc, "bres_calc", bedges, op_arg_dat(p_x, 0, pbedge, 2, "double", OP_READ),
                  op_arg_dat(p_x, 1, pbedge, 2, "double", OP_READ), op_arg_dat(p_q, 0, pbecell, 4, "double", OP_READ),
                  op_arg_dat(p_adt, 0, pbecell, 1, "double", OP_READ),
                  op_arg_dat(p_res, 0, pbecell, 4, "double", OP_INC),
                  op_arg_dat(p_bound, -1, OP_ID, 1, "int", OP_READ));
      rms = 0.0;
      double maxerr = 0.0;
      int errloc = 0;
      op_par_loop(update, "update", cells, op_arg_dat(p_qold, -1, OP_ID, 4, "double", OP_READ),
                  op_arg_dat(p_q, -1, OP_ID, 4, "double", OP_WRITE), op_arg_dat(p_res, -1, OP_ID, 4, "double", OP_RW),
                  op_arg_dat(p_adt, -1, OP_ID, 1, "double", OP_READ), op_arg_gbl(&rms, 1, "double", OP_INC),
                  op_arg_gbl(&maxerr, 1, "double", OP_MAX), op_arg_idx(-1, OP_ID), op_arg_info(&errloc, 1, "int", 5));
    }
#ifdef CHAINS
    op_chain_end();
#endif
    rms = sqrt(rms / (double)g_ncell);
    if (step % 100 == 0 || step == steps) op_printf(" %d  %10.5e \n", step, rms);
  }
  op_timers(&cpu_2, &wall_2);
  op_timing_output();
  op_printf("Max total runtime = %f\n", wall_2 - wall_1);

  // The same mesh and the same steps in the library's own example.
  double reference = argc > 3 ? atof(argv[3]) : rms;
  int wrong = fabs(100.0 * (rms / reference) - 100.0) < 1.0e-5 ? 0 : 1;
  op_printf("rms %.16e, %s\n", rms, wrong ? "FAILED" : "PASSED");
#ifdef TEMPORARY
  if (op_free_dat_temp(p_res) < 0) op_printf("Error: temporary op_dat %s cannot be removed\n", p_res->name);
#endif
  op_exit();
  return wrong;
}

// SPDX-License-Identifier: MIT
