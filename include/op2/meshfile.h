/* meshfile.h: meshes from the files of mesh generators.
 *
 * Formats: "gmsh" (2.2 and 4.1, text and binary), "openfoam" (a folder polyMesh), "medit" (.mesh and .meshb), "su2",
 * "vtk" (legacy, text and binary), "vtu" (also .pvtu with its pieces; compressed by zlib if the library was built with
 * it), "airfoil" (the text of the airfoil programs), "hdf5" (the files of op_mesh_dump()), "cgns" (unstructured zones,
 * joined; if the library was built with libcgns). docs/meshes.md describes how the library converts each format.
 *
 * A mesh has the sets nodes, cells, faces (with a cell on each side), bfaces (boundary faces, with one cell), and one
 * set for each type of cells that it contains: triangles, quadrangles, tetrahedra, pyramids, prisms, hexahedra.
 * Polyhedra and polygons have no such set: only their faces describe them. In two dimensions faces are edges.
 *
 * Maps, all with numbers from 0: face_cells (faces to cells, dim 2: left and right), face_nodes (faces to nodes, dim of
 * the largest face; shorter rows repeat their last node), bface_cells (dim 1), bface_nodes, and for each type e.g.
 * tetrahedra_nodes (dim 4) and tetrahedra_cells (dim 1: its number among all cells). If all cells have the same type
 * there is also cell_nodes (cells to nodes): the same rows in the order of the cells. The nodes of a face define a
 * normal, by the right-hand rule and in two dimensions to the right of the edge, that points from the left cell to the
 * right one, or out of the mesh.
 *
 * A mesh without cells, or without nodes, is a mesh: the sizes are 0. op_mesh_check() reports it.
 *
 * Numbers in these arrays count from 0. Maps that op_mesh_declare() declares lead to the same elements whatever the
 * first index of the program's own maps is (OP2_MAPS_BASE_INDEX).
 *
 * Dats: x (nodes, 2 or 3 coordinates, double, in the unit of the file) and bface_patch (bfaces, int: the number that
 * the file gives the part of the boundary, -1 for none).
 *
 * A mesh of format airfoil has the names of that program instead: nodes, edges, bedges, cells; pedge, pecell, pbedge,
 * pbecell, pcell; p_x, p_bound, p_q, p_qold, p_adt, p_res. */
#ifndef OP2_MESHFILE_H
#define OP2_MESHFILE_H

#include "op2/types.h"

OP_BEGIN_DECLS

typedef struct op_mesh_core
    *op_mesh; /* a mesh in memory, independent of op_init() and op_exit(); owned by the program */

/* Read a mesh. `format` is one of the names above; NULL or "": the library chooses by the name of the file and its
 * first bytes. *mesh receives a mesh that the program frees with op_mesh_free(), or NULL. Not collective: every process
 * that calls it reads the whole file, and no op_init() is needed. Exceptions: format "hdf5" is collective and needs
 * op_init(); format "cgns" needs op_init().
 * Errors: OP_ERR_FILE (the file cannot be read, or is wrong; the message names the defect and the line),
 * OP_ERR_ARGUMENT (NULL, no such format), OP_ERR_MEMORY, OP_ERR_STATE (the format needs op_init()), OP_ERR_BACKEND (the
 * plugin for this format is not installed), OP_ERR_PLUGIN (the library refused it), OP_ERR_UNSUPPORTED (more than 2^32
 * sides of cells, or 2^31 if there are polyhedra or polygons; the file is compressed, and the library was built without
 * zlib). */
OP_API op_status op_mesh_read(const char *path, const char *format, op_mesh *mesh);

/* Free a mesh and all its arrays. Sets, maps and dats that op_mesh_declare() has declared remain. NULL is allowed. Not
 * collective. Errors: OP_ERR_HANDLE (not a mesh, or already freed). */
OP_API op_status op_mesh_free(op_mesh mesh);

/* Multiply all coordinates by a factor above zero, e.g. to change the unit. Not collective.
 * Errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT. */
OP_API op_status op_mesh_scale(op_mesh mesh, double factor);

/* Number of elements of the set of this name; for "patches" the number of patches. -1 on errors: OP_ERR_HANDLE,
 * OP_ERR_ARGUMENT (no such set). Not collective. */
OP_API int op_mesh_size(op_mesh mesh, const char *set);

/* The array of a map, or of a dat of integers: [*rows][*dim]. Owned by the mesh, valid until op_mesh_free(). rows and
 * dim may be NULL. An empty array is not NULL. NULL on errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT (no such array, or it
 * holds real numbers). Not collective. */
OP_API const int *op_mesh_ints(op_mesh mesh, const char *name, int *rows, int *dim);

/* As op_mesh_ints(), for dats of real numbers. */
OP_API const double *op_mesh_reals(op_mesh mesh, const char *name, int *rows, int *dim);

/* The name of patch `index`, from 0; *id receives its number (id may be NULL). Owned by the mesh, valid until
 * op_mesh_free(). NULL on errors: OP_ERR_HANDLE, OP_ERR_RANGE (not below op_mesh_size(mesh, "patches")). */
