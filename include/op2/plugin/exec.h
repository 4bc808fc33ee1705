/* exec.h: the table of an executor: memory, kernels and loops of one process.  EXPERIMENTAL.
 *
 * The core decides what runs and keeps the truth about data; the executor runs ranges of elements and owns queues and
 * threads. Entries marked R must be there (or come from the parent), O may be NULL. */
#ifndef OP2_PLUGIN_EXEC_H
#define OP2_PLUGIN_EXEC_H

#include "op2/loop.h"
#include "op2/plugin/plugin.h"

typedef struct op_exec_s op_exec;               /* the executor's own context */
typedef struct op_exec_kernel_s op_exec_kernel; /* the executor's own idea of a kernel */

/* What open gets. */
typedef struct op_exec_params {
  size_t size;
  const op_host_v1 *host;
  int32_t node_rank, node_size; /* this process among those of its node: choose device and cores by it */
  int32_t threads;              /* 0 = the executor decides */
  int32_t device;               /* -1 = the executor decides */
} op_exec_params;

/* What the executor is like; the core sets size, the executor fills in what fits. */
typedef struct op_exec_caps {
  size_t size;
  op_space space;               /* where dats and maps must live for loop_run */
  int32_t separate_memory;      /* 1: the core keeps a host copy and uses mem_copy */
  op_space transport[4];        /* spaces halo buffers may be in, preferred first, OP_SPACE_NONE ends the list */
  int32_t asynchronous;         /* 1: loop_run may return before the loop has run */
  int32_t deterministic;        /* 1: same bits from run to run with the same settings */
  int32_t concurrency;          /* threads, or multiprocessors */
  int32_t host_code;            /* 1: runs range functions as they are, so the core may put one into op_exec_source.range that it
                                   generated for the loop. 0: wants the program's own, e.g. to check them */
  int32_t layouts;              /* 1: puts op_exec_signature.layouts into op_range_ctx, or with device_text follows them itself, so dats
                                   need not be AoS. Without it all are */
  int32_t layout;               /* with that: OP_LAYOUT_... it is fastest with, which setting OP2_LAYOUT may overrule */
  int32_t reproducible;         /* 1: with OP2_REPRODUCIBLE=1 it wishes owner plans for loops that write through maps, or
                                   OP_PLAN_NONE (OP_PLAN_BLOCKS if they reduce) and runs the elements of one call in order. The
                                   core then calls once for each run of a sequence */
  int32_t device_text;          /* 1: compiles kernels itself, from op_exec_source.device. Kernels without such a text it refuses */
  int32_t layout_above;         /* `layout` is meant for dats whose rows have more bytes; the others are AoS */
} op_exec_caps;

/* A constant of op_decl_const() that a kernel reads. */
typedef struct op_exec_constant {
  const void *value; /* on the host, there as long as the kernel; may change between runs */
  size_t offset;     /* in struct op2_declared of the text */
  size_t bytes;
} op_exec_constant;

/* A kernel as text for a compiler of the executor's own, which says more than the program's function: C++17 that includes nothing and
 * stands by itself but for the functions of <math.h> at global scope, and what the compiler knows. It defines
 *   struct op2_declared  the constants, one member each, and nothing else
 *   struct op2_program : op2_declared  with the member function op2_kernel, whose parameters are those of the kernel; it is inline
 *                        and changes no member
 * Names it defines beside these begin with op2 or OP2. It does not name the loop: loops that are alike have the same text. */
typedef struct op_exec_text {
  size_t size;
  const char *text;
  const char *title;     /* one line of comment, for who reads it */
  const char *why;       /* why there is no text, "" when there is; then text is NULL */
  size_t declared_bytes; /* size of struct op2_declared; 0 without constants, though C++ says 1 */
  int32_t nconstants, reserved;
  const op_exec_constant *constants;
} op_exec_text;

