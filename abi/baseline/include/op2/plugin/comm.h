/* comm.h: the table of a communicator: bytes between processes.  EXPERIMENTAL.
 *
 * Every entry but abort, claim_failure, caps and probe_space is collective over the communicator. Host memory unless a space is named. */
#ifndef OP2_PLUGIN_COMM_H
#define OP2_PLUGIN_COMM_H

#include "op2/plugin/plugin.h"

typedef struct op_comm_s op_comm;           /* the communicator's own context */
typedef struct op_comm_halo_s op_comm_halo; /* the communicator's own idea of an exchange */

/* What open gets. */
typedef struct op_comm_params {
  size_t size;
  const op_host_v1 *host;
  int32_t native_given; /* 1: use `native`, a Fortran-style communicator handle, instead of all processes */
  int32_t native;
  int32_t *argc;        /* may be NULL */
  char ***argv;
} op_comm_params;

/* What the communicator is like; the core sets size, the communicator fills in what fits. */
typedef struct op_comm_caps {
  size_t size;
  op_space spaces[4];       /* memory it can send from and receive into, OP_SPACE_NONE ends the list */
  int32_t stream_ordered;   /* halo_start takes events and does not need them past */
  int32_t thread_multiple;  /* entries may be called from several threads */
} op_comm_caps;

/* Operations of allreduce. */
#define OP_COMM_SUM 0
#define OP_COMM_MIN 1
#define OP_COMM_MAX 2

/* One message with each neighbour, always the same sizes and buffers, so it can be persistent. */
typedef struct op_comm_halo_params {
  size_t size;
  op_space space;
  int32_t nsend, nrecv;
  const int32_t *send_rank, *recv_rank;
  const size_t *send_offset, *recv_offset; /* [n + 1] bytes into the buffers */
  const void *send_buffer;
  void *recv_buffer;
} op_comm_halo_params;

/* What sparse_exchange received: message after message, senders ascending. The three arrays come from host->alloc; whoever asked
 * gives them back with host->free. Without messages count is 0, offset[0] is 0. */
typedef struct op_comm_mail {
  size_t size;
  int32_t count, reserved;
  int32_t *rank;  /* [count] */
  size_t *offset; /* [count + 1] bytes into data */
  void *data;
} op_comm_mail;

/* into = into and then later, for records of allreduce_record; `later` is that of processes of higher rank. */
typedef void (*op_comm_combine_fn)(void *context, void *into, const void *later);

/* The table. R: must be there, or come from the parent. O: may be NULL. */
typedef struct op_comm_ops_v1 {
  size_t size;
  op_status (*open)(const op_comm_params *params, op_comm **comm);                    /* R */
  void (*close)(op_comm *comm);                                                       /* R */
  void (*abort)(op_comm *comm, int code);                                             /* R: ends all processes */
  int32_t (*rank)(op_comm *comm);                                                     /* R */
  int32_t (*size_of)(op_comm *comm);                                                  /* R */
  int32_t (*node_rank)(op_comm *comm);                                                /* R */
  int32_t (*node_size)(op_comm *comm);                                                /* R */
  op_status (*caps)(op_comm *comm, op_comm_caps *caps);                               /* R */
  op_status (*barrier)(op_comm *comm);                                                /* R */
  op_status (*bcast)(op_comm *comm, void *data, size_t bytes, int32_t root);          /* R */
  op_status (*allreduce)(op_comm *comm, void *data, size_t count, op_type_id type, int32_t operation); /* R, same bits everywhere */
  op_status (*allgatherv)(op_comm *comm, const void *send, size_t bytes, void *recv, const size_t *offsets);  /* R, offsets [size + 1] */
  op_status (*alltoallv)(op_comm *comm, const void *send, const size_t *send_offsets, void *recv,
                         const size_t *recv_offsets);                                 /* R, [size + 1] each */
  op_status (*exscan)(op_comm *comm, const int64_t *send, int64_t *recv, size_t count); /* R, sums; zeros on rank 0 */
  op_status (*halo_create)(op_comm *comm, const op_comm_halo_params *params, op_comm_halo **halo); /* R */
  op_status (*halo_start)(op_comm *comm, op_comm_halo *halo, const op_event *wait, int32_t nwait); /* R */
  op_status (*halo_wait)(op_comm *comm, op_comm_halo *halo);                          /* R */
  void (*halo_free)(op_comm *comm, op_comm_halo *halo);                               /* R */
  int (*halo_test)(op_comm *comm, op_comm_halo *halo);                                /* O: progress; 1 = done */
  op_status (*probe_space)(op_comm *comm, op_space space, void *a, void *b, size_t bytes); /* O: a message to itself from a to b; the core
                                                                        compares. Not collective */
  op_status (*allreduce_device)(op_comm *comm, void *data, size_t count, op_type_id type, int32_t operation,
                                const op_event *wait, int32_t nwait, op_event *done); /* O */
  op_status (*native)(op_comm *comm, int32_t kind, int64_t *handle);                  /* O: e.g. the Fortran communicator */
  /* Messages to some processes, each named at most once, perhaps this one, from whoever sends: nobody knows before how many come.
     Memory and time depend on the messages and not on the number of processes. Needed with more than one process */
  op_status (*sparse_exchange)(op_comm *comm, int32_t nsend, const int32_t *send_rank, const size_t *send_offset,
                               const void *send, op_comm_mail *mail);
  /* Combines one record of each process in the order of their ranks, in a fixed shape; the same bits everywhere. Needed with more
     than one process */
  op_status (*allreduce_record)(op_comm *comm, void *record, size_t bytes, op_comm_combine_fn combine, void *context);
  /* 1 for the first process that asks, which then tells why the job ends; 0 for those that fail of the same. Not collective. May
     wait a little, O */
  int (*claim_failure)(op_comm *comm);
  /* Before halo_start: where its messages may be written instead of send_buffer and will lie instead of recv_buffer, which saves
     copies: send [nsend], recv [nrecv]. What arrived before is lost. Perhaps the places in the buffers themselves, O */
  op_status (*halo_buffers)(op_comm *comm, op_comm_halo *halo, void **send, const void **recv);
  int (*halo_wants_tests)(op_comm *comm, op_comm_halo *halo); /* O: 1 = its messages move only while halo_test or halo_wait runs */
} op_comm_ops_v1;

#endif
