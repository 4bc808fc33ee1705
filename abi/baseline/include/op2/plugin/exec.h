/* exec.h: the table of an executor: memory, kernels and loops of one process.  EXPERIMENTAL.
 *
 * The core decides what runs and records which copy of the data is current; the executor runs ranges of elements and
 * owns queues and threads. R marks required entries (from the plugin or its parent), O optional entries, which may be
 * NULL. */
#ifndef OP2_PLUGIN_EXEC_H
#define OP2_PLUGIN_EXEC_H

#include "op2/loop.h"
#include "op2/plugin/plugin.h"

typedef struct op_exec_s op_exec;               /* the private context of the executor */
typedef struct op_exec_kernel_s op_exec_kernel; /* the private state of a kernel */

/* Parameters of open. */
typedef struct op_exec_params {
  size_t size;
  const op_host_v1 *host;
  int32_t node_rank, node_size; /* rank of this process on its node, and their number, to choose device and cores */
  int32_t threads;              /* 0 = the executor decides */
  int32_t device;               /* -1 = the executor decides */
} op_exec_params;

/* Properties of the executor. The core sets size; the executor fills in the fields within size. */
typedef struct op_exec_caps {
  size_t size;
  op_space space;          /* the space that loop_run needs dats and maps in */
  int32_t separate_memory; /* 1: the core keeps a host copy and uses mem_copy */
  op_space transport[4];   /* possible spaces of halo buffers, preferred first; OP_SPACE_NONE ends the list */
  int32_t asynchronous;    /* 1: loop_run may return before the loop is complete */
  int32_t deterministic;   /* 1: the same bits in every run with the same settings */
  int32_t concurrency;     /* threads, or multiprocessors */
  int32_t host_code; /* 1: calls range functions unchanged, so the core may put one that it has generated for the loop
                        into op_exec_source.range. 0: needs the program's own, e.g. to check them */
  int32_t layouts;   /* 1: the executor passes op_exec_signature.layouts on in op_range_ctx, or with device_text follows
                        them itself, so that dats need not be AoS. 0: all dats are AoS */
  int32_t layout;    /* if layouts is 1: the OP_LAYOUT_... it prefers; the setting OP2_LAYOUT takes precedence */
  int32_t reproducible; /* 1: with OP2_REPRODUCIBLE=1 it requests owner plans for loops that write through maps, or it
                           requests OP_PLAN_NONE (OP_PLAN_BLOCKS if they reduce) and runs the elements of one call in
                           order. The core then makes one call for each run of a sequence */
  int32_t device_text;  /* 1: the executor compiles kernels itself, from op_exec_source.device, and refuses kernels
                           without that text */
  int32_t layout_above; /* AoS all the same for rows of up to so many bytes whose number of values is a power of two */
  int32_t tasks; /* 1: lists of a chain are tasks: any thread may run any list when those it waits for are done, and
                    threads take lists of each other. The core then makes many short lists, of one step each */
  size_t chunk;  /* with mem_reserve: bytes, a power of two. Memory is given to addresses in chunks of this size; 0: it
                    cannot be */
} op_exec_caps;

/* A constant of op_decl_const() that a kernel reads. */
typedef struct op_exec_constant {
  const void *value; /* on the host, valid as long as the kernel; the values may change between runs */
  size_t offset;     /* in struct op2_declared of the text */
  size_t bytes;
} op_exec_constant;

/* The text of a kernel for a compiler of the executor. It is C++17 and needs the functions of <math.h> at global scope
 * and the built-ins of the compiler. It includes nothing but, where the library takes the program's declarations word
 * for word, headers of the standard library that the program includes for values and functions on them (<cmath>,
 * <algorithm>, <array>, <utility> and their like). It defines
 *
 *   struct op2_declared                the constants, one member each, and nothing else
 *   struct op2_program : op2_declared  with the inline member function op2_kernel, which has the parameters of the
 *                                      kernel, or some to which its pointers convert, and changes no member
 *
 * With constants it may use the macro OP2_CONSTANTS once, on a line of its own behind these: the executor defines it,
 * as the definition of its object op2_program op2_values, whose members the text reads after that.
 *
 * All other names that it defines begin with op2 or OP2, or are the program's. It does not contain the name of the
 * loop, so that equal loops have the same text. */