/* A kernel as the program gave it. */
typedef struct op_exec_source {
  size_t size;
  op_kernel_fn element;    /* NULL when only a range form exists */
  op_range_fn range;       /* never NULL: the core makes one from `element` when the program gave none */
  int32_t range_is_native; /* 1: compiled with the program, the kernel inlined */
  int32_t line;
  const char *kernel_name, *file, *text; /* may be NULL */
  op_range_fn generic;     /* calls `element` through its pointer for each element and looks at nothing but kind, base, stride
                              and map of an argument; NULL when there is no `element` */
  const char *form;        /* what `range` is: "range", "element"; or generated for this loop: "scalar", "vector x8" */
  const op_exec_text *device; /* with op_exec_caps.device_text; else NULL */
} op_exec_source;

/* One argument as far as it stays the same from call to call. */
typedef struct op_exec_arg {
  int32_t kind;      /* OP_RANGE_... */
  op_access access;
  op_type_id type;
  int32_t type_size;
  int32_t dim;
  int32_t dat;       /* number of the dat; -1 none. Equal numbers = the same data */
  int32_t map;       /* number of the map; -1 none, also for OP_RANGE_MAP_INDEX through a table of numbers that is no map */
  int32_t column;    /* first column of the map; 0 for vector arguments */
  int32_t count;     /* vector arguments: columns */
  int32_t rows;      /* elements of the dat's set */
  int32_t reduction; /* position among the reduced values of the loop, -1 none */
  int32_t payload_of; /* the argument whose extremum this one goes with; -1 none */
} op_exec_arg;

/* Names for messages; NULL where an argument has no such thing. */
typedef struct op_exec_arg_names {
  const char *dat, *set, *map, *type; /* set: the one the dat lies on */
} op_exec_arg_names;

/* The values a loop reduces form one record of bytes: each reduced argument and each payload has a place in it. The executor
 * makes as many records as it has independent partial results, starts each as a copy of `start` (see op_exec_call), points the
 * arguments into it, and combines them in the order of the elements. */
typedef struct op_exec_reduce {
  size_t size;
  size_t record_bytes; /* multiple of 64 */
  int32_t count;       /* places */
  int32_t reserved;
  const int32_t *arg;  /* [count] argument of each place */
  const size_t *offset; /* [count] byte offset of each place */
  void (*combine)(const struct op_exec_reduce *reduce, void *into, const void *later);
} op_exec_reduce;

/* A loop as far as it stays the same from call to call. */
typedef struct op_exec_signature {
  size_t size;
  const char *name;
  int32_t set_size;     /* owned elements */
  int32_t nargs;
  const op_exec_arg *args;
  int32_t indirect;     /* some argument goes through a map */
  int32_t conflicts;    /* some argument writes through a map: elements may collide */
  const op_exec_reduce *reduce; /* NULL when nothing is reduced */
  const char *set_name;
  const op_exec_arg_names *names; /* [nargs] */
  /* For messages, on the host: the program's numbers of the elements [set_size], and of the rows of each argument's dat [nargs][rows].
     NULL, or an entry that is NULL: numbers are places. */
  const int32_t *numbers;
  const int32_t *const *row_numbers;
  const op_range_layout *layouts; /* [nargs] for op_range_ctx; NULL: all rows are contiguous, as for every range function of a program */
} op_exec_signature;

/* What division of the iteration range the executor wants for a loop. */
#define OP_PLAN_NONE 0             /* a plain range */
#define OP_PLAN_BLOCKS 1           /* blocks, no colours */
#define OP_PLAN_BLOCK_COLOURS 2    /* blocks coloured so that equal colours do not collide */
#define OP_PLAN_ELEMENT_COLOURS 3  /* block colours, and colours of the elements inside each block */
#define OP_PLAN_GLOBAL_COLOURS 4   /* no blocks: elements coloured and listed colour by colour */
#define OP_PLAN_OWNER 5            /* parts: each runs, in order, all elements that write rows it owns; see op_exec_segment */
#define OP_PLAN_OWNER_BLOCKS 6     /* the same for loops that reduce: each block is one segment of one part */
typedef struct op_exec_wish {
  size_t size;
  int32_t plan;
  int32_t block_size; /* 0 = the core decides */
  int32_t parts;      /* owner plans: how many parts; fewer than 1 = 1 */
  int32_t otherwise;  /* owner plans: the kind to take when parts would work much twice or in small pieces, which does not
                         depend on `parts`; OP_PLAN_NONE = never */
  int32_t again;      /* 1: ask again before the next run */
  int32_t compact;    /* element colours, 1: blocks of elements that share rows, wherever they stand; see op_exec_plan.element */
} op_exec_wish;

