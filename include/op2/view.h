/* view.h: files for visualisation, which ParaView, VisIt, VTK, meshio and op2_plot read.
 *
 * A view describes the content of such files: coordinates of nodes, cells of one or more types, and dats on them. The
 * program can write a view at any time and with any number of processes; the file has the order of the declaration, and
 * its content does not depend on the number of processes. The end of the file name selects the format:
 *
 *   .vtkhdf, .hdf   VTKHDF, an unstructured grid of version 1.0
 *   .xdmf, .xmf     XDMF: a text that describes arrays in HDF5 files in the same folder
 *
 * docs/looking_at_results.md shows the use. Views need the file driver hdf5.
 *
 *   op_view view = op_decl_view(x, "flow");
 *   op_view_cells(view, cell_nodes, OP_CELL_QUADRILATERAL);
 *   op_view_field(view, pressure, NULL);
 *   op_write_view(view, "flow.vtkhdf");
 */
#ifndef OP2_VIEW_H
#define OP2_VIEW_H

#include "op2/types.h"

OP_BEGIN_DECLS

typedef struct op_view_core *op_view; /* owned by the library until op_exit() */

/* Types of cells. The numbers, and the order of the nodes of a cell, are those of VTK. */
typedef int op_cell_type;
#define OP_CELL_VERTEX 1        /* 1 node */
#define OP_CELL_LINE 3          /* 2 */
#define OP_CELL_TRIANGLE 5      /* 3 */
#define OP_CELL_POLYGON 7       /* 3 or more, around: as many as the map has columns; the last node may be repeated */
#define OP_CELL_QUADRILATERAL 9 /* 4, around */
#define OP_CELL_TETRAHEDRON 10  /* 4 */
#define OP_CELL_HEXAHEDRON 12   /* 8: one side around, then the opposite side, from the node opposite to the first */
#define OP_CELL_PRISM 13        /* 6: a triangle, then the opposite triangle (VTK's wedge) */
#define OP_CELL_PYRAMID 14      /* 5: the base around, then the tip */
/* Second order: the corners, followed by the midpoints of the edges. */
#define OP_CELL_QUADRATIC_LINE 21          /* 3 nodes */
#define OP_CELL_QUADRATIC_TRIANGLE 22      /* 6 */
#define OP_CELL_QUADRATIC_QUADRILATERAL 23 /* 8 */
#define OP_CELL_QUADRATIC_TETRAHEDRON 24   /* 10 */
#define OP_CELL_QUADRATIC_HEXAHEDRON 25    /* 20 */
#define OP_CELL_QUADRATIC_PRISM 26         /* 15 */
#define OP_CELL_QUADRATIC_PYRAMID 27       /* 13 */

/* A view of the nodes with these coordinates: dim 2 or 3, double or float. The library copies the name. Collective.
 * NULL on error: OP_ERR_HANDLE, OP_ERR_ARGUMENT, OP_ERR_DIM, OP_ERR_TYPE. */
OP_API op_view op_decl_view(op_dat coordinates, const char *name);

/* Append the cells of a set to those of the view. map: from the cells to the nodes, with as many columns as a cell of
 * this type has nodes. Not after the first op_write_view_step(). Collective. Errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT (no
 * such type; the view already has the cells of this set), OP_ERR_DIM, OP_ERR_SET (the map does not lead to the nodes),
 * OP_ERR_STATE (after a step). */
OP_API op_status op_view_cells(op_view view, op_map map, op_cell_type type);

/* Add a field: a dat on the nodes, or on cells of the view, or on a set outside the view to which cells of the view
 * have a map of dim 1. In the last case each of these cells shows the row that its map points to: a dat on all cells of
 * a mesh with several types of cells appears through the set of each type (tetrahedra_cells, ... of meshfile.h), and a
 * dat on cells appears on the boundary faces (bface_cells). The file has the values at the time of writing. The library
 * copies the name; NULL: the name of the dat. In a view with several cell sets, dats of the same name on them make one
 * field; cells without a value get a NaN, or 0 if the type has no NaN. Collective. Errors: OP_ERR_HANDLE,
 * OP_ERR_ARGUMENT (the name is empty, already in use there, ".", or contains a "/"), OP_ERR_SET (the dat is neither on
 * nodes nor on cells of the view, and no map of dim 1 leads to its set or more than one from the same cells),
 * OP_ERR_TYPE (not a built-in type, or a type that differs from other parts of the field), OP_ERR_DIM (the same for
 * dims). */
OP_API op_status op_view_field(op_view view, op_dat dat, const char *name);

/* Write the view to a file. The library replaces an older file as a whole when the new one is complete. With .xdmf, a
 * file of the same name with .h5 holds the arrays; if a file of that name exists that no view has made, the library
 * keeps it and the call fails with OP_ERR_FILE. The name is borrowed for the call. Collective. Errors: OP_ERR_HANDLE
 * (also: a dat has been freed), OP_ERR_ARGUMENT (the name), OP_ERR_STATE (no cells, a dat is acquired), OP_ERR_FILE,
 * OP_ERR_BACKEND (no file driver is installed), OP_ERR_MEMORY. */
OP_API op_status op_write_view(op_view view, const char *file);

/* Write the view as one step of a series in time, at `time` in the program's unit. The library removes steps at the
 * same or a later time from the series and keeps earlier steps, so that a restarted run continues the series. Each step
 * has files of its own, and the series lists them when they are complete. "out.vtkhdf": the files out_000000.vtkhdf,
 * ..., listed in out.vtkhdf.series. "out.xdmf": the files out_000000.h5, ..., and out_mesh.h5 with coordinates and
 * cells, which the library writes once; a moving mesh therefore needs .vtkhdf. Collective. Errors: as op_write_view(),
 * and OP_ERR_ARGUMENT (the time is not finite). */
OP_API op_status op_write_view_step(op_view view, const char *file, double time);

OP_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
