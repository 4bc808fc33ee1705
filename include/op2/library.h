/* library.h: services of libop2 for libraries that build on it, as libop2_trace does. Programs do not need them.
 *
 * Such a library links libop2, calls the functions of op2.h, and takes what these do not offer from one table. The
 * table begins with its size and grows only at the end: a library that needs an entry checks that the table has it.
 *
 * Entries that return op_status do not call the handler of errors. Where they fail, error() describes what failed, and
 * the library passes that on by report(), which does call the handler, in the name of its own function. All entries but
 * error(), report() and errors_return() are for the thread that called op_init(), after begin() has returned OP_OK in
 * the same function of the library.
 *
 * Declared part: the elements of a set, in the order of the declaration, of which a process has the numbers
 * declared_first ... declared_first + declared_size - 1, however the library has divided the set meanwhile. */
#ifndef OP2_LIBRARY_H
#define OP2_LIBRARY_H

#include "op2/plugin/comm.h"
#include "op2/view.h"

OP_BEGIN_DECLS

/* Properties of an error, a sum of: */
#define OP_LIBRARY_AGREED 1   /* every process has been told of it */
#define OP_LIBRARY_SILENT 2   /* another process prints the message */
#define OP_LIBRARY_POISONS 4  /* data may be partly written; the context allows nothing but op_exit() afterwards */
#define OP_LIBRARY_ENDS_JOB 8 /* other processes wait for this one in the middle of messages; the job ends */

/* What went wrong. Texts may be NULL. */
typedef struct op_library_error {
  size_t size;
  op_status code;
  int flags;
  const char *message;
  const char *loop; /* name of the loop, when one is involved */
  int arg;          /* position of its argument, from 0; -1: none */
  const char *file; /* place of the call in the program */
  int line;
} op_library_error;

/* The communicator of the context, which stays its owner. */
typedef struct op_library_communicator {
  size_t size;
  const char *name;
  const op_comm_ops_v1 *ops;
  op_comm *comm;
  const op_host_v1 *host; /* with which memory of received messages is freed */
} op_library_communicator;

/* A set. Texts in this struct and the next ones are owned by the library and valid until the context ends. */
typedef struct op_library_set {
  size_t size;
  const char *name;
  int own_size; /* elements that this process owns at the moment */
  int declared_size;
  op_gindex declared_first, global_size;
  int64_t revision; /* counts the changes of order and number of its rows */
} op_library_set;

/* A map. */
typedef struct op_library_map {
  size_t size;
  const char *name;
  op_set from, to;
  int dim, reserved;
  int64_t revision; /* counts the changes of its entries */
} op_library_map;

/* A dat. */
typedef struct op_library_dat {
  size_t size;
  const char *name, *type_name;
  op_set set;
  op_type_id type; /* OP_TYPE_... */
  int dim, row_bytes;
  int acquired; /* 1: between op_dat_acquire() and op_dat_release() */
} op_library_dat;

/* A view. */
typedef struct op_library_view {
  size_t size;
  const char *name;
  op_dat coordinates;
  int cells, reserved; /* how many times op_view_cells() has added some */
} op_library_view;

/* What one call of op_view_cells() has added to a view. */
typedef struct op_library_cells {
  size_t size;
  op_map map;
  op_cell_type type;
  const char *type_name;
} op_library_cells;

/* A file that is being written, with named arrays (HDF5). */
typedef struct op_library_file_s op_library_file;
/* An array of such a file. */
typedef struct op_library_array {
  size_t size;
  const char *name;
  op_gindex rows; /* of all processes */
  int dim;
  op_type_id type;
  int flat, reserved; /* flat 1: an array of one dimension, for dim 1 */
} op_library_array;

/* What drawing lines took on this process, for the tables of op_timing_output(). */
typedef struct op_library_tracing {
  size_t size;
  int64_t lines, steps, handed_over, came_back, messages, particle_messages;
  double sent_bytes, particle_bytes, dividing_seconds, seconds, working_seconds, waiting_seconds;
} op_library_tracing;

/* Called when the context ends, before its objects are gone. Must not call the library. */
typedef void (*op_library_end_fn)(void *user);