/* A run of consecutive elements of one part of an owner plan. Every row that the loop writes through maps has one part that owns
 * it. An element whose rows have several owners is run by each of them, in scratch rows of which only the owned ones are kept. */
typedef struct op_exec_segment {
  int32_t begin, end;
  int32_t block;  /* OP_PLAN_OWNER_BLOCKS: the block these elements are, whole; -1: what they reduce is dropped, the block they
                     belong to is a segment of another part */
  int32_t staged; /* -1: the part owns every row they write; else the number of a local table, see op_exec_plan */
} op_exec_segment;

/* The division, owned by the core, valid as long as the kernel. Everything lies in [begin, end). */
typedef struct op_exec_plan {
  size_t size;
  int32_t kind;                 /* OP_PLAN_... */
  int32_t begin, end;
  int32_t nblocks;
  const int32_t *block_offset;  /* [nblocks + 1]: block b is [block_offset[b], block_offset[b+1]) */
  int32_t ncolours;             /* 1 when nothing collides; 0 for an empty range */
  int32_t reserved;
  const int32_t *colour_offset; /* [ncolours + 1] into `order` */
  const int32_t *order;         /* block numbers (global colours: elements) by colour, ascending within a colour */
  const int32_t *element_colour;        /* [end - begin] or NULL */
  const int32_t *block_element_colours; /* [nblocks] or NULL: number of element colours */
  /* Owner plans; 0 and NULL otherwise. A group: the columns of maps through which one dat is written, or several dats alike */
  int32_t nparts;
  int32_t ngroups;
  const int32_t *part_offset;   /* [nparts + 1] into segments: those of a part ascend, and cover its elements */
  const op_exec_segment *segments;
  const int32_t *group_offset;  /* [ngroups + 1] into the next two; all groups' columns together are the local columns */
  const int32_t *column_map;    /* number of the map */
  const int32_t *column;        /* column of that map; within a group columns of one map ascend */
  /* Local tables. Staged segment k reaches, from element n through local column c, the slot
     local[local_offset[k] + (n - begin) * group_offset[ngroups] + c] of its group g. Slot s is the row
     slot_row[slot_offset[k * ngroups + g] + s], owned by the part, except for the slot past these, which takes what goes to
     rows of others */
  const int64_t *local_offset;  /* [staged segments] */
  const int32_t *local;
  const int64_t *slot_offset;   /* [staged segments * ngroups + 1] */
  const int32_t *slot_row;
  /* Element colours with op_exec_wish.compact; else NULL, and element and place are one. The blocks are blocks of places, place n holds
     element[n - begin], and element_colour is that of places. [end - begin], each element of the range once */
  const int32_t *element;
} op_exec_plan;

/* One run of a loop over [begin, end). */
typedef struct op_exec_call {
  size_t size;
  const op_range_arg *args; /* dats and maps in the executor's space. Globals that are read: the program's variable on the host,
                               to be copied before loop_run returns. Reduced ones and payloads: NULL, point them into records */
  const op_exec_plan *plan; /* as wished; covers exactly [begin, end) */
  int32_t begin, end;
  const void *reduce_start; /* record to start partial results from; NULL when nothing is reduced */
  void *reduce_result;      /* receives the combined record */
  const op_event *wait;     /* [nwait] run after these */
  int32_t nwait;
  int32_t reserved;
  /* Messages are under way that move only when this is called: now and then, by the thread that called loop_run. NULL: there
     are none. An executor need not */
  void (*progress)(void *context);
  void *progress_context;
} op_exec_call;

/* Rows to send to or receive from the neighbours: integers only, copied by halo_upload. */
typedef struct op_exec_halo_lists {
  size_t size;
  int32_t neighbours, reserved;
  const int32_t *offset; /* [neighbours + 1] into rows */
  const int32_t *rows;
} op_exec_halo_lists;
typedef struct op_exec_halo_s op_exec_halo; /* the executor's own copy of the lists */

