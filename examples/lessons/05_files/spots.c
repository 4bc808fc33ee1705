/* spots.c: spots.cpp in C. */
#include <math.h>
#include <op2/checkpoint.h>
#include <op2/hdf5.h>
#include <op2/op2.h>
#include <op2/view.h>
#include <stdlib.h>

static void spread(const double *a, const double *b, double *gain_a, double *gain_b) {
  const double food = 0.16 * (b[0] - a[0]), germs = 0.08 * (b[1] - a[1]);
  gain_a[0] += food;
  gain_a[1] += germs;
  gain_b[0] -= food;
  gain_b[1] -= germs;
}

static void live(double *gain, double *life) {
  const double eaten = life[0] * life[1] * life[1];
  life[0] += gain[0] - eaten + 0.035 * (1 - life[0]);
  life[1] += gain[1] + eaten - (0.035 + 0.062) * life[1];
  gain[0] = gain[1] = 0;
}

static void count(const double *life, double *germs) { *germs += life[1]; }

int main(int argc, char **argv) {
  op_init(argc, argv, 1);
  const int last = argc > 1 && atoi(argv[1]) > 0 ? atoi(argv[1]) : 5000;

  const char *mesh = "plate.h5";
  op_set nodes = op_decl_set_hdf5(mesh, "nodes"), edges = op_decl_set_hdf5(mesh, "edges");
  op_set cells = op_decl_set_hdf5(mesh, "cells");
  op_map edge_nodes = op_decl_map_hdf5(edges, nodes, 2, mesh, "edge_nodes");
  op_map cell_nodes = op_decl_map_hdf5(cells, nodes, 4, mesh, "cell_nodes");
  op_dat x = op_decl_dat_hdf5(nodes, 2, "double", mesh, "x");
  op_dat life = op_decl_dat_hdf5(nodes, 2, "double", mesh, "life");
  op_dat gain = op_decl_dat(nodes, 2, "double", NULL, "gain");

  op_view view = op_decl_view(x, "spots");
  op_view_cells(view, cell_nodes, OP_CELL_QUADRILATERAL);
  op_view_field(view, life, NULL);

  int step = 0, found = 0;
  double germs = 0;
  op_checkpoint_value("step", "int", 1, &step);
  op_checkpoint_value("germs", "double", 1, &germs);
  op_restart_latest("spots", &found);
  if (found) op_printf("going on after step %d\n", step);

  while (step < last) {
    op_par_loop(spread, "spread", edges, op_arg_dat(life, 0, edge_nodes, 2, "double", OP_READ),
                op_arg_dat(life, 1, edge_nodes, 2, "double", OP_READ),
                op_arg_dat(gain, 0, edge_nodes, 2, "double", OP_INC),
                op_arg_dat(gain, 1, edge_nodes, 2, "double", OP_INC));
    op_par_loop(live, "live", nodes, op_arg_dat(gain, -1, OP_ID, 2, "double", OP_RW),
                op_arg_dat(life, -1, OP_ID, 2, "double", OP_RW));
    ++step;
    if (step % 1000 == 0) {
      germs = 0;
      op_par_loop(count, "count", nodes, op_arg_dat(life, -1, OP_ID, 2, "double", OP_READ),
                  op_arg_gbl(&germs, 1, "double", OP_INC));
      op_printf("step %d: %.6f germs\n", step, germs);
      op_write_view_step(view, "spots.vtkhdf", step);
      op_checkpoint_if_due("spots", 0, 2);
    }
  }
  const int right = step != 5000 || fabs(germs - 1669.311210) < 1e-4;
  if (step == 5000) op_printf("%s\n", right ? "PASSED" : "FAILED");
  op_exit();
  return right ? 0 : 1;
}

/* SPDX-License-Identifier: MIT */
