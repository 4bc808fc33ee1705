/* io.h: the table of a file driver: named arrays of rows in a file.  EXPERIMENTAL.
 *
 * A process reads and writes a range of rows of each array. If the core opens a driver with nprocs > 1, all processes
 * work on one file: every entry is then collective, and a process without rows passes 0 rows. A driver that cannot do
 * this refuses nprocs > 1 in open (OP_ERR_UNSUPPORTED); the library then opens files for reading in each process
 * separately, and one process writes. Driver X_Y replaces driver X if communicator Y connects several processes
 * ("hdf5_mpi"); it refuses nprocs = 1. Names of arrays may contain "/", which makes groups. The library calls the
 * entries of one file from one thread at a time. The driver needs no protection against incomplete files: the library
 * renames a new file when it is complete, and reserves the space before it extends a file. */
#ifndef OP2_PLUGIN_IO_H
#define OP2_PLUGIN_IO_H

#include "op2/plugin/plugin.h"

typedef struct op_io_file_s op_io_file; /* the private state of an open file */

/* Modes of open. */
#define OP_IO_READ 0
#define OP_IO_CREATE 1 /* replaces an existing file */
#define OP_IO_UPDATE 2 /* reads and writes an existing file */

/* Parameters of open. */
typedef struct op_io_params {
  size_t size;
  const op_host_v1 *host;
  int32_t rank, nprocs;
  int64_t native_communicator; /* nprocs > 1: MPI's Fortran handle */
} op_io_params;

/* One named array of rows. */
typedef struct op_io_array {
  size_t size;
  int64_t rows; /* of the whole array */
  int32_t dim;
  op_type_id type;
  int32_t type_size;
  int32_t rank;          /* extents in the file: 2 (rows, dim), or 1 (rows; dim is 1). For create, 0 means 2 */
  const char *type_name; /* for user types; the string from describe is valid until the next call on the file */
  int64_t chunk_rows;    /* describe: rows of a chunk, 0 = contiguous. create: 0, the driver chooses */
  int32_t deflate;       /* 0: not compressed, 1 to 9: the level of zlib */
  int32_t reserved;
} op_io_array;

/* The table. R: required, from the plugin or its parent; O: optional, may be NULL.
 * exists: 0 nothing, 1 an array, 2 a group. describe: OP_ERR_FILE if there is no such array.
 * read_rows, write_rows: data[rows][dim]; `type` is the type of the values in memory. The driver converts numbers
 * between widths, and refuses (OP_ERR_TYPE) types that it cannot convert and values that do not fit. OP_TYPE_USER:
 * bytes as in the file. Attributes belong to an array, to a group ("VTKHDF") or to the whole file (""); writing an
 * existing attribute replaces it. read_text: truncates at `capacity` and always ends the text with a zero. write_text:
 * reserves `length` bytes in the file; 0: the length of the text. sync: returns when all written data are on the disk.
 * create_virtual (nprocs = 1): makes one array whose rows are in other files: rows first[p] ... first[p + 1] - 1 are
 * the whole array `name` in the p-th of `count` files, whose names are relative to the folder of this file; first[count
 * + 1] goes from 0 to array->rows. It replaces an array of that name. read_rows and write_rows then work as on other
 * arrays; OP_ERR_FILE reports that one of the files is missing or incomplete. */
typedef struct op_io_ops_v1 {
  size_t size;
  const char *extensions; /* extensions of the files that this driver handles: ".h5 .hdf5" */
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

/* SPDX-License-Identifier: MIT */