typedef struct op_exec_text {
  size_t size;
  const char *text;
  const char *title;     /* one line of comment for a human reader */
  const char *why;       /* the reason if there is no text, and text is NULL then; otherwise "" */
  size_t declared_bytes; /* size of struct op2_declared; 0 without constants, where sizeof is 1 */
  int32_t nconstants, reserved;
  const op_exec_constant *constants;
} op_exec_text;

/* A kernel as the program has passed it. */
typedef struct op_exec_source {
  size_t size;
  op_kernel_fn element;    /* NULL if only a range function exists */
  op_range_fn range;       /* never NULL: the core makes one from `element` if the program has none */
  int32_t range_is_native; /* 1: compiled with the program, with the kernel inlined */
  int32_t line;
  const char *kernel_name, *file, *text; /* may be NULL */
  op_range_fn generic; /* calls `element` through its pointer for each element and reads only kind, base, stride and map
                          of an argument; NULL if `element` is NULL */
  const char *form; /* the form of `range`: "range", "element"; or, if generated for this loop, "scalar", "vector x8" */
  const op_exec_text *device; /* with op_exec_caps.device_text; otherwise NULL */
} op_exec_source;

/* The properties of an argument that do not change from call to call. */
typedef struct op_exec_arg {
  int32_t kind; /* OP_RANGE_... */
  op_access access;
  op_type_id type;
  int32_t type_size;
  int32_t dim;
  int32_t dat;        /* number of the dat, -1 = none. Equal numbers = the same data */
  int32_t map;        /* number of the map, -1 = none, also for OP_RANGE_MAP_INDEX through a table that is not a map */
  int32_t column;     /* first column of the map; 0 for vector arguments */
  int32_t count;      /* vector arguments: columns */
  int32_t rows;       /* elements of the set of the dat */
  int32_t reduction;  /* position among the reduced values of the loop, -1 = none */
  int32_t payload_of; /* the argument whose extremum this payload belongs to, -1 = none */
} op_exec_arg;

/* Names for messages; NULL if the argument has no such object. */
typedef struct op_exec_arg_names {
  const char *dat, *set, *map, *type; /* set: the set of the dat */
} op_exec_arg_names;

/* The values that a loop reduces form one record of bytes, in which each reduced argument and each payload has a place.
 * The executor makes one record for each independent partial result, initialises it as a copy of
 * op_exec_call.reduce_start, sets the base of the arguments to their places in it, and combines the records in the
 * order of the elements. */
typedef struct op_exec_reduce {
  size_t size;
  size_t record_bytes; /* multiple of 64 */
  int32_t count;       /* places */
  int32_t reserved;
  const int32_t *arg;   /* [count] argument of each place */
  const size_t *offset; /* [count] byte offset of each place */
  void (*combine)(const struct op_exec_reduce *reduce, void *into, const void *later);
} op_exec_reduce;

/* The properties of a loop that do not change from call to call. */
typedef struct op_exec_signature {
  size_t size;
  const char *name;
  int32_t set_size; /* owned elements */
  int32_t nargs;
  const op_exec_arg *args;
  int32_t indirect;             /* 1: an argument accesses data through a map */
  int32_t conflicts;            /* 1: an argument writes through a map, so that two elements may write the same row */
  const op_exec_reduce *reduce; /* NULL without reductions */
  const char *set_name;
  const op_exec_arg_names *names; /* [nargs] */
  /* For messages, on the host: the program's numbers of the elements [set_size], and of the rows of the dat of each
     argument [nargs][rows]. NULL, or a NULL entry: the number is the position. */
  const int32_t *numbers;
  const int32_t *const *row_numbers;
  const op_range_layout *layouts; /* [nargs] for op_range_ctx; NULL: all rows are contiguous, as range functions of
 programs need it */
} op_exec_signature;

