/* mesh_reader.h: reads the text mesh of the airfoil programs.
 *
 * Text: `nnode ncell nedge nbedge`, then nnode rows `x y`, ncell rows `n1 n2 n3 n4`, nedge rows `n1 n2 c1 c2` and
 * nbedge rows `n1 n2 c bound`; indices count from 0. */
#ifndef OP2_EXAMPLES_MESH_READER_H
#define OP2_EXAMPLES_MESH_READER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct airfoil_mesh {
  int nnode, ncell, nedge, nbedge;
  double *x;        /* [nnode][2] */
  int *cell_nodes;  /* [ncell][4] */
  int *edge_nodes;  /* [nedge][2] */
  int *edge_cells;  /* [nedge][2] */
  int *bedge_nodes; /* [nbedge][2] */
  int *bedge_cell;  /* [nbedge] */
  int *bound;       /* [nbedge] 1 = wall, anything else = far field */
} airfoil_mesh;

/* Read a mesh and check every index. Returns 0 and a mesh to free with airfoil_mesh_free(), or -1 with one line in
 * message[capacity] that says what is wrong and in which line of the file; *mesh is then empty. */
int airfoil_mesh_read(const char *file, airfoil_mesh *mesh, char *message, size_t capacity);

void airfoil_mesh_free(airfoil_mesh *mesh);

/* The rows that process `rank` of `size` declares: equal contiguous blocks of each set, as pointers into `whole`. The
 * block is a view and must not be freed. With one process it is the whole mesh. */
airfoil_mesh airfoil_mesh_block(const airfoil_mesh *whole, int rank, int size);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT */
