/* io.h: the table of a file driver: named arrays of rows in a file.  EXPERIMENTAL.
 *
 * A process reads and writes a range of rows of each array; with several processes the calls are collective. */
#ifndef OP2_PLUGIN_IO_H
#define OP2_PLUGIN_IO_H

#include "op2/plugin/plugin.h"

typedef struct op_io_file_s op_io_file; /* the driver's own idea of an open file */

/* How a file is opened. */
#define OP_IO_READ 0
#define OP_IO_CREATE 1 /* replaces an existing file */
#define OP_IO_UPDATE 2

/* What open gets. */
typedef struct op_io_params {
  size_t size;
  const op_host_v1 *host;
  int32_t rank, nprocs;
  int64_t native_communicator;
} op_io_params;

/* One named array of rows. */
typedef struct op_io_array {
  size_t size;
  int64_t rows;        /* of the whole array */
  int32_t dim;
  op_type_id type;
  int32_t type_size;
  int32_t reserved;
  const char *type_name; /* for user types */
} op_io_array;

/* The table; all entries must be there, or come from the parent. */
typedef struct op_io_ops_v1 {
  size_t size;
  const char *extensions; /* ".h5 .hdf5": which files are this driver's */
  op_status (*open)(const op_io_params *params, const char *path, int32_t mode, op_io_file **file);                /* R */
  op_status (*close)(op_io_file *file);                                                                            /* R */
  op_status (*describe)(op_io_file *file, const char *name, op_io_array *array);                                   /* R */
  op_status (*create)(op_io_file *file, const char *name, const op_io_array *array);                               /* R */
  op_status (*read_rows)(op_io_file *file, const char *name, int64_t first, int64_t rows, void *data);             /* R */
  op_status (*write_rows)(op_io_file *file, const char *name, int64_t first, int64_t rows, const void *data);      /* R */
  op_status (*read_attribute)(op_io_file *file, const char *name, const char *key, op_type_id type, int32_t count,
                              void *data);                                                                         /* R */
  op_status (*write_attribute)(op_io_file *file, const char *name, const char *key, op_type_id type, int32_t count,
                               const void *data);                                                                  /* R */
} op_io_ops_v1;

#endif