/* The executor's request for a division of the iteration range of a loop. */
#define OP_PLAN_NONE 0            /* an undivided range */
#define OP_PLAN_BLOCKS 1          /* blocks without colours */
#define OP_PLAN_BLOCK_COLOURS 2   /* coloured blocks; blocks of one colour write no common row */
#define OP_PLAN_ELEMENT_COLOURS 3 /* block colours, and colours of the elements inside each block */
#define OP_PLAN_GLOBAL_COLOURS 4  /* no blocks: elements coloured and listed colour by colour */
#define OP_PLAN_OWNER 5        /* parts that run, in order, all elements that write their rows; see op_exec_segment */
#define OP_PLAN_OWNER_BLOCKS 6 /* as OP_PLAN_OWNER for loops that reduce: each block is one segment of one part */
typedef struct op_exec_plan_request {
  size_t size;
  int32_t plan;
  int32_t block_size; /* 0 = the core decides */
  int32_t parts;      /* owner plans: how many parts; fewer than 1 = 1 */
  int32_t otherwise;  /* owner plans: the kind to use instead if parts would repeat much work or have small segments,
                         which does not depend on `parts`; OP_PLAN_NONE = never */
  int32_t again;      /* 1: the core asks again before the next run */
  int32_t compact;    /* element colours, 1: blocks of elements that share rows, at any positions; see op_exec_plan */
  int32_t chains; /* with chain_run, 1: the loop may run in a chain. With host_code: results are those of the elements
                     in order, partial results block by block. Without chain_run and host_code, 1: the core verifies the
                     order in which chains would run elsewhere; their loops run one by one */
  int32_t adds_in_order; /* 1: rows get increments in the order of the elements, or that of op_exec_plan.added where the
                            core gives one */
} op_exec_plan_request;

/* A segment: consecutive elements of one part of an owner plan. One part owns each row that the loop writes through
 * maps. If the rows of an element have several owners, each owner runs the element, in scratch rows, and keeps only the
 * rows that it owns. */
typedef struct op_exec_segment {
  int32_t begin, end;
  int32_t block; /* OP_PLAN_OWNER_BLOCKS: the number of the block that these elements form; -1: their reduced values are
                    discarded, because their block is a segment of another part */
  int32_t staged; /* -1: the part owns every row that they write; otherwise the number of a local table, or, in plans of
                     a chain, where the segment has bits; see op_exec_plan.own */
} op_exec_segment;

/* The division, owned by the core, valid as long as the kernel. All elements are in [begin, end). */
typedef struct op_exec_plan {
  size_t size;
  int32_t kind; /* OP_PLAN_... */
  int32_t begin, end;
  int32_t nblocks;
  const int32_t *block_offset; /* [nblocks + 1]: block b is [block_offset[b], block_offset[b+1]) */
  int32_t ncolours;            /* 1 without conflicts; 0 for an empty range */
  int32_t reserved;
  const int32_t *colour_offset; /* [ncolours + 1] into `order` */
  const int32_t *order; /* block numbers (with global colours element numbers) by colour, ascending within a colour */
  const int32_t *element_colour;        /* [end - begin] or NULL */
  const int32_t *block_element_colours; /* [nblocks] or NULL: number of element colours */
  /* Owner plans; 0 and NULL otherwise. A group: the columns of maps through which the loop writes one dat, or several
     dats with the same columns */
  int32_t nparts;
  int32_t ngroups;
  const int32_t *part_offset; /* [nparts + 1] into segments: the segments of a part ascend and cover its elements */
  const op_exec_segment *segments;
  const int32_t *group_offset; /* [ngroups + 1] into the next two; the columns of all groups are the local columns */
  const int32_t *column_map;   /* number of the map */
  const int32_t *column;       /* column of that map; within a group the columns of one map ascend */
  /* Local tables. In staged segment k, element n writes through local column c to the slot
     local[local_offset[k] + (n - begin) * group_offset[ngroups] + c] of the group g of that column. Slot s is the row
     slot_row[slot_offset[k * ngroups + g] + s], which the part owns; one slot after these receives the values for rows
     of other parts */
  const int64_t *local_offset; /* [staged segments] */
  const int32_t *local;
  const int64_t *slot_offset; /* [staged segments * ngroups + 1] */
  const int32_t *slot_row;
  /* Element colours with op_exec_plan_request.compact; otherwise NULL, and element and position are the same. The
     blocks are blocks of positions, position n holds element[n - begin], and element_colour is by position. [end -
     begin], each element of the range once */
  const int32_t *element;
  /* Plans of a chain have bits in place of local tables; otherwise NULL. Bit i of a segment is bit i % 32 of own[w +
     i / 32]. With staged >= 0, w = staged, each element has a bit for itself, the part runs it, and then one for each
     local column: the part owns the row that the element reaches. With staged < -1, w = -2 - staged, the part runs all
     elements, and each has the bits of the columns only, as where there is a block. Without columns the part
     changes all rows of the elements that it runs, where they are */
  const uint32_t *own;
  /* With op_exec_plan_request.adds_in_order, or NULL: rows get the increments of the elements added[0] ... added[1] - 1
     first, then those of added[2] ... added[3] - 1, and so on, each element of the range once: several processes add up
     copies of a row in one order */
  const int32_t *added; /* [2 * nadded] */
  int32_t nadded;
} op_exec_plan;

