/* hdf5.h: meshes from HDF5 files, results into HDF5 files.
 *
 * Names of sets, maps, dats and constants are names of datasets in the file; a "/" in a name makes groups.
 * docs/files.md describes the layout. All calls are collective, and all processes pass the same parameters, except
 * addresses. Paths are borrowed for the call. Each process reads the part that it declares: under OP2_DECLARE=local,
 * and when no setting says otherwise, an equal share of the rows in the order of the file. A new file receives its name
 * when it is complete; until then, and after an error, an older file of that name stays as it was. If a call extends a
 * file, the library first reserves the space.
 *
 * Errors of all calls: OP_ERR_FILE (no such file, no permission, no space, not HDF5 or damaged) with the file, the
 * dataset and the reason; OP_ERR_BACKEND (no file driver is installed); OP_ERR_ARGUMENT (NULL or empty names);
 * OP_ERR_STATE (the processes pass different parameters). */
#ifndef OP2_HDF5_H
#define OP2_HDF5_H

#include "op2/types.h"

OP_BEGIN_DECLS

/* A set whose size is in the dataset `name`. NULL on error, also if there is no such dataset. */
OP_API op_set op_decl_set_hdf5(const char *file, const char *name);

/* A set with as many elements as the dataset `dataset` has rows. NULL on error. */
OP_API op_set op_decl_set_hdf5_infer_size(const char *file, const char *name, const char *dataset);

/* A map from the dataset `name`: [size of from][dim] indices of 32 or 64 bits. They count from the number in the
 * attribute `base` of the dataset, 0 or 1, which this library and op2_mesh write; without that attribute from 0 (from 1
 * with OP2_MAPS_BASE_INDEX=1, in Fortran unless op_init_base() says 0). dim 0: the number of entries per row in the
 * file, which op_map_dim() returns. If there is no such dataset, the library logs a warning and returns NULL; this is
 * not an error, so op_last_status() does not change. Errors: OP_ERR_HANDLE, OP_ERR_DIM (other extents), OP_ERR_TYPE,
 * OP_ERR_RANGE with the row, the column and the value. */
OP_API op_map op_decl_map_hdf5(op_set from, op_set to, int dim, const char *file, const char *name);

/* A dat from the dataset `name`: [size of set][dim] values. The library converts other numeric types to `type`; a value
 * of a user type has the number of bytes that it has in the file. dim 0: the number of values per row in the file,
 * which op_dat_dim() returns. No such dataset: as op_decl_map_hdf5(). Errors: OP_ERR_HANDLE, OP_ERR_DIM (other
 * extents), OP_ERR_TYPE (real numbers to integers, numbers to other types), OP_ERR_RANGE (values that do not fit the
 * type). */
OP_API op_dat op_decl_dat_hdf5(op_set set, int dim, const char *type, const char *file, const char *name);

/* Read a constant into data[dim], on every process. The call does not declare the constant; op_decl_const() does.
 * Errors: OP_ERR_DIM (another number of values), OP_ERR_TYPE, OP_ERR_RANGE. */
OP_API op_status op_get_const_hdf5(const char *name, int dim, const char *type, void *data, const char *file);

/* The text in the attribute `key` of the dataset `name`, on every process, e.g. the names of patches in meshes of
 * op2_mesh. Writes at most `capacity` bytes including the final zero and returns the length of the whole text (like
 * snprintf); buffer may be NULL. -1 on errors: also OP_ERR_FILE (no such dataset or attribute), OP_ERR_TYPE (not a
 * text). */
OP_API int op_get_text_hdf5(const char *name, const char *key, char *buffer, size_t capacity, const char *file);

/* Write a constant: data[dim] of process 0. The library creates the file if it does not exist, and replaces the value
 * of an existing dataset of that name. Errors: OP_ERR_DIM, OP_ERR_TYPE, OP_ERR_FILE (also: the dataset has other
 * extents or another type). */
OP_API op_status op_write_const_hdf5(const char *name, int dim, const char *type, const void *data, const char *file);

/* Write a dat in the order of the declaration to the dataset of its name, or to the dataset `path` with its groups. The
 * library creates the file if it does not exist, and replaces the values of an existing dataset. Errors: OP_ERR_HANDLE,
 * OP_ERR_STATE (acquired), OP_ERR_FILE (also: the dataset has other extents or another type). */
OP_API op_status op_fetch_data_hdf5_file(op_dat dat, const char *file);
OP_API op_status op_fetch_data_hdf5_file_path(op_dat dat, const char *file, const char *path);

/* The same in the background: the call returns after it has copied the rows, and a thread of the library writes them,
 * file by file in the order of the calls. The program may change the dat, partition the mesh or free the dat at once.
 * The copies take at most 512 MiB on each process, or what OP2_IO_ASYNC says, or one whole dat if that is larger; a
 * call waits until there is room. op_exit() and every other call that reads or writes files wait for all writes. The
 * next of these calls, op_io_wait() or op_exit() reports a failed write on all processes, with the call, the dat and
 * the file; the call that reports it has done nothing else. With the setting OP2_IO_ASYNC=512 (MiB) the two functions
 * above write in the background, too. */
OP_API op_status op_fetch_data_hdf5_file_async(op_dat dat, const char *file);
OP_API op_status op_fetch_data_hdf5_file_path_async(op_dat dat, const char *file, const char *path);

/* Wait until all writes in the background to a file, or with NULL to all files, are complete. Errors: those of any
 * earlier write in the background, each reported once. */
OP_API op_status op_io_wait(const char *file);

/* Write all sets, maps and dats, in the order of the declaration, to a new file that replaces an older file of that
 * name. Errors: OP_ERR_STATE (two objects of the same name; a dat is acquired). */
OP_API op_status op_dump_to_hdf5(const char *file);

OP_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
