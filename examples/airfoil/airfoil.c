/* airfoil.c: the airfoil solver in plain C.
 *
 * Each kernel is given in two forms: itself, and the range function that OP_RANGE_FN makes of it, which lets the
 * compiler inline the kernel into the loop over the elements. */
#include <op2/chain.h>
#include <op2/global.h>
#include <op2/op2.h>
#include <op2/partition.h>
#include <op2/view.h>
#include <stdlib.h>

#include "airfoil_kernels.h"
#include "report.h"

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

/* What is reduced lives in locals during the loop; in memory it would cost more than the kernel. */
OP_RANGE_FN_WITH(update_range, double rms = *OP_GLOBAL(4, double); double maxerr = *OP_GLOBAL(5, double);
                 int errloc = *OP_GLOBAL(7, int),
                 update(OP_DIRECT(0, const double, 4), OP_DIRECT(1, double, 4), OP_DIRECT(2, double, 4),
                        OP_DIRECT(3, const double, 1), &rms, &maxerr, OP_INDEX(), &errloc),
                 *OP_GLOBAL(4, double) = rms;
                 *OP_GLOBAL(5, double) = maxerr; *OP_GLOBAL(7, int) = errloc)

OP_RANGE_FN(pressure_range, pressure(OP_DIRECT(0, const double, 4), OP_DIRECT(1, double, 1)))

typedef struct airfoil {
  op_set nodes, edges, bedges, cells;
  op_map edge_nodes, edge_cells, bedge_nodes, bedge_cell, cell_nodes;
  op_dat x, q, qold, adt, res, bound;
  op_global sum, largest, where; /* of the last stage: the sum of squares, the largest change and its cell */
} airfoil;

/* Every process declares its own block of each set; maps hold global indices. The library copies all of it. */
static airfoil declare(const airfoil_mesh *mesh) {
  int rank;
  op_rank(&rank);
  const airfoil_mesh block = airfoil_mesh_block(mesh, rank, op_comm_size());
  airfoil a;
  a.nodes = op_decl_set(block.nnode, "nodes");
  a.edges = op_decl_set(block.nedge, "edges");
  a.bedges = op_decl_set(block.nbedge, "bedges");
  a.cells = op_decl_set(block.ncell, "cells");
  a.edge_nodes = op_decl_map(a.edges, a.nodes, 2, block.edge_nodes, "edge_nodes");
  a.edge_cells = op_decl_map(a.edges, a.cells, 2, block.edge_cells, "edge_cells");
  a.bedge_nodes = op_decl_map(a.bedges, a.nodes, 2, block.bedge_nodes, "bedge_nodes");
  a.bedge_cell = op_decl_map(a.bedges, a.cells, 1, block.bedge_cell, "bedge_cell");
  a.cell_nodes = op_decl_map(a.cells, a.nodes, 4, block.cell_nodes, "cell_nodes");

  const size_t values = 4 * (size_t)block.ncell;
  double *q = malloc((values + 1) * sizeof *q);
  for (size_t n = 0; q && n < values; ++n) q[n] = qinf[n % 4];
  a.x = op_decl_dat(a.nodes, 2, "double", block.x, "x");
  a.q = op_decl_dat(a.cells, 4, "double", q, "q");
  a.qold = op_decl_dat(a.cells, 4, "double", NULL, "qold");
  a.adt = op_decl_dat(a.cells, 1, "double", NULL, "adt");
  a.res = op_decl_dat(a.cells, 4, "double", NULL, "res");
  a.bound = op_decl_dat(a.bedges, 1, "int", block.bound, "bound");
  a.sum = op_decl_global(1, "double", NULL, "sum");
  a.largest = op_decl_global(1, "double", NULL, "largest");
  a.where = op_decl_global(1, "int", NULL, "where");
  free(q);

  op_decl_const_named("gam", 1, "double", &gam);
  op_decl_const_named("gm1", 1, "double", &gm1);
  op_decl_const_named("cfl", 1, "double", &cfl);
  op_decl_const_named("eps", 1, "double", &eps);
  op_decl_const_named("mach", 1, "double", &mach);
  op_decl_const_named("qinf", 4, "double", qinf);
  op_partition("AUTO", "", a.edges, a.edge_cells, a.x);
  return a;
}