OP_API const char *op_mesh_patch(op_mesh mesh, int index, int *id);

/* A summary as text: counts, patches, volumes, aspect ratio and bandwidth. Writes at most `capacity` bytes including
 * the final zero and returns the length of the whole text (like snprintf); buffer may be NULL. -1 on errors:
 * OP_ERR_HANDLE. */
OP_API int op_mesh_info(op_mesh mesh, char *buffer, size_t capacity);

/* A report of all defects of the mesh, one line for each, with the parameters of op_mesh_info(). Returns 0 if there are
 * no defects, -1 on errors: OP_ERR_HANDLE. */
OP_API int op_mesh_check(op_mesh mesh, char *buffer, size_t capacity);

/* Reorder a set of the mesh: the new row i is the old row order[i], 0 <= i < op_mesh_size(mesh, set). Maps that lead to
 * the set follow. Declared objects do not change. Not collective. Errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT (no such set,
 * NULL), OP_ERR_RANGE (a number is missing or occurs twice). */
OP_API op_status op_mesh_reorder(op_mesh mesh, const char *set, const op_index *order);

/* Divide the cells into parts of about the same size with few faces between them. The result is a dat of the mesh,
 * called partvec0016 for 16 parts (int, dim 1 on cells, from 0), which op_partition("EXTERNAL", "", cells, NULL, dat)
 * takes. Plugin scotch divides the graph of the cells. Without the plugin, a run with one process divides by recursive
 * coordinate bisection, and a run with several processes fails. Needs op_init(). Not collective: each process divides
 * its own copy. Errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT (parts below 1 or more than cells), OP_ERR_BACKEND. */
OP_API op_status op_mesh_divide(op_mesh mesh, int parts);

/* Write all sets, maps and dats to a new HDF5 file in OP2's layout (hdf5.h), without declaring them; the attribute
 * `patches` of bface_patch or p_bound holds the names of patches. The end of the file name selects other formats. .vtu:
 * a file in VTK's XML format with cells, boundary faces and their patches. .pvtu: a list of such files in the same
 * folder, NAME_0.vtu, ..., one for each part of op_mesh_divide() or one for the whole mesh. .cgns: a CGNS file with a
 * zone for each part or one for the whole mesh. Collective, needs op_init(). Errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT,
 * OP_ERR_FILE, OP_ERR_UNSUPPORTED (.vtu, .cgns: polygons that are not rings of edges; .cgns: a mesh without cells,
 * numbers beyond the range of its library), OP_ERR_BACKEND (the plugin for .cgns is not installed), and those of
 * op_dump_to_hdf5(). */
OP_API op_status op_mesh_dump(op_mesh mesh, const char *file);

/* Declare the sets, maps and dats named above. With several processes, every process must have read the same file. Each
 * process then declares its block of each set, or, as OP2_DECLARE says, the whole mesh (replicated, and root on process
 * 0). So op_fetch_data() copies a part of a dat, and op_fetch_data_all() the whole. The library copies the data.
 * Collective. Errors: OP_ERR_HANDLE, and those of
 * op_decl_set(), op_decl_map(), op_decl_dat(). */
OP_API op_status op_mesh_declare(op_mesh mesh);

/* The set, map or dat that op_mesh_declare() has declared under a name; owned by the library. NULL on errors:
 * OP_ERR_HANDLE, OP_ERR_ARGUMENT (no such name), OP_ERR_STATE (not declared yet). */
OP_API op_set op_mesh_set(op_mesh mesh, const char *name);
OP_API op_map op_mesh_map(op_mesh mesh, const char *name);
OP_API op_dat op_mesh_dat(op_mesh mesh, const char *name);

/* The boundary faces of the patch of this name as a set, for loops over one patch: "patch_NAME", in the order of
 * bfaces. Patches of one name are one set; "none" are the faces without a patch, if there are any. The first call
 * declares the set and its maps, later calls return them; the library owns them. After op_mesh_declare(); collective.
 * NULL on errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT (no such patch; the message has the names of all), OP_ERR_STATE (not
 * declared yet; the processes pass different names), and those of op_decl_set() and op_decl_map(). */
OP_API op_set op_mesh_patch_set(op_mesh mesh, const char *patch);

/* The map from the set of op_mesh_patch_set() to the set `to`: "cells" (dim 1), "nodes" (dim of bface_nodes), or
 * "bfaces", in airfoil's meshes "bedges" (dim 1: the same face, for dats on all boundary faces). Collective. NULL on
 * errors: as op_mesh_patch_set(), and OP_ERR_ARGUMENT (no map to such a set). */
OP_API op_map op_mesh_patch_map(op_mesh mesh, const char *patch, const char *to);

/* As op_fetch_data(), without the warning that the rest of a divided mesh is missing. Collective. Errors: as
 * op_fetch_data(). */
OP_API op_status op_fetch_data_own(op_dat dat, void *data);

OP_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