/* One dat of an exchange. */
typedef struct op_exec_halo_item {
  char *base;       /* row 0 of a dat */
  size_t row_bytes;
  int32_t list;     /* which uploaded list */
  int32_t type_size; /* bytes of a value; 0: the dat is AoS, and the rest does not count. Messages hold rows one after another */
  ptrdiff_t stride, step; /* of the dat, as in op_range_arg and op_range_layout */
  int32_t block, reserved; /* as in op_range_layout */
} op_exec_halo_item;

/* Links: messages that go from device to device in the order of the executor's queues, and that no host waits for.
 *
 * One with all processes of a job, which all have such an executor. Entries that say so are collective. Then each process calls, in
 * the same order: pack into `send`; link_send; unpack from the place it returns; link_taken. None of them waits for another process. */
typedef struct op_exec_link_s op_exec_link;
typedef struct op_exec_link_halo_s op_exec_link_halo; /* one message with each neighbour, always of the same sizes */

/* How the executor meets the others while a link or an exchange is made and freed. The two functions are collective. */
typedef struct op_exec_link_params {
  size_t size;
  const char *kind; /* "ipc": all processes are on one machine; "nccl" */
  int32_t rank, size_of;
  void *context;
  op_status (*allgather)(void *context, const void *send, size_t bytes, void *recv); /* `bytes` of each process, by rank */
  op_status (*barrier)(void *context);
} op_exec_link_params;

/* The messages of an exchange of a link, of this process. */
typedef struct op_exec_link_halo_params {
  size_t size;
  int32_t nsend, nrecv;
  const int32_t *send_rank, *recv_rank;     /* ascending */
  const size_t *send_offset, *recv_offset;  /* [n + 1] bytes: message after message */
} op_exec_link_halo_params;

/* A whole dat: rows one after another on the host, and their copy in another layout in the executor's space. */
typedef struct op_exec_rows {
  size_t size;
  char *rows, *copy;
  ptrdiff_t stride, step; /* of the copy, as in op_range_arg and op_range_layout */
  int32_t block;          /* of the copy, as in op_range_layout */
  int32_t count;          /* rows */
  int32_t dim, type_size;
  int32_t to_rows;        /* 1: from the copy to the host; 0: the other way */
  int32_t reserved;
} op_exec_rows;

/* Bytes from row 0 of a dat to a row of it, in any layout; component c lies c * step behind. stride, block: as in op_range_arg and
 * op_range_layout; type_size: bytes of a value. A dat without a layout has block 1. */
static inline ptrdiff_t op_exec_row_offset(ptrdiff_t stride, int32_t block, int32_t type_size, int64_t row) {
  if (block == 1) return row * stride; /* AoS and SoA, without a division */
  return row / block * stride + row % block * type_size;
}

/* The table. R: must be there, or come from the parent. O: may be NULL. Whatever an entry frees may still be used by what was asked
 * for before, which the executor then waits for. */