static void stage(const airfoil *a) {
  op_par_loop_range(
      adt_calc, adt_calc_range, "adt_calc", a->cells, op_arg_dat(a->x, 0, a->cell_nodes, 2, "double", OP_READ),
      op_arg_dat(a->x, 1, a->cell_nodes, 2, "double", OP_READ),
      op_arg_dat(a->x, 2, a->cell_nodes, 2, "double", OP_READ),
      op_arg_dat(a->x, 3, a->cell_nodes, 2, "double", OP_READ), op_arg_dat(a->q, -1, OP_ID, 4, "double", OP_READ),
      op_arg_dat(a->adt, -1, OP_ID, 1, "double", OP_WRITE));

  op_par_loop_range(res_calc, res_calc_range, "res_calc", a->edges,
                    op_arg_dat(a->x, 0, a->edge_nodes, 2, "double", OP_READ),
                    op_arg_dat(a->x, 1, a->edge_nodes, 2, "double", OP_READ),
                    op_arg_dat(a->q, 0, a->edge_cells, 4, "double", OP_READ),
                    op_arg_dat(a->q, 1, a->edge_cells, 4, "double", OP_READ),
                    op_arg_dat(a->adt, 0, a->edge_cells, 1, "double", OP_READ),
                    op_arg_dat(a->adt, 1, a->edge_cells, 1, "double", OP_READ),
                    op_arg_dat(a->res, 0, a->edge_cells, 4, "double", OP_INC),
                    op_arg_dat(a->res, 1, a->edge_cells, 4, "double", OP_INC));

  op_par_loop_range(
      bres_calc, bres_calc_range, "bres_calc", a->bedges, op_arg_dat(a->x, 0, a->bedge_nodes, 2, "double", OP_READ),
      op_arg_dat(a->x, 1, a->bedge_nodes, 2, "double", OP_READ),
      op_arg_dat(a->q, 0, a->bedge_cell, 4, "double", OP_READ),
      op_arg_dat(a->adt, 0, a->bedge_cell, 1, "double", OP_READ),
      op_arg_dat(a->res, 0, a->bedge_cell, 4, "double", OP_INC), op_arg_dat(a->bound, -1, OP_ID, 1, "int", OP_READ));

  const double zero = 0.0;
  const int first = 0;
  op_put_global(a->sum, &zero);
  op_put_global(a->largest, &zero);
  op_put_global(a->where, &first);
  op_par_loop_range(update, update_range, "update", a->cells, op_arg_dat(a->qold, -1, OP_ID, 4, "double", OP_READ),
                    op_arg_dat(a->q, -1, OP_ID, 4, "double", OP_WRITE),
                    op_arg_dat(a->res, -1, OP_ID, 4, "double", OP_RW),
                    op_arg_dat(a->adt, -1, OP_ID, 1, "double", OP_READ), op_arg_global(a->sum, 1, "double", OP_INC),
                    op_arg_global(a->largest, 1, "double", OP_MAX), op_arg_idx(-1, OP_ID),
                    op_arg_global_payload(a->where, 1, "int", 5));
}

/* The pressure in each cell, for pictures. */
static void write_view(const airfoil *a, const char *file) {
  const op_dat p = op_decl_dat(a->cells, 1, "double", NULL, "pressure");
  op_par_loop_range(pressure, pressure_range, "pressure", a->cells, op_arg_dat(a->q, -1, OP_ID, 4, "double", OP_READ),
                    op_arg_dat(p, -1, OP_ID, 1, "double", OP_WRITE));
  const op_view view = op_decl_view(a->x, "airfoil");
  op_view_cells(view, a->cell_nodes, OP_CELL_QUADRILATERAL);
  op_view_field(view, p, NULL);
  op_write_view(view, file);
}

static int solve(const airfoil_options *options) {
  airfoil_mesh mesh;
  if (options->checkpoint) {
    op_printf("airfoil_c writes no checkpoints; airfoil does\n");
    return AIRFOIL_ERROR;
  }
  if (airfoil_read(options, &mesh)) return AIRFOIL_ERROR;
  airfoil_constants();
  const airfoil a = declare(&mesh);
  const int ncell = mesh.ncell;
  airfoil_mesh_free(&mesh);
  if (airfoil_failed()) return AIRFOIL_ERROR;

  airfoil_progress progress = airfoil_progress_start(options->iterations);
  double rms = 0.0, maxerr = 0.0;
  int errloc = 0;
  op_chain_begin("iterations"); /* loops of several iterations may run together, until the residual is wanted */
  for (int iteration = 1; iteration <= options->iterations; ++iteration) {
    op_par_loop_range(save_soln, save_soln_range, "save_soln", a.cells,
                      op_arg_dat(a.q, -1, OP_ID, 4, "double", OP_READ),
                      op_arg_dat(a.qold, -1, OP_ID, 4, "double", OP_WRITE));
    stage(&a);
    stage(&a);
    if (airfoil_failed()) return AIRFOIL_ERROR;
    const int shown = airfoil_progress_due(&progress, iteration);
    if (!shown && iteration < options->iterations) continue;
    op_fetch_global(a.sum, &rms);
    op_fetch_global(a.largest, &maxerr);
    op_fetch_global(a.where, &errloc);
    rms = sqrt(rms / ncell);
    if (shown) airfoil_progress_show(&progress, iteration, rms, maxerr, errloc);
  }
  op_chain_end();
  if (options->view) write_view(&a, options->view);
  if (airfoil_failed()) return AIRFOIL_ERROR;
  return airfoil_report(options, &progress, ncell, rms);
}

int main(int argc, char **argv) {
  airfoil_options options;
  int exit_code;
  if (op_init(argc, argv, 1) != OP_OK) return AIRFOIL_ERROR;
  if (airfoil_parse(argc, argv, &options, &exit_code)) exit_code = solve(&options);
  op_exit();
  return exit_code;
}

/* SPDX-License-Identifier: MIT */
