/* patches.c PLATE: a loop over one patch in C. The exit code is the verdict. */
#include <op2/meshfile.h>
#include <op2/op2.h>
#include <stdio.h>
#include <string.h>

static void add_up(const double *a, const double *b, const int *patch, int *faces, int *patches, double *sum) {
  *faces += 1;
  *patches += *patch;
  *sum += a[0] + b[0] + 10 * (a[1] + b[1]);
}

int main(int argc, char **argv) {
  int faces = 0, patches = 0, bad;
  double sum = 0, x[30];
  op_mesh mesh;
  op_init(argc, argv, 0);
  if (op_mesh_read(argv[argc - 1], NULL, &mesh) != OP_OK) return 1;
  op_mesh_declare(mesh);
  op_set outlet = op_mesh_patch_set(mesh, "outlet");
  op_map nodes = op_mesh_patch_map(mesh, "outlet", "nodes");
  op_dat coordinates = op_mesh_dat(mesh, "x");
  op_par_loop(
      add_up, "add_up", outlet, op_arg_dat(coordinates, 0, nodes, 2, "double", OP_READ),
      op_arg_dat(coordinates, 1, nodes, 2, "double", OP_READ),
      op_arg_dat(op_mesh_dat(mesh, "bface_patch"), 0, op_mesh_patch_map(mesh, "outlet", "bfaces"), 1, "int", OP_READ),
      op_arg_gbl(&faces, 1, "int", OP_INC), op_arg_gbl(&patches, 1, "int", OP_INC),
      op_arg_gbl(&sum, 1, "double", OP_INC));
  bad = faces != 2 || patches != 2 || sum != 56;
  if (bad) fprintf(stderr, "%d faces, patches %d, coordinates %g instead of 2, 2, 56\n", faces, patches, sum);
  op_fetch_data_all(coordinates, x);
  if (x[0] != 0 || x[28] != 4 || x[29] != 2) bad = 1, fprintf(stderr, "the last node is not at 4, 2\n");
  op_mesh_free(mesh);
  op_exit();
  return bad;
}

/* SPDX-License-Identifier: MIT */
