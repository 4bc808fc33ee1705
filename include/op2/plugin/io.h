/* io.h: the table of a file driver: named arrays of rows in a file.  EXPERIMENTAL.
 *
 * A process reads and writes a range of rows of each array. A driver that is opened with nprocs > 1 works on one file
 * with all of them: every entry is then collective, and processes without rows give 0 of them. Drivers that cannot
 * refuse nprocs > 1 in open (OP_ERR_UNSUPPORTED); the library then opens files for reading in each process by itself,
 * and lets one process write. A driver X_Y is what takes the place of driver X where several processes are connected by
 * communicator Y ("hdf5_mpi"); it refuses nprocs = 1. Names of arrays may contain "/", which makes groups. All calls on
 * one file come from one thread at a time. A file that is made anew gets its name from the library only when it is
 * complete, and "no space" is no surprise in one that is extended: the library sees to both. */
#ifndef OP2_PLUGIN_IO_H
#define OP2_PLUGIN_IO_H

#include "op2/plugin/plugin.h"

typedef struct op_io_file_s op_io_file; /* the driver's own idea of an open file */

/* How a file is opened. */
#define OP_IO_READ 0
#define OP_IO_CREATE 1 /* replaces an existing file */
#define OP_IO_UPDATE 2 /* reads and writes a file, which must exist */

/* What open gets. */
typedef struct op_io_params {
  size_t size;
  const op_host_v1 *host;
  int32_t rank, nprocs;
  int64_t native_communicator; /* nprocs > 1: as Fortran has it */
} op_io_params;

/* One named array of rows. */
typedef struct op_io_array {
  size_t size;
  int64_t rows; /* of the whole array */
  int32_t dim;
  op_type_id type;
  int32_t type_size;
  int32_t rank; /* extents in the file: 2 (rows, dim), or 1 (rows; dim is 1). What create gets may be 0 for 2 */
  const char *type_name; /* for user types; what describe gives lives until the file's next call */
  int64_t chunk_rows;    /* rows of a chunk; 0: the driver's choice, contiguous where nothing is compressed */
  int32_t deflate;       /* 0: not compressed, 1 to 9: the level of zlib */
  int32_t reserved;
} op_io_array;

/* The table; all entries but those marked O must be there, or come from the parent.
 * exists: 0 nothing, 1 an array, 2 a group. describe: OP_ERR_FILE where there is no such array.
 * read_rows, write_rows: `type` is how the values lie in memory; the driver converts numbers between widths, and
 * refuses (OP_ERR_TYPE) what cannot be converted and values that do not fit. OP_TYPE_USER: bytes as in the file.
 * Attributes belong to an array, to a group ("VTKHDF") or to the whole file (""). Writing one that exists replaces it.
 * read_text: cuts at `capacity`, always ends with a 0. write_text: `length` bytes in the file, 0: as many as the text
 * has. sync: what was written is on the disk when it returns. create_virtual (nprocs = 1): an array whose rows stand in
 * other files, and which readers see as one: rows first[p] ... first[p + 1] - 1 are all of array `name` in the p-th of
 * `count` files, named relative to the folder of this one; first has count + 1 numbers, from 0 to array->rows. It takes
 * the place of an array of that name. Such rows are read and written as any others, and OP_ERR_FILE tells that one of
 * the files is missing or not whole. */
typedef struct op_io_ops_v1 {
  size_t size;
  const char *extensions; /* ".h5 .hdf5": which files are this driver's */
  op_status (*open)(const op_io_params *params, const char *path, int32_t mode, op_io_file **file); /* R */
  op_status (*close)(op_io_file *file);                                                             /* R */
  op_status (*describe)(op_io_file *file, const char *name, op_io_array *array);                    /* R */
  op_status (*create)(op_io_file *file, const char *name, const op_io_array *array);                /* R */
  op_status (*read_rows)(op_io_file *file, const char *name, int64_t first, int64_t rows, op_type_id type,
                         void *data); /* R */
  op_status (*write_rows)(op_io_file *file, const char *name, int64_t first, int64_t rows, op_type_id type,
                          const void *data); /* R */
  op_status (*read_attribute)(op_io_file *file, const char *name, const char *key, op_type_id type, int32_t count,
                              void *data); /* R */
  op_status (*write_attribute)(op_io_file *file, const char *name, const char *key, op_type_id type, int32_t count,
                               const void *data);                                                            /* R */
  op_status (*exists)(op_io_file *file, const char *name, int32_t *what);                                    /* R */
  op_status (*create_group)(op_io_file *file, const char *name);                                             /* R */
  op_status (*read_text)(op_io_file *file, const char *name, const char *key, char *text, int32_t capacity); /* R */
  op_status (*write_text)(op_io_file *file, const char *name, const char *key, const char *text,
                          int32_t length); /* R */
  op_status (*sync)(op_io_file *file);     /* R */
  op_status (*create_virtual)(op_io_file *file, const char *name, const op_io_array *array, int32_t count,
                              const char *const *files, const int64_t *first); /* O */
} op_io_ops_v1;

#endif
