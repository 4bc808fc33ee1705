/* hdf5.h: meshes from files, results into files: HDF5 in OP2's layout, and texts.
 *
 * Names of sets, maps, dats and constants are those of datasets in the file; a "/" in one makes groups. docs/files.md
 * describes the layout. All calls are collective and take the same arguments on all processes; paths are borrowed for
 * the call. Each process reads the part that goes through it: under OP2_DECLARE=local, and when nothing says otherwise,
 * an equal share of the rows in the order of the file. A file that is made anew appears when it is complete: until
 * then, and after an error, whatever had its name is as it was. One that is extended gets its room first.
 *
 * Errors of all of them: OP_ERR_FILE (no such file, no permission, no room, no HDF5 or damaged) with the file, the
 * dataset and the reason; OP_ERR_BACKEND (no driver for the file is installed); OP_ERR_ARGUMENT (NULL or empty names);
 * OP_ERR_STATE (processes do not pass the same). */
#ifndef OP2_HDF5_H
#define OP2_HDF5_H

#include "op2/types.h"

OP_BEGIN_DECLS

/* A set whose size stands in the dataset `name`. NULL on error, also when there is no such dataset. */
OP_API op_set op_decl_set_hdf5(const char *file, const char *name);

/* A set with as many elements as the dataset `dataset` of the file has rows. */
OP_API op_set op_decl_set_hdf5_infer_size(const char *file, const char *name, const char *dataset);

/* A map from the dataset `name`: [size of from][dim] indices of 32 or 64 bits, from 0 (from 1 with
 * OP2_MAPS_BASE_INDEX=1). dim 0: as many as the file has in a row, which op_map_dim() tells. No such dataset: a warning
 * in the log, NULL, and no error: op_last_status() stays as it is. Errors: OP_ERR_HANDLE, OP_ERR_DIM (other extents),
 * OP_ERR_TYPE, OP_ERR_RANGE with the row, the column and the value. */
OP_API op_map op_decl_map_hdf5(op_set from, op_set to, int dim, const char *file, const char *name);

/* A dat from the dataset `name`: [size of set][dim] values, converted to `type` where they are other numbers; of a type
 * of the user's own: as many bytes as the file has. dim 0: as many values as the file has in a row; op_dat_dim() tells.
 * No such dataset: as above. Errors: OP_ERR_HANDLE, OP_ERR_DIM (other extents), OP_ERR_TYPE (fractions to integers,
 * numbers to other types), OP_ERR_RANGE (values that do not fit the type). */
OP_API op_dat op_decl_dat_hdf5(op_set set, int dim, const char *type, const char *file, const char *name);

/* Read `dim` values of a constant into data[dim], on every process. It is not declared by that: op_decl_const() does
 * so. Errors: OP_ERR_DIM (another number of values), OP_ERR_TYPE, OP_ERR_RANGE. */
OP_API op_status op_get_const_hdf5(const char *name, int dim, const char *type, void *data, const char *file);

/* The text that the dataset `name` has as its attribute `key`, on every process: the names of patches in meshes of
 * op2_mesh. Writes at most `capacity` bytes including the final zero and returns the length of the whole text (like
 * snprintf); buffer may be NULL. -1 on errors: also OP_ERR_FILE (no such dataset or attribute), OP_ERR_TYPE (no text).
 */
OP_API int op_get_text_hdf5(const char *name, const char *key, char *buffer, size_t capacity, const char *file);

/* Write a constant: data[dim], of process 0. The file is made when it is not there. A dataset of that name gets the new
 * value. Errors: OP_ERR_DIM, OP_ERR_TYPE, OP_ERR_FILE (also: the dataset has other extents or another type). */
OP_API op_status op_write_const_hdf5(const char *name, int dim, const char *type, const void *data, const char *file);

/* The elements low ... high (both included, global numbers) of a dat, to memory: op_fetch_data_idx() under another
 * name. */
OP_API op_status op_fetch_data_hdf5(op_dat dat, void *data, idx_g_t low, idx_g_t high);

/* Write a dat in the order of the declaration to the dataset of its name, or to the one that `path` names, with its
 * groups. The file is made when it is not there. A dataset of that name gets the new values. Errors: OP_ERR_HANDLE,
 * OP_ERR_STATE (acquired), OP_ERR_FILE (also: the dataset has other extents or another type). */
OP_API op_status op_fetch_data_hdf5_file(op_dat dat, const char *file);
OP_API op_status op_fetch_data_hdf5_file_path(op_dat dat, const char *file, const char *path);

/* The same in the background: the call returns when it has copied the rows, and a thread of the library writes them,
 * file by file in the order of the calls. The dat may be changed, divided or freed at once. Copies take at most
 * OP2_IO_MEMORY MiB on each process, or one whole dat where that is larger; a call waits until there is room. op_exit()
 * waits for all of them, and so does every other call that reads or writes files. A write that fails is told by the
 * next of these calls, by op_io_wait() or by op_exit(), on all processes, with the call, the dat and the file; the call
 * that tells it has done nothing else. Setting OP2_IO_ASYNC=1 makes the two calls above do this. */
OP_API op_status op_fetch_data_hdf5_file_async(op_dat dat, const char *file);
OP_API op_status op_fetch_data_hdf5_file_path_async(op_dat dat, const char *file, const char *path);

/* Wait until what was given for a file, or with NULL for all files, stands there. Errors: those of any earlier
 * write in the background, told once. */
OP_API op_status op_io_wait(const char *file);

/* Write all sets, maps and dats, in the order of the declaration, to a new file that replaces any other of that name.
 * Errors: OP_ERR_STATE (two objects of the same name; a dat is acquired). */
OP_API op_status op_dump_to_hdf5(const char *file);

/* Write a dat as text: a line with the size of its set and its dim, then a line for each element, values with as many
 * digits as it takes to read the same bits. Errors: OP_ERR_HANDLE, OP_ERR_STATE (acquired), OP_ERR_TYPE (types of the
 * user's own). */
OP_API op_status op_print_dat_to_txtfile(op_dat dat, const char *file);

/* Write a dat as it lies in memory: size of its set and dim as two ints, then all values.
 * Errors: OP_ERR_HANDLE, OP_ERR_STATE (acquired), OP_ERR_RANGE (more than 2^31 - 1 elements). */
OP_API op_status op_print_dat_to_binfile(op_dat dat, const char *file);

OP_END_DECLS

#endif
