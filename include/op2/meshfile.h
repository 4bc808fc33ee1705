/* meshfile.h: meshes from the files of mesh generators.
 *
 * Formats: "gmsh" (2.2 and 4.1, text and binary), "openfoam" (a folder polyMesh), "medit" (.mesh and .meshb), "su2",
 * "vtk" (legacy, text and binary), "vtu" (also .pvtu with its pieces; compressed by zlib where the library was built
 * with it), "airfoil" (the text of the airfoil programs), "hdf5" (what op_mesh_dump() writes), "cgns" (unstructured
 * zones, joined; where the library was built with libcgns).
 * docs/meshes.md tells what becomes of each.
 *
 * What is read has sets nodes, cells, faces (with a cell on both sides), bfaces (boundary faces, with one cell), and
 * one set for each type of cells in it: triangles, quadrangles, tetrahedra, pyramids, prisms, hexahedra (polyhedra and
 * polygons have none: their faces are all there is). In two
 * dimensions faces are edges. Maps, all with numbers from 0: face_cells (faces to cells, 2: left and right), face_nodes
 * (faces to nodes, as many as the largest face has; shorter rows repeat their last node), bface_cells (1), bface_nodes,
 * and for each type e.g. tetrahedra_nodes (4) and tetrahedra_cells (1: its place among all cells). Where all cells are
 * of one type there is also cell_nodes (cells to nodes): the same rows in the order of the cells. The nodes of a face
 * make a normal, by the right-hand rule and in two dimensions to the right of the edge, that points from the left cell
 * to the right one, or out of the mesh. Dats: x (nodes, 2 or 3 coordinates, double) and bface_patch (bfaces, int: the
 * number that the file gives the part of the boundary, -1 for none). A mesh of format airfoil has the names of that
 * program instead: nodes, edges, bedges, cells; pedge, pecell, pbedge, pbecell, pcell; p_x, p_bound, p_q, p_qold,
 * p_adt, p_res. */
#ifndef OP2_MESHFILE_H
#define OP2_MESHFILE_H

#include "op2/types.h"

OP_BEGIN_DECLS

typedef struct op_mesh_core *op_mesh; /* a mesh in memory, independent of op_init() and op_exit() */

/* Read a mesh. `format` is one of the names above; NULL or "": by the name of the file and its first bytes. *mesh
 * receives a mesh to be freed with op_mesh_free(), or NULL. Needs no op_init() and is not collective, every process
 * that calls it reads all of the file; format "hdf5" needs op_init() and is collective, "cgns" needs op_init() only.
 * Errors: OP_ERR_FILE (the file cannot be read, or says what is wrong in which line), OP_ERR_ARGUMENT (NULL, no such
 * format), OP_ERR_MEMORY, OP_ERR_STATE (it needs op_init()), OP_ERR_BACKEND (the plugin for this format is not
 * installed), OP_ERR_PLUGIN (it was refused), OP_ERR_UNSUPPORTED (more than 2^32 sides of cells, or 2^31 where there
 * are polyhedra or polygons; the file is compressed, and the library was built without zlib). */
OP_API op_status op_mesh_read(const char *path, const char *format, op_mesh *mesh);

/* Free a mesh and all arrays of it. Sets, maps and dats that were declared from it stay. NULL is fine.
 * Errors: OP_ERR_HANDLE (not a mesh, or freed before). */
OP_API op_status op_mesh_free(op_mesh mesh);

/* Multiply all coordinates by a factor above zero.
 * Errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT. */
OP_API op_status op_mesh_scale(op_mesh mesh, double factor);

/* Elements of a set, by its name, or how many "patches" there are. -1 on errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT (no
 * such set). */
OP_API int op_mesh_size(op_mesh mesh, const char *set);

/* The array of a map or of a dat of whole numbers, [*rows][*dim]; borrowed until op_mesh_free(). rows and dim may be
 * NULL. An empty array is not NULL. NULL on errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT (no such array, or it holds real
 * numbers). */
OP_API const int *op_mesh_ints(op_mesh mesh, const char *name, int *rows, int *dim);

/* The same for dats of real numbers. */
OP_API const double *op_mesh_reals(op_mesh mesh, const char *name, int *rows, int *dim);

/* The name of patch `index`, counted from 0, and its number in *id (may be NULL); borrowed until op_mesh_free(). NULL
 * on errors: OP_ERR_HANDLE, OP_ERR_RANGE (not below op_mesh_size(mesh, "patches")). */
OP_API const char *op_mesh_patch(op_mesh mesh, int index, int *id);

/* Counts, patches, volumes, aspect ratio and bandwidth as text. Writes at most `capacity` bytes including the final
 * zero and returns the length of the whole text (like snprintf); buffer may be NULL. -1 on errors: OP_ERR_HANDLE. */
OP_API int op_mesh_info(op_mesh mesh, char *buffer, size_t capacity);

/* What is wrong with the mesh, one line for each thing, as op_mesh_info(); 0 when it is clean, -1 on errors:
 * OP_ERR_HANDLE. */
OP_API int op_mesh_check(op_mesh mesh, char *buffer, size_t capacity);

/* Bring a set into another order: the new row i is the old row order[i], 0 <= i < op_mesh_size(mesh, set). Maps that
 * lead to the set follow. Nothing that was declared changes. Errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT (no such set,
 * NULL), OP_ERR_RANGE (a number is missing or there twice). */
OP_API op_status op_mesh_reorder(op_mesh mesh, const char *set, const idx_l_t *order);

/* Divide the cells into parts of about the same size with few faces between them. The mesh gets a dat of that, called
 * partvec0016 for 16 parts (int, 1 on cells, from 0), which op_partition("EXTERNAL", "", cells, NULL, dat) takes. By
 * plugin scotch; without it, and with one process, by coordinates. Needs op_init(). Errors: OP_ERR_HANDLE,
 * OP_ERR_ARGUMENT (parts below 1 or more than cells), OP_ERR_BACKEND. */
OP_API op_status op_mesh_divide(op_mesh mesh, int parts);

/* Write all sets, maps and dats to a new HDF5 file in OP2's layout (hdf5.h), without declaring them; the names of
 * patches stand in the attribute `patches` of bface_patch or p_bound. A name that ends with .vtu makes a file of VTK's
 * XML format instead, with cells, boundary faces and their patches; one that ends with .pvtu a list of such files beside
 * it, NAME_0.vtu, ..., one for each part of op_mesh_divide() or one for all; one that ends with .cgns a CGNS file with a
 * zone for each part or one for all. Collective, needs op_init(). Errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT, OP_ERR_FILE,
 * OP_ERR_UNSUPPORTED (.vtu, .cgns: polygons that are no rings of edges; .cgns: more than its library can count),
 * OP_ERR_BACKEND (the plugin for .cgns is not installed), and those of op_dump_to_hdf5(). */
OP_API op_status op_mesh_dump(op_mesh mesh, const char *file);

/* Declare the sets, maps and dats named above. With several processes each has read the same file and declares its
 * block of each set. The library copies all of it. Collective. Errors: OP_ERR_HANDLE, and those of op_decl_set(),
 * op_decl_map(), op_decl_dat(). */
OP_API op_status op_mesh_declare(op_mesh mesh);

/* What op_mesh_declare() has declared under a name. NULL on errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT (no such name),
 * OP_ERR_STATE (not declared yet). */
OP_API op_set op_mesh_set(op_mesh mesh, const char *name);
OP_API op_map op_mesh_map(op_mesh mesh, const char *name);
OP_API op_dat op_mesh_dat(op_mesh mesh, const char *name);

OP_END_DECLS

#endif