/* The table. "Collective": all processes call the entry; a failure of one is a failure on all. */
typedef struct op_library_v1 {
  size_t size;

  /* ---- calls and errors. Each function of the library begins with begin(): the checks that all functions of op2.h
   * make (a context, its thread, no kernel that runs), and recorded loops run. */
  op_status (*begin)(void);
  /* Describes the failure of the last entry on this thread; valid until the next one fails. */
  void (*error)(op_library_error *out);
  /* As a function `call` of op2.h reports a failure: op_last_error(), the handler. Returns the status. */
  op_status (*report)(const char *call, const op_library_error *error);
  int (*errors_return)(void); /* 1: the program goes on after errors */
  op_status (*at_end)(op_library_end_fn function, void *user);

  /* ---- processes and threads */
  op_status (*communicator)(op_library_communicator *out);
  const char *(*communicator_failure)(void); /* what its last entry that failed says; clears it */
  int (*threads)(void);                      /* that host code of this process may use, at least 1 */
  op_status (*settle)(void);                 /* collective: files are written, processes know what each has declared */

  /* ---- objects of the mesh: the facts of a handle; `what` names it in messages ("argument 'velocity'") */
  op_status (*set)(op_set set, const char *what, op_library_set *out);
  op_status (*map)(op_map map, const char *what, op_library_map *out);
  op_status (*dat)(op_dat dat, const char *what, op_library_dat *out);
  op_status (*view)(op_view view, op_library_view *out);
  op_status (*view_cells)(op_view view, int number, op_library_cells *out);
  /* The map of dim 1 by which cells of `shown` take values of `values`, a set that the view does not show. *map NULL:
   * there is none. */
  op_status (*view_way)(op_view view, op_set shown, op_set values, op_map *map);
  op_status (*declare_dat)(op_set set, int dim, const char *type, const char *name, op_dat *dat); /* collective */

  /* ---- rows and entries. Collective */
  op_status (*fetch_rows)(op_dat dat, void *rows);                                    /* [declared_size][row_bytes] */
  op_status (*put_rows)(op_dat dat, const void *rows);                                /* the same */
  op_status (*rows_of)(op_dat dat, size_t count, const op_gindex *numbers, void *rows); /* of any elements */
  op_status (*own_numbers)(op_set set, op_gindex *numbers);      /* [own_size] of the elements that this process owns */
  op_status (*own_entries)(op_map map, op_gindex *entries);      /* [own_size of from][dim] numbers of targets */
  op_status (*declared_entries)(op_map map, op_gindex *entries); /* [declared_size of from][dim] */

  /* ---- files. Collective; a file that is not committed before close_file() does not appear */
  op_status (*write_file)(const char *path, const char *what, const char *bytes, size_t count); /* of process 0 */
  op_status (*open_file)(const char *path, int count, const op_library_array *arrays, op_library_file **file);
  op_status (*file_group)(op_library_file *file, const char *name);
  op_status (*file_numbers)(op_library_file *file, const char *group, const char *key, int count, const int *numbers);
  op_status (*file_word)(op_library_file *file, const char *group, const char *key, const char *word);
  /* Writes an array of those passed to open_file(): this process has `rows` rows from row `first` on. */
  op_status (*file_array)(op_library_file *file, const op_library_array *array, op_gindex first, op_gindex rows,
                          const void *data);
  op_status (*commit_file)(op_library_file *file);
  void (*close_file)(op_library_file *file);

  /* ---- what is shown of the work: lanes of the trace (OP2_TRACE), 0 and NULL without one, and tables of times. begin
   * and end: seconds of CLOCK_MONOTONIC */
  int (*trace_lane)(const char *name);
  const void *(*trace_subject)(int lane, const char *name, const char *count_name); /* count_name NULL: no count */
  void (*trace_record)(const void *subject, double begin, double end, int64_t count);
  op_status (*add_tracing)(const op_library_tracing *more);
} op_library_v1;

/* The table, which is the same for all contexts. Never NULL. Any thread may call it. */
OP_API const op_library_v1 *op_library_services(void);

OP_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
