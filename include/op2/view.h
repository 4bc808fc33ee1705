/* view.h: files for looking at results: ParaView, VisIt, VTK, meshio and op2_plot read them.
 *
 * A view says what is shown: coordinates of nodes, cells of one or more types, and dats on them. It can be written at any
 * time, from any number of processes; what stands in the file is in the order of the declaration and the same for any
 * number of processes. The end of the file's name chooses the format:
 *   .vtkhdf, .hdf   VTKHDF, an unstructured grid of version 1.0
 *   .xdmf, .xmf     XDMF: a text that describes arrays in HDF5 files beside it
 * docs/looking_at_results.md shows the use. The file driver hdf5 is needed.
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

/* Types of cells. The numbers, and the order of a cell's nodes, are VTK's. */
typedef int op_cell_type;
#define OP_CELL_VERTEX 1         /* 1 node */
#define OP_CELL_LINE 3           /* 2 */
#define OP_CELL_TRIANGLE 5       /* 3 */
#define OP_CELL_POLYGON 7        /* 3 or more, around: as many as the map has; the last node may be repeated */
#define OP_CELL_QUADRILATERAL 9  /* 4, around */
#define OP_CELL_TETRAHEDRON 10   /* 4 */
#define OP_CELL_HEXAHEDRON 12    /* 8: one side around, then the opposite one, beginning above the first node */
#define OP_CELL_PRISM 13         /* 6: a triangle, then the opposite one (VTK's wedge) */
#define OP_CELL_PYRAMID 14       /* 5: the base around, then the tip */
/* Of second order: behind the corners the middles of the edges. */
#define OP_CELL_QUADRATIC_LINE 21           /* 3 nodes */
#define OP_CELL_QUADRATIC_TRIANGLE 22       /* 6 */
#define OP_CELL_QUADRATIC_QUADRILATERAL 23  /* 8 */
#define OP_CELL_QUADRATIC_TETRAHEDRON 24    /* 10 */
#define OP_CELL_QUADRATIC_HEXAHEDRON 25     /* 20 */
#define OP_CELL_QUADRATIC_PRISM 26          /* 15 */
#define OP_CELL_QUADRATIC_PYRAMID 27        /* 13 */

/* A view of the nodes at these coordinates: 2 or 3 values, double or float. The name is copied. Collective. NULL on error:
 * OP_ERR_HANDLE, OP_ERR_ARGUMENT, OP_ERR_DIM, OP_ERR_TYPE. */
OP_API op_view op_decl_view(op_dat coordinates, const char *name);

/* Add the cells of a set, behind those that are there; map: from them to the nodes, with as many columns as cells of this type
 * have nodes. Not after the first op_write_view_step(). Collective.
 * Errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT (no such type, cells of this set are there already), OP_ERR_DIM, OP_ERR_SET (the map leads
 * elsewhere), OP_ERR_STATE. */
OP_API op_status op_view_cells(op_view view, op_map map, op_cell_type type);

/* Add a field: a dat on the nodes, or on cells of the view, or on a set that is not shown itself but that cells of the view have a
 * map of dim 1 to: then each of these cells shows the row that its map leads to. So a dat on all cells of a mesh of several types
 * is shown through the set of each type (tetrahedra_cells, ... of meshfile.h), and one on cells at the faces of the boundary
 * (bface_cells). Values are those at the time of writing. The name is copied; NULL: the dat's. In a view of several cell sets, dats
 * of the same name on them make one field; cells without a value get a NaN, or 0 where the type has none. Collective.
 * Errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT (the name is empty, in use there, ".", or has a "/"), OP_ERR_SET (neither nodes nor cells of
 * the view, and no map of dim 1 leads there or more than one from the same cells), OP_ERR_TYPE (not a built-in type, or another one than other parts of the field), OP_ERR_DIM (the same for dims). */
OP_API op_status op_view_field(op_view view, op_dat dat, const char *name);

/* Write the view into a file, which is new or replaced as a whole when it is complete. With .xdmf, the arrays are in a file
 * of the same name with .h5: where one is that no view has made, it stays, and that is OP_ERR_FILE. Collective.
 * Errors: OP_ERR_HANDLE (also: a dat was freed), OP_ERR_ARGUMENT (the name), OP_ERR_STATE (no cells, a dat is acquired), OP_ERR_FILE,
 * OP_ERR_BACKEND (there is no file driver), OP_ERR_MEMORY. */
OP_API op_status op_write_view(op_view view, const char *file);

/* Write the view as one step of a series in time. Steps of the file at the same time or later are dropped from it, steps before
 * are kept, so that a run that was continued continues the series. Each step has files of its own, and the series names them
 * when they are complete: with "out.vtkhdf" they are out_000000.vtkhdf, ..., listed in out.vtkhdf.series; with "out.xdmf"
 * out_000000.h5, ..., and out_mesh.h5 with coordinates and cells, which are written once: of moving meshes make a series of .vtkhdf.
 * Errors: as op_write_view(), and OP_ERR_ARGUMENT (the time is no finite number). Collective. */
OP_API op_status op_write_view_step(op_view view, const char *file, double time);

OP_END_DECLS

#endif