/* What bits of a chain's plan say of element begin + n of a segment with such; c: a local column. 0 or 1. */
static inline uint32_t op_exec_runs(const op_exec_plan *plan, const op_exec_segment *segment, int32_t n) {
  const uint32_t i = (uint32_t)n * (uint32_t)(plan->group_offset[plan->ngroups] + 1);
  return segment->staged < 0 ? 1u : plan->own[(uint32_t)segment->staged + i / 32u] >> (i % 32u) & 1u;
}
static inline uint32_t op_exec_owns(const op_exec_plan *plan, const op_exec_segment *segment, int32_t n, int32_t c) {
  const int32_t own_bit = segment->staged >= 0, columns = plan->group_offset[plan->ngroups];
  const uint32_t word = (uint32_t)(own_bit ? segment->staged : -2 - segment->staged);
  const uint32_t i = (uint32_t)n * (uint32_t)(columns + own_bit) + (uint32_t)(own_bit + c);
  return plan->own[word + i / 32u] >> (i % 32u) & 1u;
}

/* One run of a loop over [begin, end). */
typedef struct op_exec_call {
  size_t size;
  const op_range_arg *args; /* dats and maps in the space of the executor. Globals with OP_READ: the program's variable
                               on the host, which the executor copies before loop_run returns. Reduced globals and
                               payloads: NULL; the executor sets their base to places in its records */
  const op_exec_plan *plan; /* as requested; covers exactly [begin, end) */
  int32_t begin, end;
  const void *reduce_start; /* initial record of partial results; NULL without reductions */
  void *reduce_result;      /* receives the combined record */
  /* Advances messages that otherwise make no progress during the loop. The thread that called loop_run may call it from
     time to time; the executor need not. NULL: there are no such messages */
  void (*progress)(void *context);
  void *progress_context;
  /* Calls that follow at once run the elements [end, loop_end) of the same loop, in this order; but for messages,
     nothing comes between. 0: unknown */
  int32_t loop_end;
  int32_t goes_on; /* 1: reduce_result holds what earlier calls of the loop have reduced, and the records are combined
                      with it. Only executors with op_exec_caps.chunk get this */
} op_exec_call;

/* Loops that run together, without waiting for each other's ends. With host_code they come in lists: a list is run by
 * one thread, step by step; different lists run at the same time, except that a list begins when the lists that it
 * waits for, which are earlier ones, have done so many steps. With any number of threads it is enough that each thread
 * runs its lists in their order. Without host_code there are no lists: the executor gets the loops whole, in their
 * order, and may put off to the end of the chain what it does at the end of each loop, since no loop of a chain reads
 * what another one reduces. A chain is made when its loops come once more, so it will probably be run often. */