typedef struct op_exec_ops_v1 {
  size_t size;
  /* life */
  op_status (*open)(const op_exec_params *params, op_exec **exec);                   /* R */
  void (*close)(op_exec *exec);                                                      /* R */
  op_status (*caps)(op_exec *exec, op_exec_caps *caps);                              /* R */
  /* memory; the core owns it. In and out events as in loop_run */
  op_status (*mem_alloc)(op_exec *exec, op_space space, size_t bytes, void **p);     /* R, 64-byte aligned */
  void (*mem_free)(op_exec *exec, op_space space, void *p);                          /* R */
  op_status (*mem_copy)(op_exec *exec, void *to, op_space to_space, const void *from, op_space from_space, size_t bytes,
                        const op_event *wait, int32_t nwait, op_event *done);        /* R */
  op_status (*mem_zero)(op_exec *exec, op_space space, void *p, size_t bytes);       /* R */
  /* kernels */
  op_status (*kernel_create)(op_exec *exec, const op_exec_source *source, const op_exec_signature *signature,
                             op_exec_kernel **kernel);  /* R; OP_ERR_UNSUPPORTED is a legal answer: the loop then runs on the host. The
                                                           signature lives as long as the kernel, the source for the call */
  void (*kernel_free)(op_exec *exec, op_exec_kernel *kernel);                        /* R */
  const char *(*kernel_form)(op_exec *exec, const op_exec_kernel *kernel);           /* R: "range", "element", "vector x8" ... */
  op_status (*kernel_wish)(op_exec *exec, const op_exec_kernel *kernel, op_exec_wish *wish); /* R */
  /* loops */
  op_status (*loop_run)(op_exec *exec, op_exec_kernel *kernel, const op_exec_call *call, op_event *done); /* R */
  op_status (*reduce_wait)(op_exec *exec, op_exec_kernel *kernel);  /* O: makes reduce_result valid; NULL = it is at once */
  op_status (*const_set)(op_exec *exec, const char *name, op_type_id type, int32_t type_size, int32_t dim,
                         const void *data);                                          /* O */
  /* events: O; all absent = everything is synchronous and every event is NULL */
  op_status (*event_wait)(op_exec *exec, op_event event);
  int (*event_query)(op_exec *exec, op_event event); /* 1 past, 0 not yet */
  void (*event_free)(op_exec *exec, op_event event);
  op_status (*native_queue)(op_exec *exec, int32_t kind, void **handle); /* e.g. a CUDA stream */
  /* halo: with memory of its own, or rows go through the host. The buffer is in the negotiated transport space and holds one message
     per neighbour, in order; in each, item after item, the item's rows for that neighbour in the order of its list. pack sees what was
     asked for before it and does not delay what is asked for after it; its event passes when the messages are there. What is asked
     for after unpack sees the rows; its event passes when the buffer is not needed any more */
  op_status (*halo_upload)(op_exec *exec, const op_exec_halo_lists *lists, int32_t nlists, op_exec_halo **halo);
  void (*halo_free)(op_exec *exec, op_exec_halo *halo);
  op_status (*halo_pack)(op_exec *exec, op_exec_halo *halo, const op_exec_halo_item *items, int32_t nitems, void *buffer,
                         op_space space, const op_event *wait, int32_t nwait, op_event *done);
  op_status (*halo_unpack)(op_exec *exec, op_exec_halo *halo, const op_exec_halo_item *items, int32_t nitems,
                           const void *buffer, op_space space, const op_event *wait, int32_t nwait, op_event *done);
  /* the division for the runs that follow, after each kernel_wish; it lives as long as the kernel. O */
  op_status (*kernel_plan)(op_exec *exec, op_exec_kernel *kernel, const op_exec_plan *plan);
  op_status (*finish)(op_exec *exec); /* returns when all that was asked for has run. O: it always has */
  /* links; O, all or none. A failure of one process in a collective entry is one of all */
  op_status (*link_open)(op_exec *exec, const op_exec_link_params *params, op_exec_link **link); /* collective */
  void (*link_close)(op_exec *exec, op_exec_link *link);                                 /* collective, after all its exchanges */
  op_status (*link_halo_create)(op_exec *exec, op_exec_link *link, const op_exec_link_halo_params *params, op_exec_link_halo **halo,
                                void **send);                                            /* collective. `send`: in memory of `space` */
  void (*link_halo_free)(op_exec *exec, op_exec_link_halo *halo);                        /* in the same order on all processes */
  op_status (*link_send)(op_exec *exec, op_exec_link_halo *halo, const void **recv);     /* what is packed leaves, then what comes is
                                                                                            awaited, both on the queue of halos */
  op_status (*link_taken)(op_exec *exec, op_exec_link_halo *halo);                       /* what came has been unpacked */
  void (*link_give_up)(op_exec *exec, op_exec_link *link);                               /* after a failure of the job: what waits for
                                                                                            others goes on, with any values */
  /* mem_copy for dats in other layouts, with memory of its own. O: NULL = the host puts the values in order */
  op_status (*mem_copy_rows)(op_exec *exec, const op_exec_rows *rows, const op_event *wait, int32_t nwait, op_event *done);
} op_exec_ops_v1;

#endif