typedef struct op_exec_chain_s op_exec_chain; /* the private state of a chain */
typedef struct op_exec_chain_step {
  int32_t loop;
  int32_t first, last; /* segments [first, last) of the loop's plan, in this order */
} op_exec_chain_step;
typedef struct op_exec_chain_wait {
  int32_t list;
  int32_t steps; /* at least 1; 0: the list has no steps, see op_exec_chain_plan.await */
} op_exec_chain_wait;
typedef struct op_exec_chain_list {
  int32_t thread; /* the wanted one, from 0 */
  int32_t first_step, last_step;
  int32_t first_wait, last_wait;
} op_exec_chain_list;
typedef struct op_exec_chain_plan {
  size_t size;
  int32_t nloops, nlists;
  op_exec_kernel *const *kernels; /* [nloops]; a kernel may occur several times */
  /* Without lists this and what follows is NULL, and each loop is divided as in its call */
  const op_exec_plan *const *plans; /* [nloops]: each OP_PLAN_OWNER with segments and their bits, but without parts;
                                       with OP_PLAN_OWNER_BLOCKS each block is a segment, and others have block -1.
                                       Only segments say which elements run; begin, end and block_offset do not, for a
                                       plan may be that of elements in some other order */
  const op_exec_chain_step *steps;
  const op_exec_chain_wait *waits;
  const op_exec_chain_list *lists;
  /* NULL, or, on executors with op_exec_caps.tasks: messages are on their way. The first list has no steps; it is done
     when this returns 1. The thread that called chain_run, and no other, calls it from time to time until it does not
     return 0. -1: it has failed, so the run ends with any failure */
  int32_t (*await)(void *context);
  void *await_context;
} op_exec_chain_plan;

/* Rows to send to or receive from the neighbours: integers only; halo_upload copies them. */
typedef struct op_exec_halo_lists {
  size_t size;
  int32_t neighbours, reserved;
  const int32_t *offset; /* [neighbours + 1] into rows */
  const int32_t *rows;
} op_exec_halo_lists;
typedef struct op_exec_halo_s op_exec_halo; /* the executor's private copy of the lists */

/* One dat of an exchange. */
typedef struct op_exec_halo_item {
  char *base; /* row 0 of a dat */
  size_t row_bytes;
  int32_t list;      /* index of the uploaded list */
  int32_t type_size; /* bytes of a value; 0: the dat is AoS, and the fields below are ignored. Messages hold contiguous
                        rows */
  ptrdiff_t stride, step; /* of the dat, as in op_range_arg and op_range_layout */
} op_exec_halo_item;

/* Device channels: messages from device to device in the order of the executors' queues, without a wait on any host.
 *
 * A device channel connects all processes of a job, and all of them have such an executor. Entries are collective where
 * the table says so. For an exchange all processes call, in the same order: halo_pack into `send`; channel_send;
 * halo_unpack from the address that channel_send returns; channel_taken. None of these calls waits for another process.
 * The executor may put off what they ask for until the last of them, or until the end of the loop (loop_end of a call).
 */
typedef struct op_exec_channel_s op_exec_channel;
typedef struct op_exec_channel_halo_s op_exec_channel_halo; /* one message per neighbour, always with the same sizes */

/* Communication between the executors of a job while the core makes or frees a device channel or an exchange. The two
 * functions are collective. */
typedef struct op_exec_channel_params {
  size_t size;
  const char *kind; /* "ipc", "kernel": all processes are on one machine; "nccl" */
  int32_t rank, size_of;
  void *context;
  op_status (*allgather)(void *context, const void *send, size_t bytes,
                         void *recv); /* recv: `bytes` of each process, by rank */
  op_status (*barrier)(void *context);
} op_exec_channel_params;

/* The messages of this process in an exchange of a device channel. */
typedef struct op_exec_channel_halo_params {
  size_t size;
  int32_t nsend, nrecv;
  const int32_t *send_rank, *recv_rank;    /* ascending */
  const size_t *send_offset, *recv_offset; /* [n + 1] byte offsets: message after message */
} op_exec_channel_halo_params;

/* A whole dat: contiguous rows on the host, and their copy in another layout in the executor's space. */
typedef struct op_exec_rows {
  size_t size;
  char *rows, *copy;
  ptrdiff_t stride, step; /* of the copy, as in op_range_arg and op_range_layout */
  int32_t count;          /* rows */
  int32_t dim, type_size;
  int32_t to_rows; /* 1: from the copy to the host; 0: the other way */
} op_exec_rows;

/* The table. R: required, from the plugin or its parent. O: optional, may be NULL.
 *
 * Requests run in the order in which the core makes them, and each sees the results of those before it. An executor
 * that returns before a request is complete sets *done to an event if the request reads or writes host memory: the core
 * uses that memory, in later requests too, when the event is complete. Otherwise *done may be NULL. Earlier requests
 * may still use an object that the core asks the executor to free; the executor then waits for these requests. */
typedef struct op_exec_ops_v1 {
  size_t size;
  /* life */
  op_status (*open)(const op_exec_params *params, op_exec **exec); /* R */
  void (*close)(op_exec *exec);                                    /* R */
  op_status (*caps)(op_exec *exec, op_exec_caps *caps);            /* R */
  /* memory; the core owns it */
  op_status (*mem_alloc)(op_exec *exec, op_space space, size_t bytes, void **p); /* R, 64-byte aligned */
  void (*mem_free)(op_exec *exec, op_space space, void *p);                      /* R */
  op_status (*mem_copy)(op_exec *exec, void *to, op_space to_space, const void *from, op_space from_space, size_t bytes,
                        op_event *done);                                       /* R */
  op_status (*mem_zero)(op_exec *exec, op_space space, void *p, size_t bytes); /* R */
  /* kernels */
  op_status (*kernel_create)(
      op_exec *exec, const op_exec_source *source, const op_exec_signature *signature,
      op_exec_kernel **kernel); /* R; OP_ERR_UNSUPPORTED = run it on the host. signature: as long as kernel */
  void (*kernel_free)(op_exec *exec, op_exec_kernel *kernel);              /* R */
  const char *(*kernel_form)(op_exec *exec, const op_exec_kernel *kernel); /* R: "range", "element", "vector x8" ... */
  op_status (*kernel_plan_request)(op_exec *exec, const op_exec_kernel *kernel, op_exec_plan_request *request); /* R */
  /* loops. loop_run needs no event, since it reads globals before it returns and reduce_wait waits for what it reduces;
     a failure of work that is still under way comes to light in a later entry */
  op_status (*loop_run)(op_exec *exec, op_exec_kernel *kernel, const op_exec_call *call); /* R */
  op_status (*reduce_wait)(op_exec *exec,
                           op_exec_kernel *kernel); /* O: waits for reduce_result; NULL = loop_run has set it */
  /* events: O; all NULL = everything is synchronous and every event is NULL */
  op_status (*event_wait)(op_exec *exec, op_event event);
  int (*event_query)(op_exec *exec, op_event event); /* 1 = complete, 0 = not yet */
  void (*event_free)(op_exec *exec, op_event event);
  /* halo: O, for executors with separate memory; without these entries rows go through the host. The buffer is in the
     negotiated transport space and holds one message per neighbour, in order. A message holds item after item; an item
     holds its rows for that neighbour in the order of its list. pack sees the results of earlier requests and does not
     delay later ones; its event is complete when the messages are in the buffer. Requests after unpack see the rows;
     its event is complete when the buffer is free again */
  op_status (*halo_upload)(op_exec *exec, const op_exec_halo_lists *lists, int32_t nlists, op_exec_halo **halo);
  void (*halo_free)(op_exec *exec, op_exec_halo *halo);
  op_status (*halo_pack)(op_exec *exec, op_exec_halo *halo, const op_exec_halo_item *items, int32_t nitems,
                         void *buffer, op_space space, op_event *done);
  op_status (*halo_unpack)(op_exec *exec, op_exec_halo *halo, const op_exec_halo_item *items, int32_t nitems,
                           const void *buffer, op_space space, op_event *done);
  /* passes the division for the following runs, after each kernel_plan_request; it lives as long as the kernel. O */
  op_status (*kernel_plan)(op_exec *exec, op_exec_kernel *kernel, const op_exec_plan *plan);
  op_status (*finish)(op_exec *exec); /* returns when all requests are complete. O: NULL = they always are */
  /* device channels; O, all or none. A failure of a collective entry on one process counts as a failure on all */
  op_status (*channel_open)(op_exec *exec, const op_exec_channel_params *params,
                            op_exec_channel **channel); /* collective */
  void (*channel_close)(op_exec *exec,
                        op_exec_channel *channel); /* collective, after the core has freed all its exchanges */
  op_status (*channel_halo_create)(op_exec *exec, op_exec_channel *channel, const op_exec_channel_halo_params *params,
                                   op_exec_channel_halo **halo,
                                   void **send); /* collective. *send: a buffer in memory of caps.space */
  void (*channel_halo_free)(op_exec *exec, op_exec_channel_halo *halo); /* in the same order on all processes */
  op_status (*channel_send)(
      op_exec *exec, op_exec_channel_halo *halo,
      const void **recv); /* on the queue of halos: sends the packed messages, then waits for the incoming ones */
  op_status (*channel_taken)(op_exec *exec, op_exec_channel_halo *halo); /* the received messages have been unpacked */
  void (*channel_give_up)(op_exec *exec,
                          op_exec_channel *channel); /* after a failure: waits end, with undefined values */
  /* mem_copy for dats in other layouts, for executors with separate memory. O: NULL = the host converts the layout */
  op_status (*mem_copy_rows)(op_exec *exec, const op_exec_rows *rows, op_event *done);
  /* later runs of the kernel call `range`, another form of its code with the same bits; form: its name. With host_code.
     An executor with a kernel_create of its own does not inherit it. O: NULL = forms are not compared by time */
  op_status (*kernel_range)(op_exec *exec, op_exec_kernel *kernel, op_range_fn range, const char *form);
  /* chains: O, all or none. An executor with a kernel_create of its own does not inherit them. The plan and what it
     points to live until chain_free, its kernels at least until the last chain_run. chain_run returns when all is done,
     without host_code when all reduce_results are there and all READ globals are copied. calls: [nloops], the `plan` of
     each is that of the chain, if it has lists. times: NULL, or [2 * steps], without lists [2 * nloops], receives when
     each step or loop began and ended, by host->now. After a failure, *failed is the number of the loop */
  op_status (*chain_create)(op_exec *exec, const op_exec_chain_plan *plan, op_exec_chain **chain);
  void (*chain_free)(op_exec *exec, op_exec_chain *chain);
  op_status (*chain_run)(op_exec *exec, op_exec_chain *chain, const op_exec_call *calls, double *times,
                         int32_t *failed);
  /* how the chain runs, once it has run, for messages: "one graph of 13 launches". O */
  const char *(*chain_form)(op_exec *exec, const op_exec_chain *chain);
  /* since open: how long each thread has run elements of loops that threads share, busy[caps.concurrency], and how
     long these loops took. O: NULL = not known */
  op_status (*thread_seconds)(op_exec *exec, double *busy, double *shared);
  /* thread[plan.nlists]: which thread ran each list of the chain in its last run. O: NULL = the wanted ones */
  op_status (*chain_threads)(op_exec *exec, const op_exec_chain *chain, int32_t *thread);
  /* times on the device: O, both or none. mark makes an event that has a time, behind the requests so far on the queue
     of halos (queue 1) or of loops (queue 0), without a wait. elapsed: the seconds between two such events that are
     complete */
  op_status (*mark)(op_exec *exec, int32_t queue, op_event *event);
  op_status (*elapsed)(op_exec *exec, op_event from, op_event to, double *seconds);
  /* data larger than the executor's memory: O, all or none. mem_reserve: addresses in caps.space for a multiple of
     caps.chunk bytes, without memory, which begin at a multiple of it; mem_free ends them. mem_commit gives memory with
     undefined values to whole chunks that have none, or with on = 0 takes it from chunks that have; no request under
     way uses them. mem_move copies between such memory and the host's, when all requests before are complete, while
     loops after it go on; the core waits for an event of it before anything uses what is copied. done: NULL, or the
     event of this and all that was moved before, also with bytes = 0 */
  op_status (*mem_reserve)(op_exec *exec, size_t bytes, void **p);
  op_status (*mem_commit)(op_exec *exec, void *p, size_t bytes, int32_t on);
  op_status (*mem_move)(op_exec *exec, void *to, op_space to_space, const void *from, op_space from_space, size_t bytes,
                        op_event *done);
} op_exec_ops_v1;

#endif

/* SPDX-License-Identifier: MIT */
